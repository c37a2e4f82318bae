"""A correct retry wrapper to break: every method is one decision."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from agentports.resilience._waiting import wait

from ._wrappers import Transparent

__all__ = ["Call", "Retry"]

HOPELESS = (
    "ERR_CONTEXT_WINDOW_EXCEEDED",
    "ERR_UNSUPPORTED_TOOL_CHOICE",
    "ERR_UNSUPPORTED_NATIVE_OUTPUT",
    "ERR_UNSUPPORTED_THINKING",
)


@dataclass
class Call:
    """One call through the wrapper: what was asked, when it began, which attempt is under way, what failed so far."""

    request: Any
    hooks: Any
    began: float
    attempt: int = 0
    errors: list[Exception] = field(default_factory=list)


class Retry(Transparent):
    """Retries as document 11 says. Defects override one method or one number each."""

    FIRST_WAIT_MS: float = 200
    LONGEST_WAIT_MS: float = 10_000

    def __init__(
        self,
        inner: Any,
        max_attempts: int = 3,
        initial_delay_ms: float | None = None,
        backoff_factor: float = 2,
        max_delay_ms: float | None = None,
        should_retry: Callable[..., bool] | None = None,
        on_retry: Callable[..., object] | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(inner)
        self.max_attempts = max(1, max_attempts)
        self.initial_delay_ms = self.FIRST_WAIT_MS if initial_delay_ms is None else initial_delay_ms
        self.backoff_factor = backoff_factor
        self.max_delay_ms = self.LONGEST_WAIT_MS if max_delay_ms is None else max_delay_ms
        self.should_retry = should_retry
        self.on_retry = on_retry
        self.sleep = sleep
        self.clock = clock

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        call = self.begin(request, hooks)
        while True:
            call.attempt += 1
            try:
                response = await self.ask(call)
            except Exception as error:
                call.errors.append(error)
                if not self.goes_on(call, error):
                    self.give_up(call, error)
                    raise
                await self.between(call, error, self.delay_ms(call, error))
            else:
                self.succeeded(call)
                return response

    def begin(self, request: Any, hooks: Any) -> Call:
        return Call(request, hooks, self.clock())

    async def ask(self, call: Call) -> Any:
        return await self.inner.complete(call.request, call.hooks)

    async def between(self, call: Call, error: Exception, delay_ms: float) -> None:
        self.announce(call, error, delay_ms)
        await self.pause(call, delay_ms)

    async def pause(self, call: Call, delay_ms: float) -> None:
        await wait(delay_ms / 1000, call.request.signal, self.sleep)

    def give_up(self, call: Call, error: Exception) -> None:
        """Nothing to do: the error is raised as it is."""

    # ---- what is retried

    def goes_on(self, call: Call, error: Exception) -> bool:
        return call.attempt < self.max_attempts and self.accepts(call, error)

    def accepts(self, call: Call, error: Exception) -> bool:
        if self.should_retry is not None:
            return self.should_retry(error, call.attempt)
        return not self.is_abort(error) and not self.is_hopeless(error) and not self.is_final(error)

    def is_abort(self, error: Exception) -> bool:
        named = type(error).__name__ == "AbortError" or getattr(error, "name", None) == "AbortError"
        return named or getattr(error, "code", None) == "ABORT_ERR"

    def is_hopeless(self, error: Exception) -> bool:
        return getattr(error, "code", None) in HOPELESS

    def is_final(self, error: Exception) -> bool:
        status = self.status_of(error)
        return status is not None and 400 <= status < 500 and status != 429

    def status_of(self, error: Exception) -> int | None:
        stated = [getattr(error, name, None) for name in ("status", "status_code")]
        return next((status for status in stated if isinstance(status, int)), None)

    # ---- how long it waits

    def delay_ms(self, call: Call, error: Exception) -> float:
        return min(self.max_delay_ms, max(self.scheduled_ms(call), self.stated_ms(error) or 0))

    def scheduled_ms(self, call: Call) -> float:
        return self.initial_delay_ms * self.backoff_factor ** (call.attempt - 1)

    def stated_ms(self, error: Exception) -> float | None:
        value = getattr(error, "retry_after_ms", None)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return value if is_number and 0 <= value < math.inf else None

    # ---- what it tells

    def announce(self, call: Call, error: Exception, delay_ms: float) -> None:
        self.call_back(call, error, delay_ms)
        self.report(call, self.retried(call, error, delay_ms))

    def call_back(self, call: Call, error: Exception, delay_ms: float) -> None:
        if self.on_retry is not None:
            self.on_retry(error, call.attempt + 1, delay_ms)

    def retried(self, call: Call, error: Exception, delay_ms: float) -> dict[str, Any]:
        stated = self.stated_ms(error)
        return {
            "kind": "retried",
            "attempt": call.attempt + 1,
            "max_attempts": self.max_attempts,
            "last_error": str(error),
            "backoff_ms": delay_ms,
            "reason": self.reason(error),
        } | ({} if stated is None else {"stated_wait_ms": stated})

    def reason(self, error: Exception) -> str:
        status = self.status_of(error)
        if status is None:
            return "no-status"
        if status == 429:
            return "http-429"
        if status >= 500:
            return "http-5xx"
        return "http-4xx" if status >= 400 else f"http-{status}"

    def succeeded(self, call: Call) -> None:
        if call.attempt > 1:
            self.report(call, self.recovered(call))

    def recovered(self, call: Call) -> dict[str, Any]:
        passed_ms = (self.clock() - call.began) * 1000
        return {"kind": "recovered", "attempt": call.attempt, "total_duration_ms": passed_ms}

    def report(self, call: Call, fact: dict[str, Any]) -> None:
        listener = getattr(call.hooks, "on_resilience", None)
        if listener is not None:
            listener(fact)
