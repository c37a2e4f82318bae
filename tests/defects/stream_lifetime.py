"""Adapters that stream too early, too late or for too long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import AbortError, ProviderError
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("STR-INCREMENTAL", wire="openai-chat")
class CollectsFirst(OpenAIChatProvider):
    """Reads the whole body, then yields."""

    async def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        for chunk in [chunk async for chunk in super().stream(request, hooks)]:
            yield chunk


@defect("STR-LAZY", wire="openai-chat")
class AsksAtOnce(OpenAIChatProvider):
    """Starts the request in the call of stream()."""

    def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        chunks = super().stream(request, hooks)
        return _after(asyncio.ensure_future(chunks.__anext__()), chunks)


async def _after(first: Any, chunks: Any) -> AsyncIterator[Any]:
    yield await first
    async for chunk in chunks:
        yield chunk


async def _leave_open() -> None:
    """Do nothing."""


@defect("STR-CLOSE-RELEASES", wire="openai-chat")
class LeavesConnectionsOpen(OpenAIChatProvider):
    """Keeps the connection of a stream that nobody reads any more."""

    async def send(self, call: Any, *, streaming: bool) -> None:
        await super().send(call, streaming=streaming)
        if streaming:
            call.exchange.aclose = _leave_open
            vars(self).setdefault("left", []).append(call.exchange)


@defect("STR-ABORT-MID-STREAM", wire="openai-chat")
class LooksBetweenChunks(OpenAIChatProvider):
    """Looks at the signal only when a chunk has come."""

    def signal_of(self, request: Any) -> Any:
        return None

    async def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        async for chunk in super().stream(request, hooks):
            if request.signal is not None:
                request.signal.raise_if_aborted()
            yield chunk


@defect("STR-ABORT-MID-STREAM", wire="openai-chat")
class TakesAnAbortForAFault(OpenAIChatProvider):
    """Raises an abort as a failure of the provider, which a wrapper retries."""

    async def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        try:
            async for chunk in super().stream(request, hooks):
                yield chunk
        except AbortError as error:
            raise ProviderError(f"[{self.name}] the connection is closed", provider=self.name) from error


@defect("STR-INDEPENDENT-ITERATORS", wire="openai-chat")
class OneBufferForAll(OpenAIChatProvider):
    """Keeps the text of a stream on the provider."""

    def new_stream(self, call: Any) -> Any:
        state = super().new_stream(call)
        state.text = vars(self).setdefault("buffer", [])
        state.text.clear()
        return state
