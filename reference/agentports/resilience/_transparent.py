"""What every wrapper of one provider owes (document 11, section 1), and how an inner stream is read."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from typing import Any

from agentports.ports import LLMCallHooks, LLMChunk, LLMProvider, LLMRequest
from agentports.resilience._capabilities import can_stream, carry_over

__all__ = ["ChunkStream", "StreamMethod", "Transparent", "inner_stream"]

ChunkStream = AsyncGenerator[LLMChunk, None]
StreamMethod = Callable[..., ChunkStream]


def inner_stream(
    provider: Any, request: LLMRequest, hooks: LLMCallHooks | None
) -> AbstractAsyncContextManager[AsyncIterator[LLMChunk]]:
    """Open the provider's stream for `async with`, which closes it on every way out (where it can be closed)."""
    chunks = aiter(provider.stream(request, hooks))
    return nullcontext(chunks) if getattr(chunks, "aclose", None) is None else aclosing(chunks)


class Transparent:
    """Base of the wrappers of one provider: its capabilities, and its stream chunk by chunk. `complete` is theirs."""

    stream: StreamMethod  # set only where the inner provider can stream

    def __init__(self, inner: LLMProvider, name: str) -> None:
        self.name = name
        self._inner = inner
        carry_over(inner, self)
        if can_stream(inner):
            self.stream = self._stream

    async def _stream(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> ChunkStream:
        async with inner_stream(self._inner, request, hooks) as chunks:
            async for chunk in chunks:
                yield chunk
