"""A provider that plays a script and remembers everything that was done to it: the inside of a wrapper under test."""

from __future__ import annotations

import asyncio
import inspect
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from agentports.ports import LLMChunk, LLMRequest, LLMResponse

__all__ = ["HANG", "AtCall", "Chunks", "InnerCall", "InstrumentedProvider", "Runaway", "Says", "Slow", "chunks_of"]

_MOST_CALLS = 500


class Runaway(BaseException):
    """The subject calls its inner provider without end."""


class _Hang:
    def __repr__(self) -> str:
        return "HANG"


#: Script step: never answer.
HANG = _Hang()


@dataclass(frozen=True)
class Chunks:
    """Script step of a stream: these chunks, then the end, an exception, or HANG. Callables among them are awaited."""

    chunks: Sequence[LLMChunk | Callable[[], Any]]
    then: Any = None


@dataclass(frozen=True)
class AtCall:
    """Script step: `stream(...)` itself raises, before any iteration."""

    error: BaseException


@dataclass(frozen=True)
class Slow:
    """Script step: wait so many seconds, then go on with the step."""

    seconds: float
    step: Any


@dataclass(frozen=True)
class Says:
    """Script step: make these (channel, payload) reports on the hooks that were handed in, then go on with the step.

    In a stream `between` is said after the first chunk and `after` when the last one was taken.
    """

    before: Sequence[tuple[str, Any]]
    step: Any
    between: Sequence[tuple[str, Any]] = ()
    after: Sequence[tuple[str, Any]] = ()


@dataclass
class InnerCall:
    """One call of the instrumented provider. `at` is the loop's time in seconds, `failed` whether its stream raised."""

    method: Literal["complete", "stream"]
    request: Any
    hooks: Any
    at: float
    step: Any = None
    started: bool = False
    finished: bool = False
    closed: bool = False
    failed: bool = False
    yielded: int = 0
    arguments: tuple[Any, ...] = field(default=())

    @property
    def left_open(self) -> bool:
        """Whether its stream was begun, and neither ended by itself nor was closed."""
        return self.started and not (self.finished or self.failed or self.closed)


class InstrumentedProvider:
    """Plays a script, the last step of which repeats; records its calls.

    A step is an `LLMResponse`, an exception, `Chunks`, `AtCall`, `Slow`, `Says`, `HANG`, or a function of the call that
    returns a step. `stream` is a member only when `streams`; capabilities are members only when given.
    """

    def __init__(self, *script: Any, name: str = "inner", streams: bool = True, **capabilities: Any) -> None:
        self.name = name
        self.calls: list[InnerCall] = []
        self._script = deque(script)
        if streams:
            self.stream = self._stream
        for member, value in capabilities.items():
            setattr(self, member, value)

    @property
    def completes(self) -> list[InnerCall]:
        """The calls of `complete`."""
        return [call for call in self.calls if call.method == "complete"]

    @property
    def streamed(self) -> list[InnerCall]:
        """The calls of `stream`."""
        return [call for call in self.calls if call.method == "stream"]

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        call = self._record("complete", request, hooks)
        call.started = True
        answer = await _play_complete(call, call.step)
        call.finished = True
        return answer

    def _stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[LLMChunk]:
        call = self._record("stream", request, hooks)
        if isinstance(call.step, AtCall):
            raise call.step.error
        return InnerStream(call)

    def _record(self, method: Literal["complete", "stream"], request: Any, hooks: Any) -> InnerCall:
        if len(self.calls) >= _MOST_CALLS:
            raise Runaway(f"the inner provider was called {_MOST_CALLS} times")
        call = InnerCall(method, request, hooks, asyncio.get_running_loop().time())
        self.calls.append(call)
        step = self._script.popleft() if len(self._script) > 1 else self._script[0]
        while inspect.isroutine(step):
            step = step(call)
        call.step = step
        return call


class InnerStream:
    """A stream of the instrumented provider: a class-based async iterator that knows how far it was read."""

    def __init__(self, call: InnerCall) -> None:
        self.call = call
        self._chunks = _play_stream(call, call.step)

    def __aiter__(self) -> InnerStream:
        return self

    async def __anext__(self) -> LLMChunk:
        self.call.started = True
        try:
            chunk = await self._chunks.__anext__()
        except StopAsyncIteration:
            self.call.finished = True
            raise
        except BaseException:
            self.call.failed = True
            raise
        self.call.yielded += 1
        return chunk

    async def aclose(self) -> None:
        self.call.closed = True
        await self._chunks.aclose()


async def _play_complete(call: InnerCall, step: Any) -> LLMResponse:
    if isinstance(step, Slow):
        await asyncio.sleep(step.seconds)
        return await _play_complete(call, step.step)
    if isinstance(step, Says):
        say(call.hooks, step.before)
        return await _play_complete(call, step.step)
    if isinstance(step, Chunks):
        last = step.chunks[-1] if step.chunks else None
        return await _play_complete(call, getattr(last, "response", None) or step.then)
    if isinstance(step, AtCall):
        raise step.error
    if isinstance(step, BaseException):
        raise step
    if step is HANG:
        await asyncio.get_running_loop().create_future()
    assert isinstance(step, LLMResponse), f"no response can be made of the script step {step!r}"
    return step


async def _play_stream(call: InnerCall, step: Any) -> AsyncGenerator[LLMChunk, None]:
    if isinstance(step, Slow):
        await asyncio.sleep(step.seconds)
        step = step.step
    between: Sequence[tuple[str, Any]] = ()
    after: Sequence[tuple[str, Any]] = ()
    if isinstance(step, Says):
        say(call.hooks, step.before)
        between, after, step = step.between, step.after, step.step
    if isinstance(step, LLMResponse):
        step = Chunks(chunks_of(step))
    elif not isinstance(step, Chunks):
        step = Chunks((), step)
    for position, chunk in enumerate(step.chunks):
        if callable(chunk):
            await chunk()
            continue
        yield chunk
        if position == 0:
            say(call.hooks, between)
    say(call.hooks, after)
    if isinstance(step.then, BaseException):
        raise step.then
    if step.then is HANG:
        await asyncio.get_running_loop().create_future()


def say(hooks: Any, reports: Sequence[tuple[str, Any]]) -> None:
    """Make reports on hooks that may be None or lack a member."""
    for channel, payload in reports:
        listener = getattr(hooks, channel, None)
        if listener is not None:
            listener(payload)


def chunks_of(response: LLMResponse) -> list[LLMChunk]:
    """The response as a stream: its content in pieces of up to five characters, then the terminal chunk."""
    pieces = [response.content[i : i + 5] for i in range(0, len(response.content), 5)]
    chunks = [LLMChunk(token_index=i, content=piece) for i, piece in enumerate(pieces)]
    return [*chunks, LLMChunk(token_index=len(chunks), done=True, response=response)]
