"""Wrappers that lose or bend the caller's hooks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from agentports.ports import LLMCallHooks, LLMChunk
from portproof.selftest import defect

from ._fallback import Pair
from ._wrappers import Retrying, Transparent


@defect("WRP-HOOKS-FORWARDED", kind="transparent")
class DropsHooksInComplete(Transparent):
    """Declares hooks and calls the inner provider without them."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return await self.inner.complete(request)


@defect("WRP-HOOKS-FORWARDED", kind="transparent")
class RepeatsReports(Transparent):
    """Hands in hooks of its own, which tell the caller everything, resilience twice."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        def tell(report: Any) -> None:
            for _ in range(2):
                hooks.on_resilience(report)

        speaks = getattr(hooks, "on_resilience", None) is not None
        own = LLMCallHooks(getattr(hooks, "on_replay_prepared", None), tell if speaks else None)
        return await self.inner.complete(request, own)


@defect("WRP-HOOKS-FORWARDED-STREAM", kind="transparent")
class DropsHooksInStream(Transparent):
    """Forwards the hooks in complete only."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(super()._stream(request)) as chunks:
            async for chunk in chunks:
                yield chunk


@defect("WRP-HOOKS-FORWARDED-STREAM", kind="transparent")
class GoesDeafAfterTheFirstChunk(Transparent):
    """Forwards what is said before the first chunk."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        begun: list[Any] = []

        def relay(channel: str) -> Any:
            listener = getattr(hooks, channel, None)
            return listener and (lambda payload: begun or listener(payload))

        own = LLMCallHooks(relay("on_replay_prepared"), relay("on_resilience"))
        async with aclosing(super()._stream(request, own)) as chunks:
            async for chunk in chunks:
                begun.append(chunk)
                yield chunk


@defect("WRP-HOOKS-BOTH-CHANNELS", kind="transparent")
class KnowsOneChannel(Transparent):
    """Builds new hooks with on_resilience alone."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        own = LLMCallHooks(on_resilience=getattr(hooks, "on_resilience", None))
        return await super().complete(request, own)


@defect("WRP-HOOKS-BOTH-CHANNELS", kind="transparent")
class ReportsPreparations(Transparent):
    """Tells on_resilience of preparations that nobody else listens to."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        report, prepared = (getattr(hooks, name, None) for name in ("on_resilience", "on_replay_prepared"))
        return await super().complete(request, LLMCallHooks(prepared or report, report))


@defect("WRP-HOOKS-NOT-INVENTED", kind="retry")
class NeedsHooks(Retrying):
    """Reports a retry without looking whether there are hooks."""

    def report(self, hooks: Any, fact: dict[str, Any]) -> None:
        if hooks is None or getattr(hooks, "on_resilience", None) is not None:
            hooks.on_resilience(fact)


@defect("WRP-HOOKS-PARTIAL", kind="retry")
class NeedsBothHooks(Retrying):
    """Calls hooks.on_resilience whenever hooks is not None."""

    def report(self, hooks: Any, fact: dict[str, Any]) -> None:
        if hooks is not None:
            hooks.on_resilience(fact)


@defect("WRP-HOOKS-EVERY-INNER-CALL", kind="retry")
class ForgetsHooksWhenRetrying(Retrying):
    """Passes the hooks to the first attempt only."""

    async def ask(self, attempt: int, request: Any, hooks: Any) -> Any:
        return await super().ask(attempt, request, hooks if attempt == 1 else None)


@defect("WRP-HOOKS-EVERY-INNER-CALL")
class ForgetsHooksOfTheStandIn(Pair):
    """Calls the complete that stands in for a stream without the hooks."""

    async def chunks_of_complete(self, inner: Any, request: Any, hooks: Any) -> AsyncIterator[Any]:
        yield LLMChunk(token_index=0, done=True, response=await inner.complete(request))
