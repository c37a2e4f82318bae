"""Reasoning between the port and the client, which has hidden values as bytes."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

from agentports.ports import ThinkingBlock


class ReasoningHandler:
    """Reads the list of reasoning blocks that the adapter hands out."""

    id = "bedrock-sdk"
    provider_names = ("bedrock-sdk",)

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        """The blocks in order."""
        return [_block(item) for item in raw if _is_reasoning(item)] if isinstance(raw, list) else []


def _is_reasoning(item: Any) -> bool:
    return isinstance(item, dict) and (isinstance(item.get("text"), str) or isinstance(item.get("hidden"), str))


def _block(item: dict[str, Any]) -> ThinkingBlock:
    if isinstance(item.get("hidden"), str):
        return ThinkingBlock(type="redacted_thinking", signature=item["hidden"])
    signature = item.get("signature")
    return ThinkingBlock(content=item["text"], signature=signature if isinstance(signature, str) else None)


def kept(text: str, signature: str, hidden: bytes) -> dict[str, str]:
    """What is handed out of one block of an answer, as JSON."""
    if hidden:
        return {"hidden": b64encode(hidden).decode()}
    return {"text": text, **({"signature": signature} if signature else {})}


def written(block: ThinkingBlock) -> dict[str, Any]:
    """A block as the client takes it."""
    if block.type == "redacted_thinking":
        return {"reasoningContent": {"redactedContent": b64decode(block.signature or "")}}
    signature = {"signature": block.signature} if block.signature else {}
    return {"reasoningContent": {"reasoningText": {"text": block.content, **signature}}}
