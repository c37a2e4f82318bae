"""Reading ollama requests (document 12, section 7)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from agentports.sim import Event, RecordedRequest, Turn
from portproof.wires.base import Dialect, WireCall, WireRequest, WireResult, WireTool, WireTurn, in_one_thought

__all__ = ["OllamaDialect"]


class OllamaDialect(Dialect):
    """The chat of a local server."""

    name = "ollama"
    model = "llama3.2"
    reasoning_model = None
    known_models = ("llama3.2", "llama3.2:latest", "qwen3:8b", "deepseek-r1", "gpt-oss:20b", "Qwen3")
    features = frozenset(
        {
            "may omit call ids",
            "may omit id",
            "may omit usage",
            "thinking",
            "error events",
            "stream usage",
            "text-based",
        }
    )
    optional_counts = ()
    carried_counts = ()
    argument_text_ways = ()
    vendor_words = {"tool_use": "stop", "stop_sequence": "stop", "max_tokens": "length"}
    optional_places = {
        "tools": ("tools",),
        "tool_choice": ("tool_choice",),
        "stop": ("stop", "options.stop"),
        "thinking": ("think",),
        "output_format": ("format",),
        "cache_markers": ("cache_markers", "cache_control"),
    }

    def read(self, request: RecordedRequest) -> WireRequest:
        body = request.json if isinstance(request.json, dict) else {}
        turns = tuple(_turn(message) for message in body.get("messages") or ())
        options = body.get("options") or {}
        stop = options.get("stop")
        return WireRequest(
            model=body.get("model"),
            system=tuple(turn.text for turn in turns if turn.role == "system"),
            turns=turns,
            tools=tuple(_tool(tool) for tool in body.get("tools") or ()),
            tool_choice=body.get("tool_choice"),
            cap=options.get("num_predict"),
            temperature=options.get("temperature"),
            stop=None if stop is None else (stop,) if isinstance(stop, str) else tuple(stop),
            thinking=body.get("think"),
            output_schema=body["format"] if isinstance(body.get("format"), dict) else None,
            cache=tuple(body[key] for key in ("cache_markers", "cache_control") if key in body),
            raw=body,
        )

    def written(self, request: RecordedRequest) -> dict[str, Any]:
        # The vendor's own client writes an empty list where there are no tools.
        return {name: value for name, value in super().written(request).items() if (name, value) != ("tools", [])}

    def carried(self, turn: Turn) -> Turn:
        # All thinking of an answer stands in one field.
        return in_one_thought(super().carried(turn))

    def stop_words(self) -> dict[str, str]:
        return {"stop": "stop", "length": "max_tokens"}

    def with_unknown_events(self, events: Sequence[Event], at: Collection[int]) -> list[Event]:
        out: list[Event] = []
        for position, event in enumerate(events):
            if position in at and isinstance(event.data, dict):
                out.append(_unknown_line(event.data))
            out.append(event)
        return out


def _unknown_line(beside: dict[str, Any]) -> Event:
    """What a later version may send beside a line; a message is always there, as the vendor's schema says."""
    envelope = {key: beside[key] for key in ("model", "created_at") if key in beside}
    message = {"role": "assistant", "content": "", "zz_part": {"type": "zz_part", "text": "zz"}}
    return Event({**envelope, "message": message, "zz_event": "zz", "done": False})


def _turn(message: dict[str, Any]) -> WireTurn:
    role, content = str(message.get("role")), message.get("content")
    text = content if isinstance(content, str) else ""
    results = (WireResult(message.get("tool_call_id"), message.get("tool_name"), text),) if role == "tool" else ()
    calls = tuple(_call(call) for call in message.get("tool_calls") or ())
    thinking = (message["thinking"],) if message.get("thinking") else ()
    return WireTurn(role, "" if results else text, calls, results, thinking, raw=message)


def _call(call: dict[str, Any]) -> WireCall:
    function = call.get("function") or {}
    raw = function.get("arguments")
    return WireCall(call.get("id"), function.get("name", ""), raw if isinstance(raw, dict) else None, raw)


def _tool(tool: dict[str, Any]) -> WireTool:
    function = tool.get("function") or {}
    return WireTool(function.get("name", ""), function.get("description"), function.get("parameters"))
