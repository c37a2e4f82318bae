"""Reasoning as Anthropic's wire carries it, and as the port does: one way and back again, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentports.ports import ThinkingBlock

__all__ = ["AnthropicThinkingHandler", "is_thinking", "thinking_to_wire"]

_KINDS = ("thinking", "redacted_thinking")
_OPAQUE_KEYS = ("data", "signature")  # the vendor's, and that of other servers
_META_KEY = "opaque_key"


@dataclass(frozen=True)
class AnthropicThinkingHandler:
    """Reads the content array of an answer.

    The opaque value of a redacted block becomes its `signature`; the key that carried it, unless it is the vendor's, is
    kept in `provider_meta`.
    """

    id: str = "anthropic"
    provider_names: Sequence[str] = ("anthropic",)

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        """Return the blocks in order; what is no thinking of this wire is passed over."""
        blocks = (_read(item) for item in raw) if isinstance(raw, list | tuple) else ()
        return [block for block in blocks if block is not None]


def is_thinking(block: Mapping[str, Any]) -> bool:
    """Whether a block of a content array is reasoning."""
    return block.get("type") in _KINDS


def thinking_to_wire(block: ThinkingBlock) -> dict[str, Any]:
    """Write a block as the object that it came as."""
    if block.type == "redacted_thinking":
        return {"type": block.type, _opaque_key(block): block.signature or ""}
    signature = {"signature": block.signature} if block.signature else {}
    return {"type": block.type, "thinking": block.content, **signature}


def _opaque_key(block: ThinkingBlock) -> str:
    key = (block.provider_meta or {}).get(_META_KEY)
    return key if key in _OPAQUE_KEYS else _OPAQUE_KEYS[0]


def _read(item: Any) -> ThinkingBlock | None:
    if not isinstance(item, dict):
        return None
    if item.get("type") == "thinking" and isinstance(item.get("thinking"), str):
        signature = item.get("signature")
        return ThinkingBlock(content=item["thinking"], signature=signature if _is_text(signature) else None)
    return _read_redacted(item) if item.get("type") == "redacted_thinking" else None


def _read_redacted(item: Mapping[str, Any]) -> ThinkingBlock | None:
    key = next((key for key in _OPAQUE_KEYS if _is_text(item.get(key))), None)
    if key is None:
        return None
    meta = None if key == _OPAQUE_KEYS[0] else {_META_KEY: key}
    return ThinkingBlock(type="redacted_thinking", signature=item[key], provider_meta=meta)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""
