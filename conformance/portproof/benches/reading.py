"""A stream read step by step, for rules about what happens in its middle."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable
from types import TracebackType
from typing import Any, Self, TypeVar

from agentports.ports import LLMRequest
from portproof.benches.provider import ProviderBench
from portproof.benches.views import ChunkView
from portproof.running.guard import Hung
from portproof.running.outcome import NotApplicable, Violation
from portproof.running.plain import plain, told

__all__ = ["Reader"]

T = TypeVar("T")


class Reader:
    """An open stream: `async with Reader(bench) as reader`. It is closed at the end of the body."""

    def __init__(self, bench: ProviderBench, request: LLMRequest | None = None) -> None:
        if not bench.driver.can_stream:
            raise NotApplicable("the subject declares no stream")
        self._bench = bench
        self._stream: AsyncGenerator[Any, None] = bench.driver.stream(request or bench.request())
        #: The visible text so far.
        self.text = ""
        #: The chunk that came last.
        self.last: ChunkView | None = None

    async def next(self, meanwhile: str = "a chunk is due") -> ChunkView | None:
        """The next chunk, None at the end. A stream that stalls hangs, with what the vendor did in the message."""
        try:
            raw = await self._promptly(anext(self._stream, None), f"the stream stalls while {meanwhile}")
        except Exception as error:
            raise Violation(f"the stream raised {told(error)}", raised=plain(error)) from error
        return None if raw is None else self._take(raw)

    async def read_text(self, length: int, meanwhile: str) -> None:
        """Read until so many characters of text are there. Raises a `Violation` when the stream ends before."""
        while len(self.text) < length:
            if await self.next(meanwhile) is None:
                raise Violation(f"the stream ended while {meanwhile}", text=self.text)

    async def error(self, after: str) -> BaseException | None:
        """Read on; what ends the stream, None when it ends by itself."""
        try:
            while True:
                raw = await self._promptly(anext(self._stream, None), f"the stream goes on waiting after {after}")
                if raw is None:
                    return None
                self._take(raw)
        except Exception as error:
            return error

    async def close(self) -> None:
        """Close the iterator, as a consumer does that has read enough."""
        try:
            await self._promptly(self._stream.aclose(), "closing the iterator does not return")
        except Exception as error:
            raise Violation(f"closing the stream raised {told(error)}", raised=plain(error)) from error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if exc is None:
            await self.close()
            return
        # What broke the body is to be told, not what closing comes to after it.
        with contextlib.suppress(Exception, Hung):
            await self.close()

    def _take(self, raw: Any) -> ChunkView:
        chunk = self.last = ChunkView.of(raw)
        self.text += chunk.content if isinstance(chunk.content, str) else ""
        return chunk

    async def _promptly(self, step: Awaitable[T], otherwise: str) -> T:
        """Await a step, for half of the example's time at most."""
        try:
            async with asyncio.timeout(self._bench.deadline / 2) as limit:
                return await step
        except Exception:
            # Whatever interrupting the subject made it raise, it came of the wait.
            if limit.expired():
                raise Hung(otherwise) from None
            raise
