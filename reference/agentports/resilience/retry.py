"""`with_retry`: the same request again after a passing failure (document 11, section 3)."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from agentports.ports import LLMCallHooks, LLMProvider, LLMRequest, LLMResponse, Retried
from agentports.resilience._failures import acts_on, failure_class, may_pass, stated_wait_ms
from agentports.resilience._listeners import consult, message_of, report
from agentports.resilience._transparent import Transparent
from agentports.resilience._waiting import Clock, Sleep, wait

__all__ = ["with_retry"]

ShouldRetry = Callable[[Exception, int], bool]
OnRetry = Callable[[Exception, int, float], object]


def with_retry(
    inner: LLMProvider,
    *,
    max_attempts: int = 3,
    initial_delay_ms: float = 200,
    backoff_factor: float = 2,
    max_delay_ms: float = 10_000,
    should_retry: ShouldRetry | None = None,
    on_retry: OnRetry | None = None,
    sleep: Sleep = asyncio.sleep,
    clock: Clock = time.monotonic,
) -> LLMProvider:
    """Repeat a failed `complete`; `stream` is passed through, one attempt.

    `should_retry(error, attempt)` replaces the default policy; `attempt` is the 1-based one that failed.
    `on_retry(error, next_attempt, delay_ms)` is called before the report and the wait.
    """
    schedule = _Schedule(initial_delay_ms, backoff_factor, max_delay_ms)
    return _Retry(inner, max(1, max_attempts), schedule, should_retry, on_retry, sleep, clock)


@dataclass(frozen=True)
class _Schedule:
    initial_delay_ms: float
    backoff_factor: float
    max_delay_ms: float

    def delay_ms(self, attempt: int, stated: float | None) -> float:
        """The wait after this attempt: exponential, at least what the failure stated, at most the cap."""
        try:
            scheduled = self.initial_delay_ms * self.backoff_factor ** (attempt - 1)
        except OverflowError:
            scheduled = math.inf
        return min(self.max_delay_ms, max(scheduled, stated or 0))


class _Retry(Transparent):
    def __init__(
        self,
        inner: LLMProvider,
        max_attempts: int,
        schedule: _Schedule,
        should_retry: ShouldRetry | None,
        on_retry: OnRetry | None,
        sleep: Sleep,
        clock: Clock,
    ) -> None:
        super().__init__(inner, f"{inner.name}+retry")
        self._max_attempts = max_attempts
        self._schedule = schedule
        self._should_retry = should_retry
        self._on_retry = on_retry
        self._sleep = sleep
        self._clock = clock

    async def complete(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> LLMResponse:
        began = self._clock()
        attempt = 0
        while True:
            attempt += 1
            try:
                response = await self._inner.complete(request, hooks)
            except Exception as error:
                if attempt == self._max_attempts or not self._accepts(error, attempt, request, hooks):
                    raise
                delay_ms = self._announce(error, attempt, hooks)
            else:
                if attempt > 1:
                    elapsed_ms = (self._clock() - began) * 1000
                    report(hooks, {"kind": "recovered", "attempt": attempt, "total_duration_ms": elapsed_ms})
                return response
            await wait(delay_ms / 1000, request.signal, self._sleep)

    def _accepts(self, error: Exception, attempt: int, request: LLMRequest, hooks: LLMCallHooks | None) -> bool:
        accepted = acts_on(error, request, hooks, self._should_retry, attempt)
        return accepted and (self._should_retry is not None or may_pass(error))

    def _announce(self, error: Exception, attempt: int, hooks: LLMCallHooks | None) -> float:
        stated = stated_wait_ms(error)
        delay_ms = self._schedule.delay_ms(attempt, stated)
        if self._on_retry is not None:
            consult(self._on_retry, error, attempt + 1, delay_ms)
        retried: Retried = {
            "kind": "retried",
            "attempt": attempt + 1,
            "max_attempts": self._max_attempts,
            "last_error": message_of(error),
            "backoff_ms": delay_ms,
            "reason": failure_class(error),
        }
        if stated is not None:
            retried["stated_wait_ms"] = stated
        report(hooks, retried)
        return delay_ms
