"""Wrappers that mistreat the stream inside them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from agentports.ports import LLMChunk
from portproof.selftest import defect

from ._fallback import Pair
from ._wrappers import Transparent


@defect("WRP-CHUNKS-UNCHANGED", kind="transparent")
class KnowsOldChunks(Transparent):
    """Yields index, content and done anew."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(super()._stream(request, hooks)) as chunks:
            async for chunk in chunks:
                yield LLMChunk(token_index=chunk.token_index, content=chunk.content, done=chunk.done)


@defect("WRP-CHUNKS-UNCHANGED", kind="transparent")
class SkipsEmptyChunks(Transparent):
    """Leaves out chunks without content, and with them the thinking."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(super()._stream(request, hooks)) as chunks:
            async for chunk in chunks:
                if chunk.content or chunk.done:
                    yield chunk


@defect("WRP-STREAM-UNBUFFERED", kind="transparent")
class CollectsChunks(Transparent):
    """Reads the whole stream before it yields the first chunk."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        for chunk in [chunk async for chunk in super()._stream(request, hooks)]:
            yield chunk


@defect("WRP-STREAM-UNBUFFERED", kind="transparent")
class HoldsTwoBack(Transparent):
    """Stays two chunks behind."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        held: list[Any] = []
        async with aclosing(super()._stream(request, hooks)) as chunks:
            async for chunk in chunks:
                held.append(chunk)
                if len(held) > 2:
                    yield held.pop(0)
        for chunk in held:
            yield chunk


@defect("WRP-STREAM-PRESENT-IFF-INNER", kind="transparent")
class StreamsAlways(Transparent):
    """Defines stream on the class."""

    def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        return super()._stream(request, hooks)


@defect("WRP-STREAM-PRESENT-IFF-INNER", kind="transparent")
class TakesNoneForAStream(Transparent):
    """Looks whether the inner provider has the attribute, not what it is."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        if hasattr(inner, "stream"):
            self.stream = self._stream


@defect("WRP-METHODS-CORRESPOND", kind="transparent")
class RemembersCertainAnswers(Transparent):
    """Answers an equal request from memory where the temperature is 0."""

    known: Any = None

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        if request.temperature != 0 or self.known is None or self.known[0] != request:
            self.known = request, await super().complete(request, hooks)
        return self.known[1]


@defect("WRP-METHODS-CORRESPOND", kind="transparent")
class StreamsByComplete(Transparent):
    """Implements stream by complete."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        yield LLMChunk(token_index=0, done=True, response=await self.complete(request, hooks))


@defect("WRP-METHODS-CORRESPOND", kind="transparent")
class AsksTwice(Transparent):
    """Asks once to see whether the provider is up."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        await super().complete(request, None)
        return await super().complete(request, hooks)


@defect("WRP-STREAM-CLOSE-PROPAGATES", kind="transparent")
class LeavesTheInnerStreamOpen(Transparent):
    """A bare loop over the inner stream."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async for chunk in self.inner.stream(request, hooks):
            yield chunk


@defect("WRP-STREAM-CLOSE-PROPAGATES", kind="transparent")
class ClosesLater(Transparent):
    """Closes the inner stream some time after its own is closed."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        chunks = self.inner.stream(request, hooks)
        try:
            async for chunk in chunks:
                yield chunk
        finally:
            self.closing = asyncio.ensure_future(chunks.aclose())


@defect("WRP-STREAM-CLOSE-PROPAGATES", kind="transparent")
class PumpsOn(Transparent):
    """Reads the inner stream in a task that nobody cancels."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        queue: asyncio.Queue[Any] = asyncio.Queue(1)

        async def pump() -> None:
            try:
                async for chunk in super(PumpsOn, self)._stream(request, hooks):
                    await queue.put(chunk)
            except Exception as error:
                await queue.put(error)
            await queue.put(None)

        self.pumping = asyncio.ensure_future(pump())
        while (item := await queue.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item


@defect("WRP-STREAM-LAZY", kind="transparent")
class StartsStreamsEarly(Transparent):
    """Takes the first chunk in the call of stream()."""

    def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        chunks = super()._stream(request, hooks)
        first = asyncio.ensure_future(anext(chunks, None))

        async def rest() -> AsyncIterator[Any]:
            if (chunk := await first) is not None:
                yield chunk
            async with aclosing(chunks):
                async for chunk in chunks:
                    yield chunk

        return rest()


@defect("WRP-STREAM-LAZY")
class DecidesEarly(Pair):
    """Opens the primary's stream in the call of stream()."""

    def __init__(self, primary: Any, fallback: Any) -> None:
        super().__init__(primary, fallback)
        self.early: dict[int, Any] = {}

    def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        if self.can_stream(self.primary):
            self.early[id(request)] = self.primary.stream(request, hooks)
        return super()._stream(request, hooks)

    def opened(self, inner: Any, request: Any, hooks: Any) -> Any:
        return self.early.pop(id(request)) if inner is self.primary else super().opened(inner, request, hooks)


@defect("WRP-PAIR-STREAM-PRESENCE")
class StreamsWhenBothDo(Pair):
    """Needs both sides to stream."""

    def __init__(self, primary: Any, fallback: Any) -> None:
        super().__init__(primary, fallback)
        if not (self.can_stream(primary) and self.can_stream(fallback)):
            self.stream = None  # type: ignore[assignment]


@defect("WRP-PAIR-STREAM-PRESENCE")
class StandsInWithoutAResponse(Pair):
    """Ends the stream that a complete stands in for without its response."""

    async def chunks_of_complete(self, inner: Any, request: Any, hooks: Any) -> AsyncIterator[Any]:
        response = await inner.complete(request, hooks)
        yield LLMChunk(token_index=0, content=response.content)
        yield LLMChunk(token_index=1, done=True)
