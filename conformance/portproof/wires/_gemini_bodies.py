"""Bodies of gemini requests in one spelling, and their turns, read."""

from __future__ import annotations

import re
from typing import Any

from portproof.wires.base import WireCall, WireResult, WireTool, WireTurn

__all__ = ["in_camel_case", "objects", "parts_of", "read_tool", "read_turn", "text_of"]

#: Members that hold data of the caller's making, whose keys have no other spelling.
_OPAQUE = frozenset(
    {"args", "response", "parameters", "parametersJsonSchema", "responseSchema", "responseJsonSchema", "labels"}
)
#: Where adapters put the text of a result, likeliest first.
_RESULT_KEYS = ("output", "result", "content", "text")


def in_camel_case(value: Any) -> Any:
    """The same with keys in the one of the two spellings that the service itself writes."""
    if isinstance(value, list):
        return [in_camel_case(item) for item in value]
    if not isinstance(value, dict):
        return value
    spelt = {re.sub(r"_([a-z])", lambda m: m[1].upper(), key): member for key, member in value.items()}
    return {key: member if key in _OPAQUE else in_camel_case(member) for key, member in spelt.items()}


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; one that stands alone is a list of one."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, dict)]


def parts_of(content: Any) -> list[dict[str, Any]]:
    """The parts of a turn or of the system's instruction; it may be plain text."""
    if isinstance(content, str):
        return [{"text": content}]
    return objects(content.get("parts")) if isinstance(content, dict) else []


def text_of(parts: list[dict[str, Any]]) -> str:
    """The text of the parts that are no thoughts, joined."""
    return "".join(str(part["text"]) for part in parts if "text" in part and part.get("thought") is not True)


def read_turn(content: dict[str, Any]) -> WireTurn:
    """One entry of `contents`, by the port's name of its role."""
    parts = parts_of(content)
    role = str(content.get("role", "user"))
    return WireTurn(
        role="assistant" if role == "model" else role,
        text=text_of(parts),
        calls=tuple(_call(part) for part in parts if isinstance(part.get("functionCall"), dict)),
        results=tuple(_result(p["functionResponse"]) for p in parts if isinstance(p.get("functionResponse"), dict)),
        raw=content,
    )


def _call(part: dict[str, Any]) -> WireCall:
    call = part["functionCall"]
    args = call.get("args", {})
    return WireCall(call.get("id"), str(call.get("name", "")), args if isinstance(args, dict) else None, part)


def _result(result: dict[str, Any]) -> WireResult:
    return WireResult(result.get("id"), result.get("name"), _said(result.get("response")))


def _said(response: Any) -> str:
    """The text of a result, under whichever key."""
    if not isinstance(response, dict):
        return ""
    texts = {key: value for key, value in response.items() if isinstance(value, str)}
    return next((texts[key] for key in (*_RESULT_KEYS, *texts) if key in texts), "")


def read_tool(function: dict[str, Any]) -> WireTool:
    """One declaration of a function, its schema in either of the two fields for it."""
    schema = function.get("parametersJsonSchema", function.get("parameters"))
    return WireTool(str(function.get("name", "")), function.get("description"), schema)
