"""Fallbacks that take over a stream when they should not, or do not when they should."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from portproof_defects._fallback import Pair

from agentports.ports import LLMChunk
from portproof.selftest import defect


@defect("RES-FALLBACK-STREAM-BEFORE-FIRST-CHUNK")
class NeverFallsBackInStreams(Pair):
    """Raises whatever the primary's stream raises."""

    def accepts_in_stream(self, error: BaseException) -> bool:
        return self.should_fallback is not None and self.accepts(error)


@defect("RES-FALLBACK-STREAM-BEFORE-FIRST-CHUNK")
class BeginsWithAnEmptyChunk(Pair):
    """Tells the caller of the change by a chunk of its own."""

    async def chunks(self, inner: Any, request: Any, hooks: Any) -> AsyncIterator[Any]:
        if inner is self.fallback:
            yield LLMChunk(token_index=0)
        async with aclosing(super().chunks(inner, request, hooks)) as chunks:
            async for chunk in chunks:
                yield chunk


@defect("RES-FALLBACK-STREAM-SETUP-ERROR")
class OpensTheStreamOutside(Pair):
    """Opens the primary's stream outside the try block."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        opened = self.primary.stream(request, hooks) if self.can_stream(self.primary) else None
        self.opened_first = opened
        async with aclosing(super()._stream(request, hooks)) as chunks:
            async for chunk in chunks:
                yield chunk

    def opened(self, inner: Any, request: Any, hooks: Any) -> Any:
        return self.opened_first if inner is self.primary else super().opened(inner, request, hooks)


@defect("RES-FALLBACK-STREAM-PINNED")
class StartsOver(Pair):
    """Falls back after text of the primary has been passed on, and doubles the output."""

    def pins(self, chunk: Any) -> bool:
        return bool(chunk.done or not chunk.content)


@defect("RES-FALLBACK-STREAM-PINNED")
class EndsQuietly(Pair):
    """Ends a stream that fails after a chunk as if it were complete."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        begun = False
        try:
            async with aclosing(super()._stream(request, hooks)) as chunks:
                async for chunk in chunks:
                    begun = True
                    yield chunk
        except Exception:
            if not begun:
                raise


@defect("RES-FALLBACK-STREAM-PINNED-BY-ANY-CHUNK")
class WaitsForText(Pair):
    """Takes a stream for begun at its first text only."""

    def pins(self, chunk: Any) -> bool:
        return bool(chunk.done or chunk.content)


@defect("RES-FALLBACK-STREAM-PINNED-BY-ANY-CHUNK")
class WaitsForSomething(Pair):
    """Does not take an empty chunk for a beginning."""

    def pins(self, chunk: Any) -> bool:
        return bool(chunk.done or chunk.content or chunk.thinking_delta)


@defect("RES-FALLBACK-STREAM-FROM-COMPLETE")
class StreamsWhatCannot(Pair):
    """Calls the fallback's stream although there is none."""

    def can_stream(self, provider: Any) -> bool:
        return provider is self.fallback or super().can_stream(provider)


@defect("RES-FALLBACK-STREAM-FROM-COMPLETE")
class CompletesWithoutHooks(Pair):
    """Asks the fallback's complete without the caller's hooks."""

    async def chunks_of_complete(self, inner: Any, request: Any, hooks: Any) -> AsyncIterator[Any]:
        async for chunk in super().chunks_of_complete(inner, request, None):
            yield chunk


@defect("RES-FALLBACK-NO-PRIMARY-STREAM-SILENT")
class TakesAbsenceForFailure(Pair):
    """Treats a primary without a stream as one that failed."""

    async def chunks_of_complete(self, inner: Any, request: Any, hooks: Any) -> AsyncIterator[Any]:
        if inner is self.primary:
            raise NotImplementedError("the primary cannot stream")
        async for chunk in super().chunks_of_complete(inner, request, hooks):
            yield chunk


@defect("RES-FALLBACK-STREAM-EMPTY-PRIMARY")
class WantsAChunk(Pair):
    """Falls back when the primary's stream ends without a chunk."""

    def ended(self, pinned: bool) -> bool:
        return pinned


@defect("RES-FALLBACK-ABANDONED-IS-NO-FAILURE")
class ServesWhoStopsReading(Pair):
    """Catches GeneratorExit, and asks the fallback when the caller closes the stream."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(super()._stream(request, hooks)) as chunks:
            try:
                async for chunk in chunks:
                    yield chunk
            except GeneratorExit as error:
                self.announce(0, error, hooks)
                await self.fallback.complete(request, hooks)
                raise
