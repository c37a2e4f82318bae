"""An inner provider that plays a script and records what it was asked, with virtual time and a hooks recorder."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from typing import Any

from agentports.ports import (
    AbortSignal,
    LLMCallHooks,
    LLMChunk,
    LLMMessage,
    LLMRequest,
    LLMResponse,
    ProviderError,
    Usage,
)

HANG = object()


def request(signal: AbortSignal | None = None, **fields: Any) -> LLMRequest:
    return LLMRequest(model="m", messages=[LLMMessage(role="user", content="hi")], signal=signal, **fields)


def answer(text: str = "ok", **fields: Any) -> LLMResponse:
    return LLMResponse(content=text, usage=Usage(input=1, output=2), stop_reason="stop", **fields)


def pieces(*texts: str) -> list[LLMChunk]:
    """A whole stream: the texts and the terminal chunk."""
    parts = [LLMChunk(token_index=index, content=text) for index, text in enumerate(texts)]
    return [*parts, LLMChunk(token_index=len(texts), done=True, response=answer("".join(texts)))]


def failure(status: int | None = 503, message: str = "unavailable", **fields: Any) -> ProviderError:
    return ProviderError(message, status=status, **fields)


class Recorder:
    """Hooks that keep what they are told, in one list for both channels."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.hooks = LLMCallHooks(on_replay_prepared=self.heard.append, on_resilience=self.heard.append)

    @property
    def kinds(self) -> list[str]:
        return [report["kind"] for report in self.heard]


class VirtualTime:
    """`sleep` and `clock` for wrappers. A sleep takes no real time."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


class Scripted:
    """Plays one entry of `script` a call, the last one for ever.

    For `complete` an entry is a response, an exception, `HANG`, or a function of (request, hooks) that gives one (and
    may be async). For `stream` it is a list of such steps with chunks in place of responses. With `streams=None` the
    provider cannot stream. `eager` raises a leading exception in the call of `stream()` itself.
    """

    def __init__(
        self,
        *script: Any,
        name: str = "p",
        streams: Iterable[Any] | None = None,
        eager: bool = False,
        class_based: bool = False,
        **capabilities: Any,
    ) -> None:
        self.name = name
        self.script = list(script)
        self.calls: list[tuple[str, LLMRequest, LLMCallHooks | None]] = []
        self.opened: list[PlayedStream] = []
        self._streams = None if streams is None else list(streams)
        self._eager = eager
        self._class_based = class_based
        if streams is not None:
            self.stream = self._stream
        for member, value in capabilities.items():
            setattr(self, member, value)

    async def complete(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> LLMResponse:
        self.calls.append(("complete", request, hooks))
        played: LLMResponse = await _play(_next(self.script), request, hooks)
        return played

    def _stream(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> AsyncIterator[LLMChunk]:
        self.calls.append(("stream", request, hooks))
        assert self._streams is not None
        steps = _next(self._streams)
        if self._eager and isinstance(steps[0], Exception):
            raise steps[0]
        played = PlayedStream(steps, request, hooks)
        self.opened.append(played)
        return played if self._class_based else played.generate()


class PlayedStream:
    """One inner stream: an iterator of its own, without `aclose`, or the source of a generator."""

    def __init__(self, steps: list[Any], request: LLMRequest, hooks: LLMCallHooks | None) -> None:
        self.closed = False
        self._steps = iter(steps)
        self._context = (request, hooks)

    def __aiter__(self) -> PlayedStream:
        return self

    async def __anext__(self) -> LLMChunk:
        for step in self._steps:
            chunk = await _play(step, *self._context)
            if chunk is not None:
                return chunk  # type: ignore[no-any-return]
        raise StopAsyncIteration

    async def generate(self) -> AsyncGenerator[LLMChunk, None]:
        try:
            async for chunk in self:
                yield chunk
        finally:
            await asyncio.sleep(0)  # closing takes a turn of the loop, as closing a connection does
            self.closed = True


async def read(stream: AsyncIterator[LLMChunk]) -> list[LLMChunk]:
    return [chunk async for chunk in stream]


async def _play(step: Any, request: LLMRequest, hooks: LLMCallHooks | None) -> Any:
    if step is HANG:
        await asyncio.Event().wait()
    if callable(step):
        given = step(request, hooks)
        return await _play(await given if inspect.isawaitable(given) else given, request, hooks)
    if isinstance(step, BaseException):
        raise step
    return step


def _next(script: list[Any]) -> Any:
    return script.pop(0) if len(script) > 1 else script[0]
