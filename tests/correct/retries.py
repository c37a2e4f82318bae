"""Retry wrappers that keep the contract and are built otherwise than the reference: none may be failed.

`SHOULDS` names the advice that each does not follow, where the contract leaves the decision to the wrapper.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing
from typing import Any

from ._reporting_retries import HooksOfItsOwn, Jittered, Recursive, Seeded, inner_alone
from ._retrying import Forwarding, may_pass, nap, stated_ms, status_of

__all__ = ["CORRECT", "SHOULDS"]


class _Attempt:
    """One attempt as a context manager that absorbs a failure, as in tenacity."""

    def __init__(self, loop: _Attempts) -> None:
        self._loop = loop

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        self._loop.failed = error
        self._loop.left -= 1
        return isinstance(error, Exception) and self._loop.left > 0 and may_pass(error)


class _Attempts:
    def __init__(self, most: int) -> None:
        self.left = most
        self.failed: BaseException | None = None

    def __iter__(self) -> Iterator[_Attempt]:
        while True:
            yield _Attempt(self)


class Tenacious(Forwarding):
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
                await nap(min(10_000, max(wait, stated_ms(attempts.failed) or 0)) / 1000, request.signal)
            with attempt:
                return await self.inner.complete(request, hooks)
        return None


class OwnMind(Forwarding):
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
                if wait is None or not (may_pass(error) or status_of(error) in (408, 409, 425)):
                    raise
                wait = min(10_000, max(wait, stated_ms(error) or 0))
            await nap(wait / 1000, request.signal)
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
                if begun or last or not may_pass(error):
                    raise


CORRECT: dict[str, Any] = {
    "tenacious": Tenacious,
    "inner alone": inner_alone,
    "recursive": Recursive,
    "own mind": OwnMind,
    "jittered": Jittered,
    "seeded": Seeded,
    "hooks of its own": HooksOfItsOwn,
}

SHOULDS: dict[str, set[str]] = {
    "tenacious": {"RES-OWN-ACTIONS-REPORTED"},
    "own mind": {"RES-OWN-ACTIONS-REPORTED", "RES-RETRY-OTHER-4XX", "RES-RETRY-STREAM-NO-EARLY-RETRY"},
    "jittered": {"RES-RETRY-DEFAULTS"},
    "seeded": {"RES-RETRY-DEFAULTS"},
}
