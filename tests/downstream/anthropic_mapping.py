"""From the port's request to the arguments of `messages.create`."""

from __future__ import annotations

from typing import Any

from agentports.ports import CacheMarker, LLMMessage, LLMRequest, ThinkingBlock
from tests.downstream.broken_calls import remark

_DEFAULT_CAP = 4096
_ROOM_TO_ANSWER = 1024


def body_of(request: LLMRequest, model: str, mode: str) -> dict[str, Any]:
    """The arguments of a call; what the request does not say is not given. Markers come last."""
    messages, places = _messages(request)
    body: dict[str, Any] = {"model": model, "messages": messages, **_cap_fields(request, mode)}
    if request.system_prompt:
        body["system"] = [_text(request.system_prompt)]
    if request.tools:
        body["tools"] = [
            {"name": t.name, "description": t.description, "input_schema": t.input_schema} for t in request.tools
        ]
        if request.tool_choice is not None:
            body["tool_choice"] = {"type": "tool", "name": request.tool_choice.name}
    if request.stop:
        body["stop_sequences"] = request.stop
    if request.output_format is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": request.output_format.schema}}
    if request.temperature is not None:
        body["extra_body"] = {"temperature": request.temperature}  # the client has no argument for it any more
    for marker in (request.cache_markers or ())[:4]:
        _mark(body, marker, places)
    return body


def _cap_fields(request: LLMRequest, mode: str) -> dict[str, Any]:
    cap = _DEFAULT_CAP if request.max_tokens is None else request.max_tokens
    if request.thinking is None:
        return {"max_tokens": cap}
    budget = request.thinking.budget
    if mode == "adaptive":
        thinking: dict[str, Any] = {"type": "adaptive", "display": "summarized"}
        return {"max_tokens": max(cap, budget + _ROOM_TO_ANSWER), "thinking": thinking}
    thinking = {"type": "enabled", "budget_tokens": budget}
    return {"max_tokens": cap if cap > budget else budget + _ROOM_TO_ANSWER, "thinking": thinking}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _messages(request: LLMRequest) -> tuple[list[dict[str, Any]], dict[int, int]]:
    """The turns, and which of them holds each message of the request."""
    turns: list[dict[str, Any]] = []
    places: dict[int, int] = {}
    behind_result = False
    for index, message in enumerate(request.messages):
        if message.role == "system":
            continue
        if not (behind_result and message.role == "tool"):
            turns.append({"role": "assistant" if message.role == "assistant" else "user", "content": []})
        turns[-1]["content"] += _blocks(message)
        if message.role == "tool":
            turns[-1]["content"].sort(key=lambda block: block["type"] == "text")  # the vendor wants results first
        behind_result = message.role == "tool"
        places[index] = len(turns) - 1
    return turns, places


def _blocks(message: LLMMessage) -> list[dict[str, Any]]:
    if message.role == "tool" and message.tool_arguments_failure is None:
        return [{"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.content}]
    if message.role != "assistant":
        return [_text(message.content)]
    calls = message.tool_calls or []
    said = [_thinking(block) for block in message.thinking_blocks or ()]
    said += [_text(message.content)] if message.content else []
    said += [_text(remark(call)) for call in calls if call.arguments_failure is not None]
    said += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.args}
        for call in calls
        if call.arguments_failure is None
    ]
    return said or [_text(message.content)]


def _thinking(block: ThinkingBlock) -> dict[str, Any]:
    if block.type == "redacted_thinking":
        return {"type": block.type, "data": block.signature}
    signed = {} if block.signature is None else {"signature": block.signature}
    return {"type": block.type, "thinking": block.content, **signed}


def _mark(body: dict[str, Any], marker: CacheMarker, places: dict[int, int]) -> None:
    named: list[dict[str, Any]] = body.get(marker.field, []) if marker.field != "messages" else []
    if marker.field == "tools":
        named = named[: marker.boundary_index + 1]
    elif marker.field == "messages" and marker.boundary_index in places:
        named = body["messages"][places[marker.boundary_index]]["content"]
    if named:
        named[-1]["cache_control"] = {"type": "ephemeral", **({"ttl": "1h"} if marker.ttl == "long" else {})}
