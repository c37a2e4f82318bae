"""Parts of a bedrock-converse body, read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from agentports.sim import Thinking
from portproof.wires.base import WireCall, WireMark, WireResult, WireTool, WireTurn

__all__ = ["blocks_of", "marks_in", "read_schema", "read_tools", "read_turn", "text_of"]

_TTLS = (None, "5m", "1h")


def blocks_of(value: Any) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(blocks: Iterable[dict[str, Any]]) -> str:
    """The text of the text blocks, joined."""
    return "".join(block["text"] for block in blocks if isinstance(block.get("text"), str))


def read_turn(message: dict[str, Any]) -> WireTurn:
    """One entry of the message list."""
    blocks = blocks_of(message.get("content"))
    return WireTurn(
        role=str(message.get("role")),
        text=text_of(blocks),
        calls=tuple(_call(use) for use in _all(blocks, "toolUse")),
        results=tuple(_result(result) for result in _all(blocks, "toolResult")),
        thinking=tuple(_thinking(reasoning) for reasoning in _all(blocks, "reasoningContent")),
        raw=message,
        order=tuple(_order(block) for block in blocks if "cachePoint" not in block),
    )


def read_tools(tool_config: Any) -> tuple[WireTool, ...]:
    """The tools on offer."""
    specs = _all(blocks_of(tool_config.get("tools")), "toolSpec") if isinstance(tool_config, dict) else []
    return tuple(
        WireTool(spec.get("name", ""), spec.get("description"), (spec.get("inputSchema") or {}).get("json"))
        for spec in specs
    )


def read_schema(output_config: Any) -> Any:
    """The schema of the vendor's structured output, which is text on this wire."""
    schema = output_config
    for key in ("textFormat", "structure", "jsonSchema", "schema"):
        schema = schema.get(key) if isinstance(schema, dict) else None
    try:
        return json.loads(schema) if isinstance(schema, str) else None
    except ValueError:
        return None


def marks_in(body: dict[str, Any]) -> Iterator[WireMark]:
    """Every cache point of a body, at the system text, tool or turn that it stands behind or in."""
    tools = body.get("toolConfig")
    fields = {"system": body.get("system"), "tools": tools.get("tools") if isinstance(tools, dict) else None}
    for field, listed in fields.items():
        index = -1
        for element in blocks_of(listed):
            if "cachePoint" in element:
                yield _mark(field, index, element["cachePoint"])
            else:
                index += 1
    for index, message in enumerate(blocks_of(body.get("messages"))):
        yield from (_mark("messages", index, point) for point in _all(blocks_of(message.get("content")), "cachePoint"))


def _mark(field: str, index: int, raw: Any) -> WireMark:
    legal = isinstance(raw, dict) and raw.get("type") == "default" and raw.get("ttl") in _TTLS
    return WireMark(field, index, legal and index >= 0 and set(raw) <= {"type", "ttl"}, raw)


def _all(blocks: Iterable[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """What the blocks of one kind hold."""
    return [block[kind] for block in blocks if isinstance(block.get(kind), dict)]


def _call(use: dict[str, Any]) -> WireCall:
    given = use.get("input")
    return WireCall(use.get("toolUseId"), str(use.get("name", "")), given if isinstance(given, dict) else None, given)


def _result(result: dict[str, Any]) -> WireResult:
    return WireResult(result.get("toolUseId"), None, text_of(blocks_of(result.get("content"))))


def _thinking(reasoning: dict[str, Any]) -> Thinking:
    if "redactedContent" in reasoning:
        return Thinking("", reasoning["redactedContent"], redacted=True)
    said = reasoning.get("reasoningText") or {}
    return Thinking(str(said.get("text", "")), said.get("signature"))


def _order(block: dict[str, Any]) -> tuple[str, str]:
    if isinstance(reasoning := block.get("reasoningContent"), dict):
        thought = _thinking(reasoning)
        return ("redacted_thinking", str(thought.signature)) if thought.redacted else ("thinking", thought.text)
    if isinstance(use := block.get("toolUse"), dict):
        return "tool_call", str(use.get("toolUseId", ""))
    return next(iter(block), ""), str(block.get("text", ""))
