"""Retry wrappers that do more with a stream than pass it through."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from portproof.selftest import defect

from ._retry import Call, Retry


class SecondChances(Retry):
    """Opens a stream again when it fails, where `again` says so of the chunks that it gave; none does."""

    def again(self, chunks: list[Any]) -> bool:
        return False

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        given: list[Any] = []
        try:
            async with aclosing(super()._stream(request, hooks)) as chunks:
                async for chunk in chunks:
                    given.append(chunk)
                    yield chunk
        except Exception:
            if not self.again(given):
                raise
            async with aclosing(super()._stream(request, hooks)) as chunks:
                async for chunk in chunks:
                    yield chunk


@defect("RES-RETRY-STREAM-ONE-ATTEMPT", kind="retry")
class StartsTheStreamOver(SecondChances):
    """A stream that breaks off is opened again, and its text comes twice."""

    def again(self, chunks: list[Any]) -> bool:
        return bool(chunks)


@defect("RES-RETRY-STREAM-ONE-ATTEMPT", kind="retry")
class TakesThoughtsForNothing(SecondChances):
    """A stream is opened again as long as no text has come, although thoughts were shown."""

    def again(self, chunks: list[Any]) -> bool:
        return bool(chunks) and not any(chunk.content for chunk in chunks)


@defect("RES-RETRY-STREAM-NO-EARLY-RETRY", kind="retry")
class RetriesBeforeTheFirstChunk(SecondChances):
    """A stream that fails before its first chunk is opened again."""

    def again(self, chunks: list[Any]) -> bool:
        return not chunks


@defect("RES-RETRY-STREAM-SILENT", kind="retry")
class ReportsARetryOfAStream(Retry):
    """A retry is reported before the stream is given up."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        try:
            async with aclosing(super()._stream(request, hooks)) as chunks:
                async for chunk in chunks:
                    yield chunk
        except Exception as error:
            call = Call(request, hooks, self.clock(), attempt=1)
            self.report(call, self.retried(call, error, 0))
            raise
