"""A provider that plays a script: for tests of whatever stands above a provider."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any, NamedTuple

from agentports.ports import OPTIONAL_CAPABILITIES, LLMCallHooks, LLMChunk, LLMRequest, LLMResponse, Usage

__all__ = ["ScriptedCall", "ScriptedProvider"]

Reply = LLMResponse | BaseException | Sequence[LLMChunk | BaseException]


class ScriptedCall(NamedTuple):
    """One call as it came in."""

    method: str
    request: LLMRequest
    hooks: LLMCallHooks | None


class ScriptedProvider:
    """Gives one reply for each call, in order; a call more than there are replies raises `RuntimeError`.

    A reply is a response, an exception to raise, or the chunks of a stream, in which an exception may stand. Either
    method plays any of them: a response is streamed word by word, and `complete` returns the response of the terminal
    chunk. No reply is ever given twice, so that a caller that asks too often shows.

    Capabilities are given by their names in `OPTIONAL_CAPABILITIES`; those that are not given stay absent. With
    `streams=False` so does `stream`.
    """

    def __init__(
        self, replies: Iterable[Reply], *, name: str = "scripted", streams: bool = True, **capabilities: Any
    ) -> None:
        if unknown := capabilities.keys() - set(OPTIONAL_CAPABILITIES):
            raise TypeError(f"not a capability of a provider: {', '.join(sorted(unknown))}")
        self.name = name
        self.replies = list(replies)
        self.calls: list[ScriptedCall] = []
        for capability, value in capabilities.items():
            setattr(self, capability, value)
        if not streams:
            self.stream = None  # type: ignore[method-assign, assignment]  # a member that is None is absent

    @property
    def requests(self) -> list[LLMRequest]:
        """The requests of all calls so far."""
        return [call.request for call in self.calls]

    async def complete(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> LLMResponse:
        """Play the next reply as a whole."""
        reply = self._next("complete", request, hooks)
        return reply if isinstance(reply, LLMResponse) else _response_of(reply)

    async def stream(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> AsyncGenerator[LLMChunk, None]:
        """Play the next reply in pieces; it is taken at the first step of the iteration."""
        reply = self._next("stream", request, hooks)
        for chunk in _chunks_of(reply) if isinstance(reply, LLMResponse) else reply:
            if isinstance(chunk, BaseException):
                raise chunk
            if request.signal is not None:
                request.signal.raise_if_aborted()
            yield chunk

    def _next(
        self, method: str, request: LLMRequest, hooks: LLMCallHooks | None
    ) -> LLMResponse | Sequence[LLMChunk | BaseException]:
        if request.signal is not None:
            request.signal.raise_if_aborted()
        self.calls.append(ScriptedCall(method, request, hooks))
        if len(self.calls) > len(self.replies):
            raise RuntimeError(f"[{self.name}] call {len(self.calls)} came, but the script has {self._length()}")
        reply = self.replies[len(self.calls) - 1]
        if isinstance(reply, BaseException):
            raise reply
        return reply

    def _length(self) -> str:
        return "1 reply" if len(self.replies) == 1 else f"{len(self.replies)} replies"


def _response_of(chunks: Sequence[LLMChunk | BaseException]) -> LLMResponse:
    """Return the response of the terminal chunk; an old provider's chunks have none, only text."""
    text = []
    for chunk in chunks:
        if isinstance(chunk, BaseException):
            raise chunk
        if chunk.response is not None:
            return chunk.response
        text.append(chunk.content)
    return LLMResponse(content="".join(text), usage=Usage(), stop_reason="stop")


def _chunks_of(response: LLMResponse) -> list[LLMChunk]:
    words = [word for word in re.split(r"(?<=\s)(?=\S)", response.content) if word]
    chunks = [LLMChunk(token_index=index, content=word) for index, word in enumerate(words)]
    return [*chunks, LLMChunk(token_index=len(chunks), done=True, response=response)]
