"""Uniform access to a third party's provider, whatever it is made of: async or sync, iterators of either kind."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Any

from portproof.subjects.threads import in_thread

__all__ = ["Driver", "aclose", "is_present"]

_END = object()


def is_present(value: Any) -> bool:
    """Whether an optional member is there: absent and None are the same."""
    return value is not None


class Driver:
    """Calls `complete` and `stream` of a provider, in a thread where they are synchronous."""

    def __init__(self, provider: Any, *, synchronous: bool = False) -> None:
        self.provider = provider
        self.synchronous = synchronous

    def member(self, name: str) -> Any:
        """An optional member, or None."""
        return getattr(self.provider, name, None)

    @property
    def can_stream(self) -> bool:
        """Whether the provider has a stream member."""
        return is_present(self.member("stream"))

    async def complete(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """The answer, as the provider gave it."""
        if self.synchronous:
            return await in_thread(self.provider.complete, request, *args, **kwargs)
        answer = self.provider.complete(request, *args, **kwargs)
        return await answer if inspect.isawaitable(answer) else answer

    async def stream(self, request: Any, *args: Any, **kwargs: Any) -> AsyncGenerator[Any, None]:
        """The chunks, as the provider gives them; closing this closes the provider's iterator first."""
        iterator = await self.open_stream(request, *args, **kwargs)
        try:
            if isinstance(iterator, AsyncIterator):
                async for chunk in iterator:
                    yield chunk
            else:
                while (chunk := await in_thread(next, iterator, _END)) is not _END:
                    yield chunk
        finally:
            await aclose(iterator)

    async def open_stream(self, request: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any] | Iterator[Any]:
        """What `stream(...)` returns, as an iterator that nothing was taken from yet."""
        if self.synchronous:
            stream = await in_thread(self.provider.stream, request, *args, **kwargs)
        else:
            stream = self.provider.stream(request, *args, **kwargs)
        if hasattr(stream, "__aiter__"):
            asynchronous: AsyncIterator[Any] = stream.__aiter__()
            return asynchronous
        if inspect.iscoroutine(stream):
            stream.close()
            raise TypeError("stream(...) returned a coroutine; it must return an async iterator")
        blocking: Iterator[Any] = iter(stream)
        return blocking


async def aclose(iterator: Any) -> None:
    """Close an iterator of either kind, where it can be closed."""
    if hasattr(iterator, "aclose"):
        await iterator.aclose()
    elif hasattr(iterator, "close"):
        # A generator that hangs in its thread cannot be closed from another.
        with contextlib.suppress(ValueError):
            await in_thread(iterator.close)
