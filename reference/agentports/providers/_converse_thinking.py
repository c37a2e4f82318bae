"""Reasoning as Converse carries it, and as the port does: one way and back again, byte for byte."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentports.ports import ThinkingBlock
from agentports.providers._reading import text_in

__all__ = ["ConverseThinkingHandler", "is_thinking", "joined_values", "thinking_to_wire"]

_KEY = "reasoningContent"


@dataclass(frozen=True)
class ConverseThinkingHandler:
    """Reads the content array of an answer. The hidden value of a redacted block becomes its `signature`."""

    id: str = "bedrock"
    provider_names: Sequence[str] = ("bedrock",)

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        """Return the blocks in order; what is no reasoning of this wire is passed over."""
        blocks = (_read(item) for item in raw) if isinstance(raw, list | tuple) else ()
        return [block for block in blocks if block is not None]


def is_thinking(block: Mapping[str, Any]) -> bool:
    """Whether a block of a content array is reasoning."""
    return _KEY in block


def thinking_to_wire(block: ThinkingBlock) -> dict[str, Any]:
    """Write a block as the object that it came as."""
    if block.type == "redacted_thinking":
        return {_KEY: {"redactedContent": block.signature or ""}}
    signature = {"signature": block.signature} if block.signature else {}
    return {_KEY: {"reasoningText": {"text": block.content, **signature}}}


def joined_values(pieces: Sequence[str]) -> str:
    """Join the pieces of a hidden value, each of which is base64 by itself; a single one stays as it is."""
    try:
        return pieces[0] if len(pieces) == 1 else b64encode(b"".join(map(b64decode, pieces))).decode()
    except ValueError:
        return "".join(pieces)


def _read(item: Any) -> ThinkingBlock | None:
    reasoning = item.get(_KEY) if isinstance(item, dict) else None
    said = reasoning.get("reasoningText") if isinstance(reasoning, dict) else None
    if isinstance(said, dict) and isinstance(said.get("text"), str):
        return ThinkingBlock(content=said["text"], signature=text_in(said, "signature") or None)
    hidden = text_in(reasoning, "redactedContent")
    return ThinkingBlock(type="redacted_thinking", signature=hidden) if hidden else None
