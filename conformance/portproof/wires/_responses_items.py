"""Items of an openai-responses input, read."""

from __future__ import annotations

import json
from typing import Any

from agentports.sim import Thinking
from portproof.wires.base import WireCall, WireResult, WireTurn

__all__ = ["read_input"]

_REASONING = ("summary_text", "reasoning_text")


def read_input(given: Any) -> tuple[WireTurn, ...]:
    """The items of an input, one turn each; a plain text is the user's."""
    if isinstance(given, str):
        return (WireTurn("user", given, raw=given),)
    return tuple(_turn(item) for item in given if isinstance(item, dict)) if isinstance(given, list) else ()


def _turn(item: dict[str, Any]) -> WireTurn:
    match item.get("type", "message"):
        case "message":
            role = str(item.get("role"))
            text = _text(item.get("content"), "output_text" if role == "assistant" else "input_text")
            return WireTurn("system" if role == "developer" else role, text, raw=item)
        case "function_call":
            return WireTurn("assistant", "", calls=(_call(item),), raw=item)
        case "function_call_output":
            result = WireResult(item.get("call_id"), None, _text(item.get("output"), "input_text"))
            return WireTurn("tool", "", results=(result,), raw=item)
        case "reasoning":
            return WireTurn("assistant", "", thinking=_thinking(item), raw=item)
        case other:
            return WireTurn(str(other), "", raw=item)


def _text(content: Any, kind: str) -> str:
    """The text of a content; of its parts those count that the vendor takes there."""
    if isinstance(content, str):
        return content
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return "".join(str(part.get("text", "")) for part in parts if part.get("type") == kind)


def _call(item: dict[str, Any]) -> WireCall:
    raw = item.get("arguments")
    try:
        args = json.loads(raw) if isinstance(raw, str) else None
    except ValueError:
        args = None
    return WireCall(item.get("call_id"), str(item.get("name", "")), args, raw)


def _thinking(item: dict[str, Any]) -> tuple[Thinking, ...]:
    parts = [part for name in ("summary", "content") for part in item.get(name) or () if isinstance(part, dict)]
    return tuple(Thinking(str(part.get("text", ""))) for part in parts if part.get("type") in _REASONING)
