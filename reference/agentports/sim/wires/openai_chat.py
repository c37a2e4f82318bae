"""OpenAI's chat completions, POST …/chat/completions (document 12, section 2)."""

from __future__ import annotations

from typing import Any

from agentports.sim.replies import Event
from agentports.sim.requests import RecordedRequest
from agentports.sim.turns import Text, TokenCounts, ToolCall, Turn, VendorError
from agentports.sim.wires._openai_chat_legality import objection
from agentports.sim.wires._openai_wire import OpenAIWire

__all__ = ["OpenAIChat"]

_STOP_WORDS = {"tool_use": "tool_calls", "max_tokens": "length", "stop_sequence": "stop"}
_CREATED = 1_700_000_000


class OpenAIChat(OpenAIWire):
    """The wire of OpenAI and of the many servers that are compatible with it. Carries no thinking."""

    name = "openai-chat"
    path = "/chat/completions"

    def refusal(self, request: RecordedRequest) -> VendorError | None:
        return objection(request.json)

    def options(self, request: RecordedRequest) -> tuple[str, bool]:
        asked = request.json.get("stream_options") if isinstance(request.json, dict) else None
        usage = isinstance(asked, dict) and asked.get("include_usage") is True
        model = request.json.get("model") if isinstance(request.json, dict) else None
        return str(model or "gpt-4o-mini"), usage

    def body(self, turn: Turn, model: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": turn.text or None, "refusal": None}
        if not turn.calls:
            message["content"] = turn.text
        if turn.calls:
            message["tool_calls"] = [_call(call) for call in turn.calls]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _stop(turn)}
        body = {**_envelope(turn, model, "chat.completion"), "choices": [choice]}
        if turn.counts is not None:
            body["usage"] = _usage(turn.counts)
        return body

    def events(self, turn: Turn, model: str = "gpt-4o-mini", include_usage: bool = True) -> list[Event]:
        envelope = _envelope(turn, model, "chat.completion.chunk")
        extra = {"usage": None} if include_usage else {}

        def chunk(delta: dict[str, Any], finish: str | None = None) -> Event:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            return Event({**envelope, "choices": [choice], **extra})

        events = [chunk({"role": "assistant", "content": "", "refusal": None})]
        events += [chunk(delta) for delta in _deltas(turn)]
        events.append(chunk({}, _stop(turn)))
        if include_usage and turn.counts is not None:
            events.append(Event({**envelope, "choices": [], "usage": _usage(turn.counts)}))
        return [*events, Event("[DONE]")]

    def error_event(self, error: VendorError) -> Event:
        return Event(self.error_document(error))


def _envelope(turn: Turn, model: str, kind: str) -> dict[str, Any]:
    ref = {} if turn.ref is None else {"id": turn.ref}
    return {**ref, "object": kind, "created": _CREATED, "model": model, "system_fingerprint": "fp_simulated"}


def _stop(turn: Turn) -> str:
    return _STOP_WORDS.get(turn.stop_word, turn.stop_word)


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.text}}


def _deltas(turn: Turn) -> list[dict[str, Any]]:
    """The deltas in stream order. Calls open in their own order, each with id, type, name and no arguments yet."""
    deltas: list[dict[str, Any]] = []
    unopened = [position for position, block in enumerate(turn.blocks) if isinstance(block, ToolCall)]
    index = {position: number for number, position in enumerate(unopened)}

    def open_calls(upto: int) -> None:
        while unopened and unopened[0] <= upto:
            position = unopened.pop(0)
            call = _call(turn.calls[index[position]])
            call["function"]["arguments"] = ""
            deltas.append({"tool_calls": [{"index": index[position], **call}]})

    pieces = [block.pieces for block in turn.blocks]
    for position, piece in turn.schedule():
        if isinstance(turn.blocks[position], Text):
            deltas.append({"content": pieces[position][piece]})
        elif isinstance(turn.blocks[position], ToolCall):
            open_calls(position)
            function = {"arguments": pieces[position][piece]}
            deltas.append({"tool_calls": [{"index": index[position], "function": function}]})
    open_calls(len(turn.blocks))
    return deltas


def _usage(counts: TokenCounts) -> dict[str, Any]:
    usage: dict[str, Any] = {
        "prompt_tokens": counts.input,
        "completion_tokens": counts.output,
        "total_tokens": counts.input + counts.output,
    }
    prompt = {"cached_tokens": counts.cache_read, "cache_write_tokens": counts.cache_write}
    completion = {"reasoning_tokens": counts.thinking}
    for key, details in (("prompt_tokens_details", prompt), ("completion_tokens_details", completion)):
        stated = {name: count for name, count in details.items() if count is not None}
        if stated:
            usage[key] = stated
    return usage
