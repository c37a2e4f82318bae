"""Anthropic's messages, POST …/v1/messages (document 12, section 4)."""

from __future__ import annotations

from typing import Any

from agentports.sim.replies import Event, Reply
from agentports.sim.requests import RecordedRequest
from agentports.sim.turns import Block, Text, Thinking, TokenCounts, ToolCall, Turn, VendorError
from agentports.sim.wires._anthropic_legality import objection
from agentports.sim.wires._block_order import block_order

__all__ = ["AnthropicMessages"]

_STOP_WORDS = {"stop": "end_turn", "content_filter": "refusal"}
_ERROR_TYPES = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class AnthropicMessages:
    """The wire of the Claude models. Carries signed thinking, and names its events."""

    name = "anthropic-messages"
    base_path = ""

    def asks(self, request: RecordedRequest) -> bool:
        return request.method == "POST" and request.path.endswith("/messages")

    def aside(self, request: RecordedRequest) -> Reply | None:
        return None

    def streams(self, request: RecordedRequest) -> bool:
        return isinstance(request.json, dict) and request.json.get("stream") is True

    def refusal(self, request: RecordedRequest) -> VendorError | None:
        message = objection(request.json)
        return None if message is None else VendorError(400, message, "invalid_request_error")

    def options(self, request: RecordedRequest) -> tuple[str]:
        model = request.json.get("model") if isinstance(request.json, dict) else None
        return (str(model or "claude-sonnet-4-5-20250929"),)

    def body(self, turn: Turn, model: str) -> dict[str, Any]:
        content = [_block(block) for block in turn.blocks]
        message = _message(turn, model, content) | {"stop_reason": _stop(turn)}
        return message if turn.counts is None else message | {"usage": _usage(turn.counts)}

    def events(self, turn: Turn, model: str = "claude-sonnet-4-5-20250929") -> list[Event]:
        started = _message(turn, model, [])
        ended: dict[str, Any] = {"delta": {"stop_reason": _stop(turn), "stop_sequence": None}}
        if turn.counts is not None:
            started["usage"] = _usage(turn.counts) | {"output_tokens": min(1, turn.counts.output)}
            ended["usage"] = _output(turn.counts)
        events = [_event("message_start", message=started), _event("ping")]
        for moment, at, piece in block_order(turn):
            events += _block_events(turn.blocks[at], moment, at, piece)
        return [*events, _event("message_delta", **ended), _event("message_stop")]

    def frame(self, event: Event) -> bytes:
        return event.sse()

    def content_type(self) -> str:
        return "text/event-stream; charset=utf-8"

    def error(self, error: VendorError) -> Reply:
        return Reply.json(_error(error), error.status, error.headers)

    def error_event(self, error: VendorError) -> Event:
        return Event(_error(error), "error")

    def headers(self, turn: Turn) -> tuple[tuple[str, str], ...]:
        return (("request-id", f"req-{turn.ref}"),)


def _message(turn: Turn, model: str, content: list[dict[str, Any]]) -> dict[str, Any]:
    ref = {} if turn.ref is None else {"id": turn.ref}
    head = {**ref, "type": "message", "role": "assistant", "model": model, "content": content}
    return head | {"stop_reason": None, "stop_sequence": None}


def _stop(turn: Turn) -> str:
    return _STOP_WORDS.get(turn.stop_word, turn.stop_word)


def _block(block: Block) -> dict[str, Any]:
    """A block of a whole answer."""
    match block:
        case Text(text):
            return {"type": "text", "text": text}
        case Thinking(redacted=True):
            return {"type": "redacted_thinking", "data": block.signature or ""}
        case Thinking(text, signature):
            return {"type": "thinking", "thinking": text} | ({} if signature is None else {"signature": signature})
        case ToolCall():
            return _tool_use(block) | {"input": block.as_object}


def _tool_use(call: ToolCall) -> dict[str, Any]:
    ref = {} if call.id is None else {"id": call.id}
    return {"type": "tool_use", **ref, "name": call.name, "input": {}}


def _event(kind: str, **fields: Any) -> Event:
    return Event({"type": kind, **fields}, kind)


def _block_events(block: Block, moment: str, index: int, piece: int) -> list[Event]:
    """The events of a moment of a block."""
    if moment == "open":
        return [_event("content_block_start", index=index, content_block=_opened(block))]
    if moment == "piece":
        return [_delta(index, _piece(block, piece))]
    signatures = [_delta(index, signature) for signature in _signatures(block)]
    return [*signatures, _event("content_block_stop", index=index)]


def _opened(block: Block) -> dict[str, Any]:
    match block:
        case Text():
            return {"type": "text", "text": ""}
        case Thinking(redacted=False):
            return {"type": "thinking", "thinking": "", "signature": ""}
        case ToolCall():
            return _tool_use(block)
        case _:
            return _block(block)


def _delta(index: int, delta: dict[str, Any]) -> Event:
    return _event("content_block_delta", index=index, delta=delta)


def _piece(block: Block, piece: int) -> dict[str, Any]:
    match block:
        case Text():
            return {"type": "text_delta", "text": block.pieces[piece]}
        case Thinking():
            return {"type": "thinking_delta", "thinking": block.pieces[piece]}
        case ToolCall():
            return {"type": "input_json_delta", "partial_json": block.pieces[piece]}


def _signatures(block: Block) -> list[dict[str, Any]]:
    if not isinstance(block, Thinking) or block.redacted:
        return []
    return [{"type": "signature_delta", "signature": piece} for piece in block.signature_pieces]


def _usage(counts: TokenCounts) -> dict[str, Any]:
    cache = {"cache_creation_input_tokens": counts.cache_write, "cache_read_input_tokens": counts.cache_read}
    stated = {name: count for name, count in cache.items() if count is not None}
    return {"input_tokens": counts.input, **stated, **_output(counts)}


def _output(counts: TokenCounts) -> dict[str, Any]:
    details = {} if counts.thinking is None else {"output_tokens_details": {"thinking_tokens": counts.thinking}}
    return {"output_tokens": counts.output, **details}


def _error(error: VendorError) -> dict[str, Any]:
    fallback = "api_error" if error.status >= 500 else "invalid_request_error"
    kind = error.type or _ERROR_TYPES.get(error.status, fallback)
    return {"type": "error", "error": {"type": kind, "message": error.message}, "request_id": "req-simulated"}
