"""Correct fallbacks, each different inside."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from types import SimpleNamespace
from typing import Any

from agentports.ports import LLMChunk
from agentports.resilience._capabilities import publish_pair
from tests.defects._fallback import Chain, Pair

__all__ = [
    "LoopOverList",
    "SaysTextFirst",
    "ServesCompleteAsOneChunk",
    "SilentPair",
    "SkipsWhoCannotStream",
    "closures",
]


class ServesCompleteAsOneChunk(Pair):
    """When the primary cannot stream, its answer is the stream."""


class LoopOverList(Chain):
    """One class for any number of providers, which it tries in a loop."""

    def __init__(
        self,
        inners: Sequence[Any],
        name: str | None = None,
        should_fallback: Callable[[Exception], bool] | None = None,
        on_fallback: Callable[[Exception], object] | None = None,
    ) -> None:
        super().__init__(tuple(inners), name, should_fallback, on_fallback)


class SaysTextFirst(Pair):
    """Yields the text of an answer before the terminal chunk, where a stream comes from complete."""

    async def chunks_of_complete(self, inner: Any, request: Any, hooks: Any) -> AsyncIterator[Any]:
        response = await inner.complete(request, hooks)
        middle = len(response.content) // 2
        for index, text in enumerate((response.content[:middle], response.content[middle:])):
            yield LLMChunk(token_index=index, content=text)
        yield LLMChunk(token_index=2, done=True, response=response)


class SkipsWhoCannotStream(Pair):
    """When the primary cannot stream, the fallback's stream serves and nothing is said."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        if self.can_stream(self.primary) or not self.can_stream(self.fallback):
            source = super()._stream(request, hooks)
        else:
            source = self.fallback.stream(request, hooks)
        try:
            async for chunk in source:
                yield chunk
        finally:
            await source.aclose()


class SilentPair(Pair):
    """Reports nothing, and has a callback only."""

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        pass


def closures(primary: Any, fallback: Any, on_fallback: Any = None) -> Any:
    """A pair of nested functions, with one function that decides and tells, and a stream that peeks."""

    def give_up_on_primary(error: Exception, hooks: Any) -> bool:
        if any(kind.__name__ == "AbortError" for kind in type(error).__mro__) or vars(error).get("code") == "ABORT_ERR":
            return False
        if on_fallback:
            on_fallback(error)
        listener = getattr(hooks, "on_resilience", None) or (lambda _: None)
        reason = str(error) or type(error).__name__
        listener({"kind": "fell-back", "primary": primary.name, "fallback": fallback.name, "reason": reason})
        return True

    async def complete(request: Any, hooks: Any = None) -> Any:
        try:
            return await primary.complete(request, hooks)
        except Exception as error:
            if not give_up_on_primary(error, hooks):
                raise
        return await fallback.complete(request, hooks)

    async def stream(request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        source, first = None, None
        if getattr(primary, "stream", None):
            try:
                source = aiter(primary.stream(request, hooks))
                first = await anext(source, None)
            except Exception as error:
                if not give_up_on_primary(error, hooks):
                    raise
                source = None
        if source is None and not getattr(fallback, "stream", None):
            yield LLMChunk(token_index=0, done=True, response=await fallback.complete(request, hooks))
            return
        source = source or aiter(fallback.stream(request, hooks))
        try:
            if first is not None:
                yield first
            async for chunk in source:
                yield chunk
        finally:
            if hasattr(source, "aclose"):
                await source.aclose()

    pair = SimpleNamespace(name=f"{primary.name}|{fallback.name}", complete=complete)
    if getattr(primary, "stream", None) or getattr(fallback, "stream", None):
        pair.stream = stream
    publish_pair(primary, fallback, pair)
    return pair
