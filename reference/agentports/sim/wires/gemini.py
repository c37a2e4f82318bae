"""Gemini, POST …/models/{model}:generateContent and :streamGenerateContent?alt=sse (document 12, section 6)."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote

from agentports.sim.replies import Event, Play, Reply
from agentports.sim.requests import RecordedRequest
from agentports.sim.turns import Block, Text, Thinking, TokenCounts, ToolCall, Turn, VendorError
from agentports.sim.wires._gemini_legality import objection

__all__ = ["Gemini", "blocked_prompt"]

_ADDRESS = re.compile(r"/models/(.+?)(?::|%3[Aa])(generateContent|streamGenerateContent)\Z")
_STOP_WORDS = {
    "stop": "STOP",
    "tool_use": "STOP",
    "stop_sequence": "STOP",
    "max_tokens": "MAX_TOKENS",
    "content_filter": "SAFETY",
}
_STATUSES = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
#: The vendor's encoder escapes them; many readers of lines take each for the end of one.
_LINE_ENDS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"})


class Gemini:
    """The wire of the Gemini models: the model stands in the path, calls come whole, and each may bring a signature.

    Thoughts are parts that say so; they have no signature, so redacted thinking is left out. A stream is served as
    server-sent events only. From the third generation of models on (`gemini-3-pro-preview`, ...) a conversation must
    give back the signature of the first call of each model turn since the user last spoke, so that a script for them
    has to sign these calls; nothing is remembered from one request to the next.
    """

    name = "gemini"
    base_path = ""

    def asks(self, request: RecordedRequest) -> bool:
        return request.method == "POST" and _ADDRESS.search(request.raw_path) is not None

    def aside(self, request: RecordedRequest) -> Reply | None:
        return None

    def streams(self, request: RecordedRequest) -> bool:
        return request.path.endswith(":streamGenerateContent")

    def refusal(self, request: RecordedRequest) -> VendorError | None:
        if self.streams(request) and request.query.get("alt") != ["sse"]:
            return VendorError(400, "Only server-sent events are simulated here: add alt=sse to the query.")
        message = objection(request.json, self.options(request)[0])
        return None if message is None else VendorError(400, message)

    def options(self, request: RecordedRequest) -> tuple[str]:
        address = _ADDRESS.search(request.raw_path)
        return (unquote(address[1]) if address else "gemini-2.5-flash",)

    def body(self, turn: Turn, model: str) -> dict[str, Any]:
        parts = [_part(block) for block in turn.blocks if _is_carried(block)]
        return _answer(turn, model, parts or [{"text": ""}], _stop(turn)) | _usage(turn.counts)

    def events(self, turn: Turn, model: str = "gemini-2.5-flash") -> list[Event]:
        said = [_answer(turn, model, [part]) | _usage_so_far(turn.counts) for part in _pieces(turn)]
        last = _answer(turn, model, [{"text": ""}], _stop(turn)) | _usage(turn.counts)
        return [Event(document) for document in (*said, last)]

    def frame(self, event: Event) -> bytes:
        return event.sse().decode().translate(_LINE_ENDS).encode()

    def content_type(self) -> str:
        return "text/event-stream"

    def error(self, error: VendorError) -> Reply:
        return Reply.json(_error(error), error.status, error.headers)

    def error_event(self, error: VendorError) -> Event:
        return Event(_error(error))

    def headers(self, turn: Turn) -> tuple[tuple[str, str], ...]:
        return ()


def blocked_prompt(reason: str = "SAFETY", turn: Turn | None = None) -> Play:
    """The answer to a prompt that the vendor refused to take: no candidates, and why. The turn gives counts and id."""

    def blocked(document: Any) -> dict[str, Any]:
        kept = {key: value for key, value in document.items() if key != "candidates"}
        return {"promptFeedback": {"blockReason": reason}, **kept}

    return Play(
        turn or Turn(counts=TokenCounts(9, 0)),
        edit=lambda events: [Event(blocked(events[-1].data))],
        edit_body=blocked,
    )


def _answer(turn: Turn, model: str, parts: list[dict[str, Any]], stop: str | None = None) -> dict[str, Any]:
    reason = {} if stop is None else {"finishReason": stop}
    ref = {} if turn.ref is None else {"responseId": turn.ref}
    candidate = {"content": {"parts": parts, "role": "model"}, **reason, "index": 0}
    return {"candidates": [candidate], "modelVersion": model, **ref}


def _stop(turn: Turn) -> str:
    return _STOP_WORDS.get(turn.stop_word, turn.stop_word)


def _is_carried(block: Block) -> bool:
    return not (isinstance(block, Thinking) and block.redacted)


def _part(block: Block, piece: str | None = None) -> dict[str, Any]:
    """A block as a part, or one piece of its text."""
    match block:
        case Text(text):
            return {"text": text if piece is None else piece}
        case Thinking(text):
            return {"text": text if piece is None else piece, "thought": True}
        case ToolCall():
            return _call(block)


def _call(call: ToolCall) -> dict[str, Any]:
    ref = {} if call.id is None else {"id": call.id}
    signature = {} if call.meta is None else {"thoughtSignature": call.meta}
    return {"functionCall": {**ref, "name": call.name, "args": _args(call.text)}, **signature}


def _args(text: str) -> dict[str, Any]:
    """Arguments as an object. Nothing else can stand there: broken text leaves an empty one."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _pieces(turn: Turn) -> list[dict[str, Any]]:
    """The part of each event. Calls come whole and in their own order, at their first piece at the latest."""
    parts: list[dict[str, Any]] = []
    pieces = [block.pieces for block in turn.blocks]
    unsent = [position for position, block in enumerate(turn.blocks) if isinstance(block, ToolCall)]

    def send_calls(upto: int) -> None:
        while unsent and unsent[0] <= upto:
            parts.append(_part(turn.blocks[unsent.pop(0)]))

    for position, piece in turn.schedule():
        block = turn.blocks[position]
        if isinstance(block, ToolCall):
            send_calls(position)
        elif _is_carried(block):
            parts.append(_part(block, pieces[position][piece]))
    send_calls(len(turn.blocks))
    return parts


def _usage(counts: TokenCounts | None) -> dict[str, Any]:
    if counts is None:
        return {}
    optional = {"cachedContentTokenCount": counts.cache_read, "thoughtsTokenCount": counts.thinking}
    usage = {
        "promptTokenCount": counts.input,
        "candidatesTokenCount": counts.output,
        "totalTokenCount": counts.input + counts.output + (counts.thinking or 0),
    }
    return {"usageMetadata": usage | {name: count for name, count in optional.items() if count is not None}}


def _usage_so_far(counts: TokenCounts | None) -> dict[str, Any]:
    """What an event before the last one counts."""
    if counts is None:
        return {}
    return {"usageMetadata": {"promptTokenCount": counts.input, "totalTokenCount": counts.input}}


def _error(error: VendorError) -> dict[str, Any]:
    fallback = "INTERNAL" if error.status >= 500 else "INVALID_ARGUMENT"
    status = error.type or _STATUSES.get(error.status, fallback)
    return {"error": {"code": error.status, "message": error.message, "status": status}}
