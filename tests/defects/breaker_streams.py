"""Circuit breakers that misjudge streams."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from portproof_defects._breaker import Breaker

from portproof.selftest import defect


@defect("RES-BREAKER-STREAM-EARLY-FAILURE-COUNTS", kind="circuit-breaker")
class CountsInCompleteOnly(Breaker):
    """Ignores streams that fail before their first chunk."""

    def stream_failed(self, error: BaseException, begun: bool, hooks: Any) -> None:
        pass


@defect("RES-BREAKER-STREAM-EARLY-FAILURE-COUNTS", kind="circuit-breaker")
class OpensTheInnerStreamUnguarded(Breaker):
    """Ignores what the call of the inner stream() itself raises."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        self.admit_stream(hooks)
        opened = self.inner.stream(request, hooks)
        begun = False
        try:
            async with aclosing(opened) as chunks:
                async for chunk in chunks:
                    begun = True
                    if chunk.done:
                        self.stream_done(hooks)
                    yield chunk
        except Exception as error:
            self.stream_failed(error, begun, hooks)
            raise


@defect("RES-BREAKER-STREAM-LATE-FAILURE-IGNORED", kind="circuit-breaker")
class CountsLateFailures(Breaker):
    """Counts whatever a stream raises, and whenever."""

    def stream_failed(self, error: BaseException, begun: bool, hooks: Any) -> None:
        self.call_failed(error, hooks)


@defect("RES-BREAKER-STREAM-LATE-FAILURE-IGNORED", kind="circuit-breaker")
class HealsAtTheFirstChunk(Breaker):
    """Takes a stream that began for a success, whatever comes after."""

    def stream_failed(self, error: BaseException, begun: bool, hooks: Any) -> None:
        if begun:
            self.succeeded(hooks)
        super().stream_failed(error, begun, hooks)


@defect("RES-BREAKER-STREAM-SUCCESS", kind="circuit-breaker")
class SucceedsInCompleteOnly(Breaker):
    """Records no success of a stream."""

    def stream_done(self, hooks: Any) -> None:
        pass

    def stream_exhausted(self, done: bool, hooks: Any) -> None:
        pass


@defect("RES-BREAKER-STREAM-SUCCESS", kind="circuit-breaker")
class CountsEveryStreamTwice(Breaker):
    """Records a success at the terminal chunk, and another one at the end."""

    def stream_exhausted(self, done: bool, hooks: Any) -> None:
        self.succeeded(hooks)


@defect("RES-BREAKER-STREAM-SUCCESS-AT-DONE", kind="circuit-breaker")
class WaitsForTheEnd(Breaker):
    """Records the success behind the loop, which a caller who stops at the terminal chunk never reaches."""

    def stream_done(self, hooks: Any) -> None:
        pass

    def stream_exhausted(self, done: bool, hooks: Any) -> None:
        self.succeeded(hooks)


@defect("RES-BREAKER-STREAM-ABANDONED-NEUTRAL", kind="circuit-breaker")
class CountsLeaving(Breaker):
    """Counts a stream that the caller closed as a failure."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        done = False
        async with aclosing(super()._stream(request, hooks)) as chunks:
            try:
                async for chunk in chunks:
                    done = done or chunk.done
                    yield chunk
            except GeneratorExit as error:
                if not done:
                    self.failed(error, hooks)
                raise


@defect("RES-BREAKER-STREAM-ABANDONED-NEUTRAL", kind="circuit-breaker")
class TakesLeavingForSuccess(Breaker):
    """Counts a stream that the caller closed as a success."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        done = False
        async with aclosing(super()._stream(request, hooks)) as chunks:
            try:
                async for chunk in chunks:
                    done = done or chunk.done
                    yield chunk
            except GeneratorExit:
                if not done:
                    self.succeeded(hooks)
                raise


@defect("RES-BREAKER-STREAM-REJECTED-WHEN-OPEN", kind="circuit-breaker")
class StreamsWhileOpen(Breaker):
    """Looks at the state in complete only."""

    def admit_stream(self, hooks: Any) -> None:
        pass


@defect("RES-BREAKER-STREAM-REJECTED-WHEN-OPEN", kind="circuit-breaker")
class DecidesWhenTheStreamIsMade(Breaker):
    """Admits a stream when it is made, and not when it is first read."""

    def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        self.admit(hooks)
        return super()._stream(request, hooks)

    def admit_stream(self, hooks: Any) -> None:
        pass


@defect("RES-STACK-BREAKER-UNDER-FALLBACK", kind="circuit-breaker")
class RejectsAsIfAborted(Breaker):
    """Rejects with an error that looks like an abort, so that no fallback serves."""

    def reject(self, hooks: Any) -> None:
        raise AbortError("circuit open")


class AbortError(Exception):
    """The class name alone makes it an abort."""
