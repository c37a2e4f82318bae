"""Reading openai-chat requests (document 12, section 2)."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from agentports.sim import Event, RecordedRequest
from portproof.wires.base import Dialect, WireCall, WireRequest, WireResult, WireTool, WireTurn

__all__ = ["OpenAIChatDialect"]


class OpenAIChatDialect(Dialect):
    """Chat completions, Azure's variant included."""

    name = "openai-chat"
    model = "gpt-4o"
    reasoning_model = "o3-mini"
    known_models = ("gpt-4o", "gpt-4o-mini", "gpt-4.1", "o1", "o1-mini", "o3-mini", "O4-mini", "gpt-5", "gpt-3.5-turbo")
    features = frozenset(
        {
            "pairs by id",
            "argument text",
            "argument pieces",
            "may omit usage",
            "response id",
            "error events",
            "stream usage",
            "server-sent events",
            "text-based",
            "optional counts",
        }
    )
    optional_counts = ("cache_read", "cache_write", "thinking")
    vendor_words = {"tool_use": "tool_calls", "stop_sequence": "stop", "max_tokens": "length"}
    optional_places = {
        "tools": ("tools", "functions"),
        "tool_choice": ("tool_choice", "function_call"),
        "stop": ("stop",),
        "thinking": ("thinking",),
        "output_format": ("response_format",),
        "cache_markers": ("cache_markers", "cache_control"),
    }

    def read(self, request: RecordedRequest) -> WireRequest:
        body = request.json if isinstance(request.json, dict) else {}
        turns = tuple(_turn(message) for message in body.get("messages", []))
        choice = body.get("tool_choice")
        stop = body.get("stop")
        return WireRequest(
            model=body.get("model"),
            system=tuple(turn.text for turn in turns if turn.role == "system"),
            turns=turns,
            tools=tuple(_tool(tool) for tool in body.get("tools") or ()),
            tool_choice=choice,
            forced_tool=_forced(choice),
            cap=body.get("max_completion_tokens", body.get("max_tokens")),
            temperature=body.get("temperature"),
            stop=None if stop is None else (stop,) if isinstance(stop, str) else tuple(stop),
            thinking=body.get("thinking"),
            output_schema=_schema(body.get("response_format")),
            cache=tuple(body[key] for key in ("cache_markers", "cache_control") if key in body),
            raw=body,
        )

    def reports_usage(self, request: RecordedRequest) -> bool:
        body = request.json
        return body.get("stream") is not True or (body.get("stream_options") or {}).get("include_usage") is True

    def stop_words(self) -> dict[str, str]:
        return {"stop": "stop", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "content_filter"}

    def with_unknown_events(self, events: Sequence[Event], at: Collection[int]) -> list[Event]:
        out: list[Event] = []
        for position, event in enumerate(events):
            if position in at and isinstance(event.data, dict):
                out += _unknown_events(event.data)
            out.append(event)
        return out


def _unknown_events(beside: dict[str, Any]) -> list[Event]:
    """What a later version may send beside a chunk; `choices` is always there, as the vendor's schema says."""
    envelope = {key: beside[key] for key in ("id", "created", "model") if key in beside}
    choice = {"index": 0, "delta": {"zz_part": {"type": "zz_part", "text": "zz"}}, "finish_reason": None}
    return [
        Event({**envelope, "object": "zz.event", "type": "zz.event", "choices": [], "text": "zz"}),
        Event({**envelope, "object": "chat.completion.chunk", "choices": [choice]}),
    ]


def _turn(message: dict[str, Any]) -> WireTurn:
    role, text = str(message.get("role")), _text(message.get("content"))
    results = (WireResult(message.get("tool_call_id"), message.get("name"), text),) if role == "tool" else ()
    calls = tuple(_call(call) for call in message.get("tool_calls") or ())
    role = "system" if role == "developer" else role
    return WireTurn(role, "" if results else text, calls, results, raw=message)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _call(call: dict[str, Any]) -> WireCall:
    function = call.get("function") or {}
    raw = function.get("arguments")
    try:
        args = json.loads(raw) if isinstance(raw, str) else None
    except ValueError:
        args = None
    return WireCall(call.get("id"), function.get("name", ""), args, raw)


def _tool(tool: dict[str, Any]) -> WireTool:
    function = tool.get("function") or {}
    return WireTool(function.get("name", ""), function.get("description"), function.get("parameters"))


def _forced(choice: Any) -> str | None:
    if isinstance(choice, dict) and choice.get("type") == "function":
        name = (choice.get("function") or {}).get("name")
        return name if isinstance(name, str) else None
    return None


def _schema(response_format: Any) -> Any:
    if isinstance(response_format, dict) and response_format.get("type") == "json_schema":
        return (response_format.get("json_schema") or {}).get("schema")
    return None
