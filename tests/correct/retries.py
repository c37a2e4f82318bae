"""Retry wrappers that keep the contract and are built otherwise than the reference: none may be failed.

`SHOULDS` names the advice that each does not follow, where the contract leaves the decision to the wrapper.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal

from pydantic import BaseModel

from agentports.ports import OPTIONAL_CAPABILITIES, LLMCallHooks

__all__ = ["CORRECT", "SHOULDS"]

_FINAL_CODES = {"ABORT_ERR", "ERR_CONTEXT_WINDOW_EXCEEDED"}


def _status(error: BaseException) -> int | None:
    for name in ("status", "status_code"):
        if type(value := getattr(error, name, None)) is int:
            return value
    return None


def _passing(error: BaseException) -> bool:
    """The documented default policy."""
    code = str(getattr(error, "code", None))
    if "AbortError" in (type(error).__name__, getattr(error, "name", None)):
        return False
    if code in _FINAL_CODES or code.startswith("ERR_UNSUPPORTED_"):
        return False
    status = _status(error)
    return status is None or status == 429 or status // 100 != 4


def _reason(error: BaseException) -> str:
    match _status(error):
        case None:
            return "no-status"
        case 429:
            return "http-429"
        case status if status >= 500:
            return "http-5xx"
        case status if status >= 400:
            return "http-4xx"
        case status:
            return f"http-{status}"


def _stated(error: BaseException) -> float | None:
    value = getattr(error, "retry_after_ms", None)
    return value if type(value) in (int, float) and math.isfinite(value) and value >= 0 else None


def _tell(hooks: Any, fact: Any) -> None:
    if hooks is not None and (listener := getattr(hooks, "on_resilience", None)) is not None:
        listener(fact)


async def _nap(seconds: float, signal: Any) -> None:
    """`asyncio.sleep` that an abort ends, by the usual idiom."""
    if signal is None:
        return await asyncio.sleep(seconds)
    signal.raise_if_aborted()
    try:
        await asyncio.wait_for(signal.wait(), seconds)
    except TimeoutError:
        return None
    return signal.raise_if_aborted()


class _Forwarding:
    """What every wrapper of one provider owes, by copying the members."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.name = inner.name
        for member in (*OPTIONAL_CAPABILITIES, "stream"):
            if (value := getattr(inner, member, None)) is not None:
                setattr(self, member, value)


# ---- loops


class _Attempt:
    """One attempt as a context manager that absorbs a failure, as in tenacity."""

    def __init__(self, loop: _Attempts) -> None:
        self._loop = loop

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        self._loop.failed = error
        self._loop.left -= 1
        return isinstance(error, Exception) and self._loop.left > 0 and _passing(error)


class _Attempts:
    def __init__(self, most: int) -> None:
        self.left = most
        self.failed: BaseException | None = None

    def __iter__(self) -> Iterator[_Attempt]:
        while True:
            yield _Attempt(self)


class Tenacious(_Forwarding):
    """Loops as tenacity does, names one option, reports nothing, sleeps on the event loop."""

    def __init__(self, inner: Any, max_attempts: int = 3) -> None:
        super().__init__(inner)
        self._most = max(1, max_attempts)

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        attempts = _Attempts(self._most)
        wait = 100.0
        for attempt in attempts:
            if attempts.failed is not None:
                wait *= 2
                await _nap(min(10_000, max(wait, _stated(attempts.failed) or 0)) / 1000, request.signal)
            with attempt:
                return await self.inner.complete(request, hooks)
        return None


# ---- closures


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
                if scheduled is None or not _passing(error):
                    raise
                stated = _stated(error)
                wait = min(10_000, max(scheduled, stated or 0))
                words = str(error) or type(error).__name__
                _tell(hooks, _Fact("retried", number + 1, 3, words, wait, stated, _reason(error)))
                await _nap(wait / 1000, request.signal)
            else:
                if number > 1:
                    _tell(hooks, _Fact("recovered", number, total_duration_ms=(clock() - began) * 1000))
                return response
        raise AssertionError("the third attempt ends the call")

    members = {name: getattr(inner, name, None) for name in (*OPTIONAL_CAPABILITIES, "stream")}
    return SimpleNamespace(name=f"again({inner.name})", complete=complete, **members)


# ---- recursion


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
        self._decide = should_retry or (lambda error, attempt: _passing(error))
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
                _tell(hooks, _Recovered(attempt=number, total_duration_ms=passed))
            return response
        stated = _stated(failure)
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
            reason=_reason(error),
        )
        _tell(hooks, report)

    async def _wait(self, seconds: float, signal: Any) -> None:
        while True:
            if signal is not None and signal.aborted:
                signal.raise_if_aborted()
            if seconds <= 0:
                return
            step = seconds if signal is None else min(seconds, 0.02)
            await self._sleep(step)
            seconds -= step


# ---- decisions of its own


class OwnMind(_Forwarding):
    """Retries 408, 409 and 425 and gives a stream a second chance before its first chunk; options in a mapping."""

    def __init__(self, inner: Any, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(inner)
        self._most = (options or {}).get("max_attempts", 3)
        if hasattr(self, "stream"):
            self.stream = self._twice

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        for wait in (*(200 * 2**n for n in range(self._most - 1)), None):
            try:
                return await self.inner.complete(request, hooks)
            except Exception as error:
                if wait is None or not (_passing(error) or _status(error) in (408, 409, 425)):
                    raise
                wait = min(10_000, max(wait, _stated(error) or 0))
            await _nap(wait / 1000, request.signal)
        return None

    async def _twice(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        for last in (False, True):
            begun = False
            try:
                async with aclosing(self.inner.stream(request, hooks)) as chunks:
                    async for chunk in chunks:
                        begun = True
                        yield chunk
                return
            except Exception as error:
                if begun or last or not _passing(error):
                    raise


class Jittered(_Forwarding):
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
                if number == 4 or not _passing(error):
                    raise
                number += 1
                wait_ms = self._announce(error, number, hooks)
            await self._pause(wait_ms / 1000, request.signal)
        if number > 1:
            passed = (self._clock() - began) * 1000
            _tell(hooks, {"kind": "recovered", "attempt": number, "total_duration_ms": passed})
        return response

    def _announce(self, error: Exception, number: int, hooks: Any) -> int:
        stated = _stated(error)
        wait_ms = math.ceil(max(self._random.uniform(50, 100) * 2**number, stated or 0))
        wait_ms = min(wait_ms, 30_000)
        fact = {
            "kind": "retried",
            "attempt": number,
            "max_attempts": 4,
            "last_error": str(error) or type(error).__name__,
        }
        _tell(hooks, {**fact, "backoff_ms": wait_ms, "stated_wait_ms": stated, "reason": _reason(error)})
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


CORRECT: dict[str, Any] = {
    "tenacious": Tenacious,
    "inner alone": inner_alone,
    "recursive": Recursive,
    "own mind": OwnMind,
    "jittered": Jittered,
    "hooks of its own": HooksOfItsOwn,
}

SHOULDS: dict[str, set[str]] = {
    "tenacious": {"RES-OWN-ACTIONS-REPORTED"},
    "own mind": {"RES-OWN-ACTIONS-REPORTED", "RES-RETRY-OTHER-4XX", "RES-RETRY-STREAM-NO-EARLY-RETRY"},
    "jittered": {"RES-RETRY-DEFAULTS"},
}
