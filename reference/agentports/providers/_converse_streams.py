"""Reading what Converse answers as a stream (document 12, section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentports.ports import LLMChunk
from agentports.providers._base import Call, StreamState
from agentports.providers._block_answers import Block
from agentports.providers._blocks import GatheredBlock
from agentports.providers._converse_answers import ConverseAnswers
from agentports.providers._converse_thinking import joined_values
from agentports.providers._errors import Refusal
from agentports.providers._eventstream import EventStreamDecoder
from agentports.providers._reading import object_in, text_in
from agentports.providers._sse import ServerSentEvent

__all__ = ["ConverseStreams"]

#: What the exceptions inside a stream stand for; the answer itself had status 200.
EXCEPTION_STATUS = {
    "validationException": 400,
    "modelStreamErrorException": 424,
    "throttlingException": 429,
    "internalServerException": 500,
    "serviceUnavailableException": 503,
}

_BREAK = "\n"  # between the pieces of a hidden value, which are not one text


class ConverseStreams(ConverseAnswers):
    """The reading half of the adapter, streams included."""

    def new_stream(self, call: Call) -> StreamState:
        """Return the state of one stream, which is cut into binary frames, and whose id is known already."""
        state = super().new_stream(call)
        state.decoder, state.provider_ref = EventStreamDecoder(), self.provider_ref_of(call)
        return state

    def parse_event(self, event: ServerSentEvent) -> Mapping[str, Any] | None:
        """Put the type of an event, which is in a header of its frame, around its data; raise for an exception."""
        data = super().parse_event(event)
        if event.failed:
            return {"exception": {**(data or {}), "type": event.event}}
        return None if data is None else {event.event: data}

    def read_data(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Read one event; unknown ones say nothing. The counts come behind the end marker."""
        [(kind, said)] = data.items()
        match kind:
            case "contentBlockStart":
                self.read_block_start(state, said)
            case "contentBlockDelta":
                return self.read_block_delta(state, said)
            case "contentBlockStop":
                state.blocks.close(_index(said))
            case "messageStop":
                state.reason, state.complete = self.reason_of(said), True
            case "metadata":
                self.read_metadata(state, said)
            case "exception":
                raise self.stated_error(state.call, said)
        return ()

    def read_metadata(self, state: StreamState, data: Mapping[str, Any]) -> None:
        """Read the counts; behind the end of the message they are the last that comes."""
        state.usage = self.usage_of(data)
        if state.complete:
            self.end_stream(state)

    def read_block_start(self, state: StreamState, data: Mapping[str, Any]) -> None:
        """Begin a call; other blocks begin with their first piece."""
        use = object_in(object_in(data, "start"), "toolUse")
        if use:
            fields = {"toolUseId": text_in(use, "toolUseId"), "name": text_in(use, "name")}
            state.blocks.begin(_index(data), {"type": "toolUse", **fields})

    def read_block_delta(self, state: StreamState, data: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Take a piece of the block of its index."""
        delta, index = object_in(data, "delta"), _index(data)
        if isinstance(delta.get("text"), str):
            state.blocks.at(index, "text").append("text", delta["text"])
            return self.text_chunks(state, delta["text"])
        if piece := text_in(object_in(delta, "toolUse"), "input"):
            state.blocks.at(index, "toolUse").append("input", piece)
        return self.read_reasoning(state, index, object_in(delta, "reasoningContent"))

    def read_reasoning(self, state: StreamState, index: int, piece: Mapping[str, Any]) -> Iterable[LLMChunk]:
        """Take a piece of reasoning, of its signature, or of a hidden value."""
        for field, end in (("text", ""), ("signature", ""), ("redactedContent", _BREAK)):
            if isinstance(piece.get(field), str):
                state.blocks.at(index, "reasoningContent").append(field, piece[field] + end)
        return self.thinking_chunks(state, text_in(piece, "text"))

    def status_of_error(self, refusal: Refusal) -> int | None:
        """Return the status that the type of an exception stands for."""
        return EXCEPTION_STATUS.get(refusal.code or "")

    def whole(self, block: GatheredBlock) -> Block:
        """Return a block as a whole answer would hold it."""
        fields = block.whole()
        kind = fields.pop("type")
        if kind == "text":
            return fields
        if "redactedContent" in fields:
            return {kind: {"redactedContent": joined_values(fields["redactedContent"].split(_BREAK)[:-1])}}
        return {kind: {"reasoningText": {"text": "", **fields}} if kind == "reasoningContent" else fields}


def _index(data: Mapping[str, Any]) -> int:
    index = data.get("contentBlockIndex")
    return index if isinstance(index, int) else 0
