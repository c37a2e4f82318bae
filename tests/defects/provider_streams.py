"""Adapters whose chunks cheat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import LLMResponse, Usage
from agentports.providers import OpenAIChatProvider
from agentports.providers._sse import SSEDecoder
from portproof.selftest import defect


@defect("STR-TERMINAL-EXACTLY-ONCE", wire="openai-chat")
class AddsAMarker(OpenAIChatProvider):
    """Ends the stream with a marker of its own, behind the terminal chunk."""

    async def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        async for chunk in super().stream(request, hooks):
            yield chunk
        yield chunk.model_copy(update={"token_index": chunk.token_index + 1})


@defect("STR-TERMINAL-EMPTY-CONTENT", wire="openai-chat")
class RepeatsTheLastPiece(OpenAIChatProvider):
    """Puts the last piece of text on the terminal chunk."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        last = state.text[-1] if state.text else ""
        return super().terminal_chunk(state, response).model_copy(update={"content": last})


@defect("STR-RESPONSE-ONLY-TERMINAL", wire="openai-chat")
class GrowingResponse(OpenAIChatProvider):
    """Attaches what there is so far to each chunk."""

    def text_chunks(self, state: Any, text: str) -> Any:
        for chunk in super().text_chunks(state, text):
            so_far = LLMResponse(content="".join(state.text), usage=Usage(), stop_reason="stop")
            yield chunk.model_copy(update={"response": so_far})


@defect("STR-RESPONSE-POPULATED", wire="openai-chat")
class TextAndDoneOnly(OpenAIChatProvider):
    """Says done, and leaves the answer to another call."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        return super().terminal_chunk(state, response).model_copy(update={"response": None})


@defect("STR-CONTENT-CONCATENATES", wire="openai-chat")
class StripsPieces(OpenAIChatProvider):
    """Takes the blanks off every piece that it yields."""

    def text_chunks(self, state: Any, text: str) -> Any:
        return [c.model_copy(update={"content": c.content.strip()}) for c in super().text_chunks(state, text)]


@defect("STR-CONTENT-CONCATENATES", wire="openai-chat")
class TakesRepetitionForANetworkFault(OpenAIChatProvider):
    """Drops a piece that equals the one before it."""

    def text_chunks(self, state: Any, text: str) -> Any:
        return () if state.text and state.text[-1] == text else super().text_chunks(state, text)


@defect("STR-TOKEN-INDEX-INCREASES", wire="openai-chat")
class CountsNothing(OpenAIChatProvider):
    """Every chunk has the index 0."""

    def next_index(self, state: Any) -> int:
        return 0


@defect("STR-TOKEN-INDEX-INCREASES", wire="openai-chat")
class RestartsAtTheEnd(OpenAIChatProvider):
    """The terminal chunk begins to count anew."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        return super().terminal_chunk(state, response).model_copy(update={"token_index": 0})


@defect("STR-EMPTY-ANSWER", wire="openai-chat")
class NothingForNothing(OpenAIChatProvider):
    """Yields nothing at all when there is no text."""

    async def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        async for chunk in super().stream(request, hooks):
            if not chunk.done or chunk.response.content:
                yield chunk


@defect("STR-EMPTY-ANSWER", wire="openai-chat")
class FillsTheBubble(OpenAIChatProvider):
    """Yields a blank when there is no text, so that something shows."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        return super().terminal_chunk(state, response).model_copy(update={"content": "" if state.text else " "})


@defect("STR-TEXT-BESIDE-CALLS", wire="openai-chat")
class CallsSilenceText(OpenAIChatProvider):
    """Returns no content as soon as there are calls."""

    def read_response(self, call: Any, document: Any) -> Any:
        response = super().read_response(call, document)
        return response.model_copy(update={"content": ""}) if response.tool_calls else response


@defect("STR-TEXT-BESIDE-CALLS", wire="openai-chat")
class TextSilencesCalls(OpenAIChatProvider):
    """Takes an answer whose stream began with text for a text answer."""

    def read_call_pieces(self, state: Any, pieces: Any) -> None:
        if not state.text:
            super().read_call_pieces(state, pieces)


@defect("STR-PARITY-COMPLETE", wire="openai-chat")
class StreamForgetsUsage(OpenAIChatProvider):
    """The stream's response states no tokens."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        return super().terminal_chunk(state, response.model_copy(update={"usage": Usage()}))


@defect("STR-PARITY-COMPLETE", wire="openai-chat")
class StreamForgetsCacheCounts(OpenAIChatProvider):
    """The stream's response states the tokens, but not which of them came from the cache."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        usage = response.usage.model_copy(update={"cache_read": None})
        return super().terminal_chunk(state, response.model_copy(update={"usage": usage}))


class _DecodesPackets(SSEDecoder):
    def feed(self, piece: bytes) -> Any:
        return super().feed(piece.decode("utf-8", "replace").encode())


@defect("STR-BYTE-SPLIT", wire="openai-chat")
class DecodesEachPacket(OpenAIChatProvider):
    """Decodes each packet on its own, characters that are cut included."""

    def new_stream(self, call: Any) -> Any:
        state = super().new_stream(call)
        state.decoder = _DecodesPackets()
        return state


class _ForgetsHalfLines(SSEDecoder):
    def feed(self, piece: bytes) -> Any:
        return super().feed(piece) + self.end()


@defect("STR-BYTE-SPLIT", wire="openai-chat")
class TakesPacketsForEvents(OpenAIChatProvider):
    """Expects every packet to end where an event ends."""

    def new_stream(self, call: Any) -> Any:
        state = super().new_stream(call)
        state.decoder = _ForgetsHalfLines()
        return state


class _LimitsLines(SSEDecoder):
    def feed(self, piece: bytes) -> Any:
        events = super().feed(piece)
        if len(self._tail) > 65_536:
            raise ValueError("the line is longer than the limit")
        return events


@defect("STR-BYTE-SPLIT", wire="openai-chat")
class RefusesLongLines(OpenAIChatProvider):
    """Buffers no more than 64 KiB of an event, as line readers do by default."""

    def new_stream(self, call: Any) -> Any:
        state = super().new_stream(call)
        state.decoder = _LimitsLines()
        return state
