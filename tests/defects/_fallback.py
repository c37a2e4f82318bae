"""Correct fallbacks to break: every method is one decision."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Any

from agentports.ports import LLMChunk
from agentports.resilience._capabilities import carry_over, publish_pair

__all__ = ["Chain", "Pair"]


class Chain:
    """Providers tried in order, in one loop. Defects override one member each."""

    def __init__(
        self,
        inners: Sequence[Any],
        name: str | None = None,
        should_fallback: Callable[[Exception], bool] | None = None,
        on_fallback: Callable[[Exception], object] | None = None,
    ) -> None:
        self.inners = list(inners)
        self.check()
        self.should_fallback = should_fallback
        self.on_fallback = on_fallback
        self.name = name or "|".join(inner.name for inner in self.inners)
        self.publish()
        if any(self.can_stream(inner) for inner in self.inners):
            self.stream = self._stream

    def check(self) -> None:
        """Refuse a chain of none."""
        if not self.inners:
            raise ValueError("a chain needs a provider")

    def publish(self) -> None:
        """Declare what all members keep."""
        if len(self.inners) == 1:
            carry_over(self.inners[0], self)
        elif self.inners:
            others = self.inners[1:]
            publish_pair(self.inners[0], others[0] if len(others) == 1 else Chain(others), self)

    # ---- decisions

    def can_stream(self, provider: Any) -> bool:
        return getattr(provider, "stream", None) is not None

    def accepts(self, error: BaseException) -> bool:
        """Whether the next one is asked after this error."""
        if self.should_fallback is not None:
            return self.should_fallback(error)
        return self.accepts_by_default(error)

    def accepts_by_default(self, error: BaseException) -> bool:
        return not self.is_abort(error)

    def is_abort(self, error: BaseException) -> bool:
        return type(error).__name__ == "AbortError" or getattr(error, "code", None) == "ABORT_ERR"

    def accepts_in_stream(self, error: BaseException) -> bool:
        return self.accepts(error)

    def pins(self, chunk: Any) -> bool:
        """Whether this chunk of a stream rules out the next provider."""
        return True

    def announce(self, position: int, error: BaseException, hooks: Any) -> None:
        """The provider at this position failed, and the next one is about to be asked."""
        if self.on_fallback is not None:
            self.on_fallback(error)
        self.report(position, error, hooks)

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        listener = getattr(hooks, "on_resilience", None)
        if listener is not None:
            primary, fallback = (inner.name for inner in self.inners[position : position + 2])
            reason = str(error) or type(error).__name__
            listener({"kind": "fell-back", "primary": primary, "fallback": fallback, "reason": reason})

    # ---- calls

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        *others, last = self.inners
        for position, inner in enumerate(others):
            try:
                return await inner.complete(request, hooks)
            except Exception as error:
                if not self.accepts(error):
                    raise
                self.announce(position, error, hooks)
        return await last.complete(request, hooks)

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        *others, last = self.inners
        for position, inner in enumerate(others):
            pinned = False
            try:
                async with aclosing(self.chunks(inner, request, hooks)) as chunks:
                    async for chunk in chunks:
                        pinned = pinned or self.pins(chunk)
                        yield chunk
                if self.ended(pinned):
                    return
            except Exception as error:
                if pinned or not self.accepts_in_stream(error):
                    raise
                self.announce(position, error, hooks)
        async with aclosing(self.chunks(last, request, hooks)) as chunks:
            async for chunk in chunks:
                yield chunk

    def ended(self, pinned: bool) -> bool:
        """Whether a stream that ended without an error is the answer."""
        return True

    async def chunks(self, inner: Any, request: Any, hooks: Any) -> AsyncIterator[Any]:
        """One provider's stream, or its answer as one terminal chunk where it has none."""
        if not self.can_stream(inner):
            async for chunk in self.chunks_of_complete(inner, request, hooks):
                yield chunk
            return
        async with aclosing(self.opened(inner, request, hooks)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def chunks_of_complete(self, inner: Any, request: Any, hooks: Any) -> AsyncIterator[Any]:
        yield LLMChunk(token_index=0, content="", done=True, response=await inner.complete(request, hooks))

    def opened(self, inner: Any, request: Any, hooks: Any) -> Any:
        return inner.stream(request, hooks)


class Pair(Chain):
    """Two providers, the second for when the first fails. Defects override one member each."""

    def __init__(
        self,
        primary: Any,
        fallback: Any,
        should_fallback: Callable[[Exception], bool] | None = None,
        on_fallback: Callable[[Exception], object] | None = None,
    ) -> None:
        super().__init__([primary, fallback], None, should_fallback, on_fallback)

    @property
    def primary(self) -> Any:
        return self.inners[0]

    @property
    def fallback(self) -> Any:
        return self.inners[1]
