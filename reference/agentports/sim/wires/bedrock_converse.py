"""Amazon Bedrock's Converse, POST …/model/{modelId}/converse and /converse-stream (document 12, section 5)."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from agentports.sim.replies import Event, Reply
from agentports.sim.requests import RecordedRequest
from agentports.sim.turns import Block, Text, Thinking, TokenCounts, ToolCall, Turn, VendorError, cut
from agentports.sim.wires._bedrock_legality import objection
from agentports.sim.wires._block_order import block_order
from agentports.sim.wires._eventstream import CONTENT_TYPE, encode

__all__ = ["BedrockConverse"]

_MODEL = "anthropic.claude-sonnet-4-5-20250929-v1:0"
_ADDRESS = re.compile(r"/model/([^/]+)/converse(?:-stream)?$")
_STOP_WORDS = {"stop": "end_turn", "content_filter": "content_filtered"}
_EXCEPTION = "Exception"
_ERRORS = {
    401: "accessDenied",
    403: "accessDenied",
    404: "resourceNotFound",
    408: "modelTimeout",
    424: "modelError",
    429: "throttling",
    503: "serviceUnavailable",
}
#: A stream has a few exceptions of its own.
_STREAM_ERRORS = {424: "modelStreamError", 429: "throttling", 503: "serviceUnavailable"}


class BedrockConverse:
    """The wire of the models on Amazon Bedrock. Its streams are binary frames; the type of an event is in a header.

    The request says in its path which model is asked, and whether for a stream. Names of events that end in
    `Exception` are sent as exceptions.
    """

    name = "bedrock-converse"
    base_path = ""

    def asks(self, request: RecordedRequest) -> bool:
        return request.method == "POST" and request.path.endswith(("/converse", "/converse-stream"))

    def aside(self, request: RecordedRequest) -> Reply | None:
        return None

    def streams(self, request: RecordedRequest) -> bool:
        return request.path.endswith("/converse-stream")

    def refusal(self, request: RecordedRequest) -> VendorError | None:
        model = _asked_model(request.raw_path)
        if model is None:
            return VendorError(404, "The model id must be one segment of the path.", "unknownOperationException")
        message = objection(request.json, model)
        return None if message is None else VendorError(400, message)

    def options(self, request: RecordedRequest) -> tuple[str]:
        return (_asked_model(request.raw_path) or _MODEL,)

    def body(self, turn: Turn, model: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": [_block(block) for block in turn.blocks]}
        return {"output": {"message": message}, "stopReason": _stop(turn), **_metadata(turn)}

    def events(self, turn: Turn, model: str = _MODEL) -> list[Event]:
        events = [Event({"role": "assistant"}, "messageStart")]
        for moment, at, piece in block_order(turn):
            events += _block_events(turn.blocks[at], moment, at, piece)
        return [*events, Event({"stopReason": _stop(turn)}, "messageStop"), Event(_metadata(turn), "metadata")]

    def frame(self, event: Event) -> bytes:
        kind = "exception" if str(event.event).endswith(_EXCEPTION) else "event"
        headers = {f":{kind}-type": str(event.event), ":content-type": "application/json", ":message-type": kind}
        return encode(headers, event.text().encode())

    def content_type(self) -> str:
        return CONTENT_TYPE

    def error(self, error: VendorError) -> Reply:
        kind = error.type or _exception(error.status, _ERRORS)
        name = f"{kind[0].upper()}{kind[1:]}:http://internal.amazon.com/coral/com.amazon.bedrock/"
        headers = (("x-amzn-errortype", name), ("x-amzn-requestid", "req-simulated"), *error.headers)
        return Reply.json({"message": error.message}, error.status, headers)

    def error_event(self, error: VendorError) -> Event:
        kind = error.type or ""
        kind = kind if kind.endswith(_EXCEPTION) else _exception(error.status, _STREAM_ERRORS)
        return Event({"message": error.message}, kind)

    def headers(self, turn: Turn) -> tuple[tuple[str, str], ...]:
        return () if turn.ref is None else (("x-amzn-requestid", turn.ref),)


@lru_cache(maxsize=128)
def _asked_model(raw_path: str) -> str | None:
    """The model that a path names, None where it names none; clients ask the same paths again and again."""
    address = _ADDRESS.search(raw_path)
    return unquote(address[1]) if address else None


def _exception(status: int, known: dict[int, str]) -> str:
    return known.get(status, "internalServer" if status >= 500 else "validation") + _EXCEPTION


def _stop(turn: Turn) -> str:
    return _STOP_WORDS.get(turn.stop_word, turn.stop_word)


def _block(block: Block) -> dict[str, Any]:
    """A block of a whole answer."""
    match block:
        case Text(text):
            return {"text": text}
        case Thinking(redacted=True):
            return {"reasoningContent": {"redactedContent": block.signature or ""}}
        case Thinking(text, signature):
            signed = {} if signature is None else {"signature": signature}
            return {"reasoningContent": {"reasoningText": {"text": text, **signed}}}
        case ToolCall():
            return {"toolUse": {**_call(block), "input": block.as_object}}


def _call(call: ToolCall) -> dict[str, Any]:
    ref = {} if call.id is None else {"toolUseId": call.id}
    return {**ref, "name": call.name}


def _block_events(block: Block, moment: str, index: int, piece: int) -> list[Event]:
    """The events of a moment of a block. Only calls have one for their beginning."""
    if moment == "open":
        return [_event("Start", index, start={"toolUse": _call(block)})] if isinstance(block, ToolCall) else []
    if moment == "piece":
        return [_event("Delta", index, delta=_delta(block, block.pieces[piece]))]
    return [*(_event("Delta", index, delta=delta) for delta in _last_deltas(block)), _event("Stop", index)]


def _event(what: str, index: int, **fields: Any) -> Event:
    return Event({"contentBlockIndex": index, **fields}, f"contentBlock{what}")


def _delta(block: Block, piece: str) -> dict[str, Any]:
    match block:
        case Text():
            return {"text": piece}
        case Thinking():
            return {"reasoningContent": {"text": piece}}
        case ToolCall():
            return {"toolUse": {"input": piece}}


def _last_deltas(block: Block) -> list[dict[str, Any]]:
    """What comes before the end of a block. One of which nothing has come so far shows itself by an empty piece."""
    if isinstance(block, Thinking) and block.redacted:
        return [{"reasoningContent": {"redactedContent": piece}} for piece in _value_pieces(block)]
    if isinstance(block, Thinking) and block.signature is not None:
        return [{"reasoningContent": {"signature": piece}} for piece in block.signature_pieces]
    return [] if block.pieces or isinstance(block, ToolCall) else [_delta(block, "")]


def _value_pieces(block: Thinking) -> list[str]:
    """A hidden value as a stream carries it: its bytes are cut, and each piece is base64 by itself."""
    value = b64decode(block.signature or "").decode("latin-1")
    return [b64encode(piece.encode("latin-1")).decode() for piece in cut(value, block.signature_cuts)]


def _metadata(turn: Turn) -> dict[str, Any]:
    usage = {} if turn.counts is None else {"usage": _usage(turn.counts)}
    return {**usage, "metrics": {"latencyMs": 1}}


def _usage(counts: TokenCounts) -> dict[str, int]:
    cache = {"cacheReadInputTokens": counts.cache_read, "cacheWriteInputTokens": counts.cache_write}
    stated = {name: count for name, count in cache.items() if count is not None}
    total = counts.input + counts.output + sum(stated.values())
    return {"inputTokens": counts.input, "outputTokens": counts.output, "totalTokens": total, **stated}
