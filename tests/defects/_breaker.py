"""A correct circuit breaker to break: every method is one decision."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from ._wrappers import Transparent

__all__ = ["Breaker", "Rejected"]


class Rejected(Exception):
    """The circuit is open."""

    code = "ERR_CIRCUIT_OPEN"

    def __init__(self, cause: Any, retry_after: float) -> None:
        super().__init__("try again later")
        self.cause = self.__cause__ = cause
        self.retry_after = retry_after


class Breaker(Transparent):
    """A circuit breaker. Defects override one member each."""

    def __init__(
        self,
        inner: Any,
        failure_threshold: int = 5,
        cooldown_ms: float = 30_000,
        half_open_success_threshold: int = 2,
        should_count: Callable[[Exception], bool] | None = None,
        on_state_change: Callable[[str, str], object] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(inner)
        self.name = inner.name
        self.failure_threshold = failure_threshold
        self.cooldown_ms = cooldown_ms
        self.half_open_success_threshold = half_open_success_threshold
        self.should_count = should_count
        self.on_state_change = on_state_change
        self.clock = clock
        self.state = "closed"
        self.failures = self.probes = 0
        self.opened_at = 0.0
        self.cause: Any = None

    # ---- decisions

    def admit(self, hooks: Any) -> None:
        """Let a call pass, or raise."""
        if self.state == "open":
            if not self.cooled():
                self.reject(hooks)
            self.enter("half-open", "cooldown elapsed", hooks)

    def cooled(self) -> bool:
        return self.clock() - self.opened_at >= self.cooldown_ms / 1000

    def reject(self, hooks: Any) -> None:
        raise Rejected(self.cause, self.retry_after())

    def retry_after(self) -> float:
        return self.opened_at * 1000 + self.cooldown_ms

    def counts(self, error: BaseException) -> bool:
        """Whether a failure counts."""
        if self.should_count is not None:
            return self.should_count(error)
        return type(error).__name__ != "AbortError" and getattr(error, "code", None) != "ABORT_ERR"

    def trips(self) -> bool:
        """Whether the failures of a closed circuit are enough."""
        return self.failures >= self.failure_threshold

    def failed(self, error: BaseException, hooks: Any) -> None:
        """A failure that counts."""
        self.cause = error
        if self.state == "closed":
            self.failures += 1
            if self.trips():
                self.enter("open", f"{self.failures} consecutive failures", hooks)
        elif self.state == "half-open":
            self.probe_failed(hooks)

    def probe_failed(self, hooks: Any) -> None:
        self.enter("open", "half-open probe failed", hooks)

    def refused(self, hooks: Any) -> None:
        """A failure that does not count."""

    def succeeded(self, hooks: Any) -> None:
        if self.state == "closed":
            self.failures = 0
        elif self.state == "half-open":
            self.probe_succeeded(hooks)

    def probe_succeeded(self, hooks: Any) -> None:
        self.probes += 1
        if self.probes >= self.half_open_success_threshold:
            self.enter("closed", f"{self.probes} probe successes", hooks)

    def enter(self, state: str, reason: str, hooks: Any) -> None:
        """Change the state, and say so."""
        self.state = state
        self.probes = 0
        if state == "open":
            self.opened_at = self.clock()
        if state == "closed":
            self.failures = 0
        self.tell(state, reason, hooks)

    def tell(self, state: str, reason: str, hooks: Any) -> None:
        self.report(state, reason, hooks)
        if self.on_state_change is not None:
            self.on_state_change(state, reason)

    def report(self, state: str, reason: str, hooks: Any) -> None:
        listener = getattr(hooks, "on_resilience", None)
        if listener is not None:
            report = {"kind": "circuit-changed", "state": state, "reason": reason, "provider_name": self.provider_name}
            listener(report)

    @property
    def provider_name(self) -> str:
        return str(self.inner.name)

    # ---- outcomes of calls

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        self.admit(hooks)
        try:
            response = await self.inner.complete(request, hooks)
        except Exception as error:
            self.call_failed(error, hooks)
            raise
        self.succeeded(hooks)
        return response

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        self.admit_stream(hooks)
        begun = done = False
        try:
            async with aclosing(self.inner.stream(request, hooks)) as chunks:
                async for chunk in chunks:
                    begun = True
                    if chunk.done:
                        done = True
                        self.stream_done(hooks)
                    yield chunk
        except Exception as error:
            self.stream_failed(error, begun, hooks)
            raise
        self.stream_exhausted(done, hooks)

    def call_failed(self, error: BaseException, hooks: Any) -> None:
        if self.counts(error):
            self.failed(error, hooks)
        else:
            self.refused(hooks)

    def admit_stream(self, hooks: Any) -> None:
        self.admit(hooks)

    def stream_failed(self, error: BaseException, begun: bool, hooks: Any) -> None:
        """A stream failed; `begun` when it had yielded a chunk."""
        if not begun:
            self.call_failed(error, hooks)

    def stream_done(self, hooks: Any) -> None:
        """The terminal chunk arrived."""
        self.succeeded(hooks)

    def stream_exhausted(self, done: bool, hooks: Any) -> None:
        """The inner stream ended; `done` when with a terminal chunk."""
        if not done:
            self.succeeded(hooks)
