"""Correct retry wrappers that report, each in its own way."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal

from pydantic import BaseModel

from agentports.ports import OPTIONAL_CAPABILITIES, LLMCallHooks

from ._retrying import Forwarding, may_pass, nap, reason_of, stated_ms, tell

__all__ = ["HooksOfItsOwn", "Jittered", "Recursive", "Seeded", "inner_alone"]


@dataclass(frozen=True, slots=True)
class _Fact:
    kind: str
    attempt: int
    max_attempts: int | None = None
    last_error: str | None = None
    backoff_ms: float | None = None
    stated_wait_ms: float | None = None
    reason: str | None = None
    total_duration_ms: float | None = None
    remark: str = "from a wrapper of another make"


def inner_alone(inner: Any) -> Any:
    """A namespace of closures, by a factory without options; reports are slotted dataclasses with a member more."""

    async def complete(request: Any, hooks: Any = None) -> Any:
        clock = asyncio.get_running_loop().time
        began = clock()
        for number, scheduled in enumerate((200, 400, None), start=1):
            try:
                response = await inner.complete(request, hooks)
            except Exception as error:
                if scheduled is None or not may_pass(error):
                    raise
                stated = stated_ms(error)
                wait = min(10_000, max(scheduled, stated or 0))
                words = str(error) or type(error).__name__
                tell(hooks, _Fact("retried", number + 1, 3, words, wait, stated, reason_of(error)))
                await nap(wait / 1000, request.signal)
            else:
                if number > 1:
                    tell(hooks, _Fact("recovered", number, total_duration_ms=(clock() - began) * 1000))
                return response
        raise AssertionError("the third attempt ends the call")

    members = {name: getattr(inner, name, None) for name in (*OPTIONAL_CAPABILITIES, "stream")}
    return SimpleNamespace(name=f"again({inner.name})", complete=complete, **members)


class _Retried(BaseModel, frozen=True):
    kind: Literal["retried"] = "retried"
    attempt: int
    max_attempts: int
    last_error: str
    backoff_ms: float
    stated_wait_ms: float | None = None
    reason: str


class _Recovered(BaseModel, frozen=True):
    kind: Literal["recovered"] = "recovered"
    attempt: int
    total_duration_ms: int


class Recursive:
    """Recursion; delegates by `__getattr__`; looks at the signal every 20 ms; real clock; reports are models."""

    def __init__(
        self,
        inner: Any,
        *,
        max_attempts: int = 3,
        initial_delay_ms: float = 200,
        backoff_factor: float = 2,
        max_delay_ms: float = 10_000,
        should_retry: Callable[[Exception, int], bool] | None = None,
        on_retry: Callable[[Exception, int, float], object] | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._inner = inner
        self._most = max_attempts if max_attempts > 1 else 1
        self._first, self._factor, self._cap = initial_delay_ms, backoff_factor, max_delay_ms
        self._decide = should_retry or (lambda error, attempt: may_pass(error))
        self._on_retry = on_retry
        self._sleep = sleep

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_inner"], name)

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return await self._from(1, self._first, time.monotonic(), request, hooks)

    async def _from(self, number: int, scheduled: float, began: float, request: Any, hooks: Any) -> Any:
        failure: Exception | None = None
        try:
            response = await self._inner.complete(request, hooks)
        except Exception as error:
            if number >= self._most or not self._decide(error, number):
                raise
            failure = error
        if failure is None:
            if number > 1:
                passed = int((time.monotonic() - began) * 1000)
                tell(hooks, _Recovered(attempt=number, total_duration_ms=passed))
            return response
        stated = stated_ms(failure)
        wait = min(max(scheduled, stated or 0), self._cap)
        self._announce(failure, number + 1, wait, stated, hooks)
        await self._wait(wait / 1000, request.signal)
        return await self._from(number + 1, scheduled * self._factor, began, request, hooks)

    def _announce(self, error: Exception, number: int, wait: float, stated: float | None, hooks: Any) -> None:
        if self._on_retry is not None:
            self._on_retry(error, number, wait)
        report = _Retried(
            attempt=number,
            max_attempts=self._most,
            last_error=str(error) or type(error).__name__,
            backoff_ms=wait,
            stated_wait_ms=stated,
            reason=reason_of(error),
        )
        tell(hooks, report)

    async def _wait(self, seconds: float, signal: Any) -> None:
        while True:
            if signal is not None and signal.aborted:
                signal.raise_if_aborted()
            if seconds <= 0:
                return
            step = seconds if signal is None else min(seconds, 0.02)
            await self._sleep(step)
            seconds -= step


class Jittered(Forwarding):
    """Waits for random times, as rounded numbers, by a factory that names no numbers; keeps to stated waits."""

    def __init__(self, inner: Any, sleep: Any, clock: Any) -> None:
        super().__init__(inner)
        self._sleep, self._clock, self._random = sleep, clock, random.Random()

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        began, number = self._clock(), 1
        while True:
            try:
                response = await self.inner.complete(request, hooks)
                break
            except Exception as error:
                if number == 4 or not may_pass(error):
                    raise
                number += 1
                wait_ms = self._announce(error, number, hooks)
            await self._pause(wait_ms / 1000, request.signal)
        if number > 1:
            passed = (self._clock() - began) * 1000
            tell(hooks, {"kind": "recovered", "attempt": number, "total_duration_ms": passed})
        return response

    def _announce(self, error: Exception, number: int, hooks: Any) -> int:
        stated = stated_ms(error)
        wait_ms = math.ceil(max(self._random.uniform(50, 100) * 2**number, stated or 0))
        wait_ms = min(wait_ms, 30_000)
        fact = {
            "kind": "retried",
            "attempt": number,
            "max_attempts": 4,
            "last_error": str(error) or type(error).__name__,
        }
        tell(hooks, {**fact, "backoff_ms": wait_ms, "stated_wait_ms": stated, "reason": reason_of(error)})
        return wait_ms

    async def _pause(self, seconds: float, signal: Any) -> None:
        """Both raced in a task group of the event loop's own making; what is left is cancelled and awaited."""
        if signal is None:
            return await self._sleep(seconds)
        signal.raise_if_aborted()
        racing = [asyncio.ensure_future(self._sleep(seconds)), asyncio.ensure_future(signal.wait())]
        try:
            await asyncio.wait(racing, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in racing:
                task.cancel()
            await asyncio.gather(*racing, return_exceptions=True)
        return signal.raise_if_aborted()


class Seeded(Jittered):
    """Draws its waits from a sequence of its own that starts anew with every wrapper, and that its calls share."""

    def __init__(self, inner: Any, sleep: Any, clock: Any) -> None:
        super().__init__(inner, sleep, clock)
        self._random = random.Random(7)


class HooksOfItsOwn(Recursive):
    """Hands in hooks of its own, which forward both channels; the caller's may lack either."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        if hooks is None:
            return await super().complete(request)
        forwarding = LLMCallHooks(
            on_resilience=getattr(hooks, "on_resilience", None) and (lambda fact: hooks.on_resilience(fact)),
            on_replay_prepared=getattr(hooks, "on_replay_prepared", None)
            and (lambda fact: hooks.on_replay_prepared(fact)),
        )
        return await super().complete(request, forwarding)
