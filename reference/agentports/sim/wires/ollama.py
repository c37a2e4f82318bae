"""Ollama's chat, POST …/api/chat (document 12, section 7)."""

from __future__ import annotations

import json
from typing import Any

from agentports.sim.replies import Event, Reply
from agentports.sim.requests import RecordedRequest
from agentports.sim.turns import Text, Thinking, TokenCounts, ToolCall, Turn, VendorError

__all__ = ["Ollama"]

_MODEL = "llama3.2"
_STOP_WORDS = {"tool_use": "stop", "stop_sequence": "stop", "max_tokens": "length"}
_CREATED = "2025-01-01T00:00:00.000000Z"
_NANOSECONDS = 1_000_000
#: The vendor's encoder escapes the first two; its own Python client takes the third for the end of a line.
_LINE_ENDS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"})


class Ollama:
    """The wire of a local server of open models: one JSON object a line, calls whole, no id of the answer.

    Thinking has a field of its own and no signature, so redacted thinking is left out.
    """

    name = "ollama"
    base_path = ""

    def asks(self, request: RecordedRequest) -> bool:
        return request.method == "POST" and request.path.endswith("/api/chat")

    def aside(self, request: RecordedRequest) -> Reply | None:
        if request.method != "GET" or not request.path.endswith("/api/tags"):
            return None
        name = f"{_MODEL}:latest"
        model = {"name": name, "model": name, "modified_at": _CREATED, "size": 0, "digest": "0" * 64, "details": {}}
        return Reply.json({"models": [model]})

    def streams(self, request: RecordedRequest) -> bool:
        return isinstance(request.json, dict) and request.json.get("stream") is not False

    def refusal(self, request: RecordedRequest) -> VendorError | None:
        if not isinstance(request.json, dict):
            return VendorError(400, "the request body is not a JSON object")
        if not request.json.get("model"):
            return VendorError(400, "model is required")
        return None

    def options(self, request: RecordedRequest) -> tuple[str]:
        return (str(request.json["model"]),)

    def body(self, turn: Turn, model: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": turn.text}
        if thought := "".join(block.text for block in turn.thinking):
            message["thinking"] = thought
        if turn.calls:
            message["tool_calls"] = [_call(index, call) for index, call in enumerate(turn.calls)]
        return _line(model, message) | _end(turn)

    def events(self, turn: Turn, model: str = _MODEL) -> list[Event]:
        said = [_line(model, {"role": "assistant", "content": "", **piece}) for piece in _pieces(turn)]
        last = _line(model, {"role": "assistant", "content": ""}) | _end(turn)
        return [Event(line) for line in (*said, last)]

    def frame(self, event: Event) -> bytes:
        return f"{event.text().translate(_LINE_ENDS)}{event.line_end}".encode()

    def content_type(self) -> str:
        return "application/x-ndjson"

    def error(self, error: VendorError) -> Reply:
        return Reply.json({"error": error.message}, error.status, error.headers)

    def error_event(self, error: VendorError) -> Event:
        return Event({"error": error.message})

    def headers(self, turn: Turn) -> tuple[tuple[str, str], ...]:
        return ()


def _line(model: str, message: dict[str, Any]) -> dict[str, Any]:
    return {"model": model, "created_at": _CREATED, "message": message, "done": False}


def _end(turn: Turn) -> dict[str, Any]:
    reason = _STOP_WORDS.get(turn.stop_word, turn.stop_word)
    counts = {} if turn.counts is None else _counts(turn.counts)
    return {"done": True, "done_reason": reason, "total_duration": 3 * _NANOSECONDS, **counts}


def _counts(counts: TokenCounts) -> dict[str, int]:
    return {
        "prompt_eval_count": counts.input,
        "prompt_eval_duration": _NANOSECONDS,
        "eval_count": counts.output,
        "eval_duration": _NANOSECONDS,
    }


def _call(index: int, call: ToolCall) -> dict[str, Any]:
    ref = {} if call.id is None else {"id": call.id}
    return {**ref, "function": {"index": index, "name": call.name, "arguments": _arguments(call.text)}}


def _arguments(text: str) -> Any:
    """The arguments as an object; text that is none goes out as text, as it does from proxies that reshape the wire."""
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return text
    return value if isinstance(value, dict) else text


def _pieces(turn: Turn) -> list[dict[str, Any]]:
    """What each line's message says. Calls come whole and in their own order, at their first piece at the latest."""
    lines: list[dict[str, Any]] = []
    pieces = [block.pieces for block in turn.blocks]
    calls = enumerate(turn.calls)
    unsent = [position for position, block in enumerate(turn.blocks) if isinstance(block, ToolCall)]

    def send_calls(upto: int) -> None:
        while unsent and unsent[0] <= upto:
            unsent.pop(0)
            lines.append({"tool_calls": [_call(*next(calls))]})

    for position, piece in turn.schedule():
        match turn.blocks[position]:
            case Text():
                lines.append({"content": pieces[position][piece]})
            case Thinking(redacted=False):
                lines.append({"thinking": pieces[position][piece]})
            case ToolCall():
                send_calls(position)
    send_calls(len(turn.blocks))
    return lines
