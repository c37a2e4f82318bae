"""Wrappers that mistreat hooks and callbacks."""

from __future__ import annotations

import contextlib
from typing import Any

from portproof.selftest import defect

from ._breaker import Breaker
from ._fallback import Chain
from ._retry import Call, Retry


@defect("RES-HOOK-ERROR-PROPAGATES", kind="retry")
class SwallowsWhatHooksRaise(Retry):
    """An exception of on_resilience is dropped."""

    def report(self, call: Call, fact: dict[str, Any]) -> None:
        with contextlib.suppress(Exception):
            super().report(call, fact)


@defect("RES-HOOK-ERROR-PROPAGATES", kind="retry")
class SwallowsWhatCallbacksRaise(Retry):
    """An exception of on_retry is dropped."""

    def call_back(self, call: Call, error: Exception, delay_ms: float) -> None:
        with contextlib.suppress(Exception):
            super().call_back(call, error, delay_ms)


@defect("RES-HOOK-ERROR-IS-NOT-FAILURE", kind="retry")
class RetriesWhenTheListenerFails(Retry):
    """The recovery is reported inside the try block of the call, as 9.62.0 does."""

    async def ask(self, call: Call) -> Any:
        response = await super().ask(call)
        super().succeeded(call)
        return response

    def succeeded(self, call: Call) -> None:
        pass


@defect("RES-HOOK-ERROR-IS-NOT-FAILURE", kind="fallback")
class AsksTheNextWhenTheListenerFails(Chain):
    """A hop is reported inside the try block of the next provider's call."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        failed: Exception | None = None
        for position, inner in enumerate(self.inners):
            try:
                if failed is not None:
                    self.announce(position - 1, failed, hooks)
                return await inner.complete(request, hooks)
            except Exception as error:
                if inner is self.inners[-1] or not self.accepts(error):
                    raise
                failed = error
        return None


@defect("RES-HOOK-ERROR-IS-NOT-FAILURE", kind="circuit-breaker")
class OpensWhenTheListenerFails(Breaker):
    """The circuit is closed, and this reported, inside the try block of the call."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            self.admit(hooks)
            response = await self.inner.complete(request, hooks)
            self.succeeded(hooks)
        except Exception as error:
            self.call_failed(error, hooks)
            raise
        return response


@defect("RES-CALLBACKS-WITHOUT-HOOKS", kind="retry")
class CallsBackForAnAudience(Retry):
    """on_retry is called from the path of the report."""

    def call_back(self, call: Call, error: Exception, delay_ms: float) -> None:
        if call.hooks is not None:
            super().call_back(call, error, delay_ms)
