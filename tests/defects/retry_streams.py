"""Retry wrappers that do more with a stream than pass it through."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from portproof_defects._retry import Call, Retry

from portproof.selftest import defect


@defect("RES-RETRY-STREAM-ONE-ATTEMPT", kind="retry")
class StartsTheStreamOver(Retry):
    """A stream that breaks off is opened again, and its text comes twice."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        begun = False
        try:
            async for chunk in super()._stream(request, hooks):
                begun = True
                yield chunk
        except Exception:
            if not begun:
                raise
            async for chunk in super()._stream(request, hooks):
                yield chunk


@defect("RES-RETRY-STREAM-ONE-ATTEMPT", kind="retry")
class TakesThoughtsForNothing(Retry):
    """A stream is opened again as long as no text has come, although thoughts were shown."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        thought = text = False
        try:
            async for chunk in super()._stream(request, hooks):
                thought, text = True, text or bool(chunk.content)
                yield chunk
        except Exception:
            if text or not thought:
                raise
            async for chunk in super()._stream(request, hooks):
                yield chunk


@defect("RES-RETRY-STREAM-NO-EARLY-RETRY", kind="retry")
class RetriesBeforeTheFirstChunk(Retry):
    """A stream that fails before its first chunk is opened again."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        begun = False
        try:
            async for chunk in super()._stream(request, hooks):
                begun = True
                yield chunk
        except Exception:
            if begun:
                raise
            async for chunk in super()._stream(request, hooks):
                yield chunk


@defect("RES-RETRY-STREAM-SILENT", kind="retry")
class ReportsARetryOfAStream(Retry):
    """A retry is reported before the stream is given up."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        try:
            async for chunk in super()._stream(request, hooks):
                yield chunk
        except Exception as error:
            call = Call(request, hooks, self.clock(), attempt=1)
            self.report(call, self.retried(call, error, 0))
            raise
