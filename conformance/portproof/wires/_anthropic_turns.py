"""Turns of an anthropic-messages body, read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentports.sim import Thinking
from portproof.wires.base import WireCall, WireResult, WireTurn

__all__ = ["read_turn", "text_of"]


def read_turn(message: dict[str, Any]) -> WireTurn:
    """One entry of the message list; its content may be plain text."""
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    blocks = [block for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    kinds = {kind: [block for block in blocks if block.get("type") == kind] for kind in ("tool_use", "tool_result")}
    return WireTurn(
        role=str(message.get("role")),
        text=text_of(blocks),
        calls=tuple(_call(block) for block in kinds["tool_use"]),
        results=tuple(_result(block) for block in kinds["tool_result"]),
        thinking=tuple(_thinking(block) for block in blocks if "thinking" in str(block.get("type"))),
        raw=message,
        order=tuple(_order(block) for block in blocks),
    )


def text_of(blocks: Iterable[Any]) -> str:
    """The text of the text blocks, joined."""
    found = (block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text")
    return "".join(text for text in found if isinstance(text, str))


def _call(block: dict[str, Any]) -> WireCall:
    given = block.get("input")
    return WireCall(block.get("id"), str(block.get("name", "")), given if isinstance(given, dict) else None, given)


def _result(block: dict[str, Any]) -> WireResult:
    content = block.get("content")
    text = content if isinstance(content, str) else text_of(content if isinstance(content, list) else [])
    return WireResult(block.get("tool_use_id"), None, text)


def _thinking(block: dict[str, Any]) -> Thinking:
    if block.get("type") == "redacted_thinking":
        return Thinking("", block.get("data"), redacted=True)
    return Thinking(str(block.get("thinking", "")), block.get("signature"))


def _order(block: dict[str, Any]) -> tuple[str, str]:
    kind = str(block.get("type"))
    key = {"text": "text", "thinking": "thinking", "redacted_thinking": "data", "tool_use": "id"}.get(kind, "")
    return {"tool_use": "tool_call"}.get(kind, kind), str(block.get(key, ""))
