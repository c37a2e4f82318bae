"""`with_fallback`: a second provider when the first fails, and chains of such pairs (document 11, section 4)."""

from __future__ import annotations

from collections.abc import Callable

from agentports.ports import LLMCallHooks, LLMChunk, LLMProvider, LLMRequest, LLMResponse
from agentports.resilience._capabilities import can_stream, publish_pair
from agentports.resilience._failures import acts_on
from agentports.resilience._listeners import consult, message_of, report
from agentports.resilience._transparent import ChunkStream, StreamMethod, inner_stream

__all__ = ["fallback_provider", "with_fallback"]

ShouldFallback = Callable[[Exception], bool]
OnFallback = Callable[[Exception], object]


def with_fallback(
    primary: LLMProvider,
    fallback: LLMProvider,
    *,
    should_fallback: ShouldFallback | None = None,
    on_fallback: OnFallback | None = None,
) -> LLMProvider:
    """Ask the fallback when the primary fails, in a stream only before its first chunk.

    `should_fallback(error)` replaces the default, which accepts everything but an abort. `on_fallback(error)` is called
    before the report and before the fallback.
    """
    return _Pair(primary, fallback, should_fallback, on_fallback)


def fallback_provider(
    *providers: LLMProvider,
    name: str | None = None,
    should_fallback: ShouldFallback | None = None,
    on_fallback: OnFallback | None = None,
) -> LLMProvider:
    """Chain providers in order, as nested pairs. A single one is returned as it is.

    `name` is the chain's own name and appears in no report; the options apply to every hop.
    """
    if not providers:
        raise ValueError("fallback_provider needs at least one provider")
    first, *others = providers
    if not others:
        return first
    rest = fallback_provider(*others, should_fallback=should_fallback, on_fallback=on_fallback)
    return _Pair(first, rest, should_fallback, on_fallback, name)


class _Pair:
    stream: StreamMethod  # set only where a side can stream

    def __init__(
        self,
        primary: LLMProvider,
        fallback: LLMProvider,
        should_fallback: ShouldFallback | None,
        on_fallback: OnFallback | None,
        name: str | None = None,
    ) -> None:
        self.name = f"{primary.name}|{fallback.name}" if name is None else name
        self._primary = primary
        self._fallback = fallback
        self._should_fallback = should_fallback
        self._on_fallback = on_fallback
        publish_pair(primary, fallback, self)
        if can_stream(primary) or can_stream(fallback):
            self.stream = self._stream

    async def complete(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> LLMResponse:
        try:
            return await self._primary.complete(request, hooks)
        except Exception as error:
            if not acts_on(error, request, hooks, self._should_fallback):
                raise
            self._announce(error, hooks)
        return await self._fallback.complete(request, hooks)

    async def _stream(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> ChunkStream:
        if can_stream(self._primary):
            committed = False
            try:
                async with inner_stream(self._primary, request, hooks) as chunks:
                    async for chunk in chunks:
                        committed = True
                        yield chunk
                return
            except Exception as error:
                if committed or not acts_on(error, request, hooks, self._should_fallback):
                    raise
                self._announce(error, hooks)
        if can_stream(self._fallback):
            async with inner_stream(self._fallback, request, hooks) as chunks:
                async for chunk in chunks:
                    yield chunk
        else:
            response = await self._fallback.complete(request, hooks)
            yield LLMChunk(token_index=0, content="", done=True, response=response)

    def _announce(self, error: Exception, hooks: LLMCallHooks | None) -> None:
        if self._on_fallback is not None:
            consult(self._on_fallback, error)
        report(
            hooks,
            {
                "kind": "fell-back",
                "primary": self._primary.name,
                "fallback": self._fallback.name,
                "reason": message_of(error),
            },
        )
