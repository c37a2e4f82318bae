"""Correct circuit breakers, each different inside."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

from pydantic import BaseModel

from agentports.ports import OPTIONAL_CAPABILITIES
from tests.defects._breaker import Breaker, Rejected

__all__ = [
    "ByMonotonicTime",
    "ByTimestamps",
    "CountsDownOnTheWall",
    "IteratorBreaker",
    "ReportsModels",
    "Silent",
    "closures",
]


class Silent(Breaker):
    """Reports nothing, and has callbacks only."""

    def report(self, state: str, reason: str, hooks: Any) -> None:
        pass


class ByTimestamps(Breaker):
    """Keeps the times of the failures in a row instead of a count; opens where those are enough."""

    def __init__(
        self,
        inner: Any,
        *,
        failure_threshold: int = 5,
        cooldown_ms: float = 30_000,
        half_open_success_threshold: int = 2,
        should_count: Callable[[Exception], bool] | None = None,
        on_state_change: Callable[[str, str], object] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.times: list[float] = []
        super().__init__(
            inner, failure_threshold, cooldown_ms, half_open_success_threshold, should_count, on_state_change, clock
        )

    def trips(self) -> bool:
        self.times.append(self.clock())
        return len(self.times) >= self.failure_threshold

    def succeeded(self, hooks: Any) -> None:
        if self.state == "closed":
            self.times.clear()
        super().succeeded(hooks)

    def enter(self, state: str, reason: str, hooks: Any) -> None:
        self.times.clear()
        super().enter(state, reason, hooks)


class CountsDownOnTheWall(Breaker):
    """Adds what is left of the cooldown to the wall clock, whatever clock it measures by; its numbers are fixed."""

    def __init__(self, inner: Any, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(inner, clock=clock)

    def retry_after(self) -> float:
        return round(time.time() * 1000 + self.cooldown_ms - (self.clock() - self.opened_at) * 1000)


class ByMonotonicTime(Breaker):
    """Takes neither a clock nor numbers, so that the harness can only see it count."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner, failure_threshold=5, clock=time.monotonic)

    def retry_after(self) -> float:
        return round(time.time() * 1000 + self.cooldown_ms - (self.clock() - self.opened_at) * 1000)


class Changed(BaseModel, frozen=True):
    """A report as a model."""

    kind: str = "circuit-changed"
    state: str
    reason: str
    provider_name: str


class ReportsModels(Breaker):
    """Reports frozen models instead of mappings, in words of its own."""

    def report(self, state: str, reason: str, hooks: Any) -> None:
        listener = getattr(hooks, "on_resilience", None)
        if listener is not None:
            listener(Changed(state=state, reason=f"now {state}", provider_name=self.inner.name))


class IteratorBreaker(Breaker):
    """Streams through an iterator class of its own."""

    def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        return _Chunks(self, request, hooks)


class _Chunks:
    def __init__(self, breaker: IteratorBreaker, request: Any, hooks: Any) -> None:
        self._breaker, self._request, self._hooks = breaker, request, hooks
        self._inner: Any = None
        self._begun = self._done = self._over = False

    def __aiter__(self) -> _Chunks:
        return self

    async def __anext__(self) -> Any:
        if self._over:
            raise StopAsyncIteration
        if self._inner is None:
            self._breaker.admit(self._hooks)
        try:
            if self._inner is None:
                self._inner = aiter(self._breaker.inner.stream(self._request, self._hooks))
            chunk = await anext(self._inner)
        except StopAsyncIteration:
            self._over = True
            self._breaker.stream_exhausted(self._done, self._hooks)
            raise
        except BaseException as error:
            self._over = True
            await self._close()
            if isinstance(error, Exception):
                self._breaker.stream_failed(error, self._begun, self._hooks)
            raise
        self._begun = True
        if chunk.done:
            self._done = True
            self._breaker.stream_done(self._hooks)
        return chunk

    async def aclose(self) -> None:
        self._over = True
        await self._close()

    async def _close(self) -> None:
        if hasattr(self._inner, "aclose"):
            await self._inner.aclose()


def closures(
    inner: Any,
    failure_threshold: int = 5,
    cooldown_ms: float = 30_000,
    half_open_success_threshold: int = 2,
    clock: Callable[[], float] = time.time,
) -> Any:
    """A breaker of nested functions around one mutable box, with names of its own for the states."""
    box = SimpleNamespace(mode="shut", left=failure_threshold, until=0.0, culprit=None)

    def say(hooks: Any, mode: str, why: str) -> None:
        box.mode = mode
        state = {"shut": "closed", "tripped": "open", "testing": "half-open"}[mode]
        if getattr(hooks, "on_resilience", None):
            hooks.on_resilience(
                {"kind": "circuit-changed", "state": state, "reason": why, "provider_name": inner.name, "extra": None}
            )

    def before(hooks: Any) -> None:
        if box.mode == "tripped" and clock() < box.until:
            raise Rejected(box.culprit, int(box.until * 1000))
        if box.mode == "tripped":
            box.left = half_open_success_threshold
            say(hooks, "testing", "trying again")

    def good(hooks: Any) -> None:
        if box.mode == "testing":
            box.left -= 1
        if box.mode == "shut" or (box.mode == "testing" and not box.left):
            was, box.left = box.mode, failure_threshold
            if was == "testing":
                say(hooks, "shut", "it works again")

    def bad(error: Exception, hooks: Any) -> None:
        if box.mode == "tripped" or type(error).__name__ == "AbortError" or getattr(error, "code", 0) == "ABORT_ERR":
            return
        box.left -= 1
        if box.mode == "testing" or box.left == 0:
            box.until, box.culprit = clock() + cooldown_ms / 1000, error
            say(hooks, "tripped", "too many failures")

    async def complete(request: Any, hooks: Any = None) -> Any:
        before(hooks)
        try:
            response = await inner.complete(request, hooks)
        except Exception as error:
            bad(error, hooks)
            raise
        good(hooks)
        return response

    async def stream(request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        before(hooks)
        chunks, outcome = None, "none"
        try:
            chunks = inner.stream(request, hooks)
            async for chunk in chunks:
                was, outcome = outcome, "done" if chunk.done or outcome == "done" else "begun"
                if outcome == "done" != was:
                    good(hooks)
                yield chunk
        except Exception as error:
            if outcome == "none":
                bad(error, hooks)
            raise
        finally:
            if hasattr(chunks, "aclose"):
                await chunks.aclose()
        if outcome != "done":
            good(hooks)

    members = {name: getattr(inner, name) for name in OPTIONAL_CAPABILITIES if getattr(inner, name, None) is not None}
    if getattr(inner, "stream", None) is not None:
        members["stream"] = stream
    return SimpleNamespace(name=inner.name, complete=complete, **members)
