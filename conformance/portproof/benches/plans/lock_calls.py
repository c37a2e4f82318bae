"""Calls of a lock, as a check makes them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from agentports.ports.plans import LockDuration, LockRetry
from portproof.benches.checker import owed
from portproof.benches.plans.hand_moved import HandMovedTime
from portproof.running.outcome import Violation, expect
from portproof.running.plain import plain

__all__ = ["LockCalls"]


class LockCalls:
    """A lock of any make. What a method raises is a `Violation`, and so is what is not of the contract's kind."""

    def __init__(self, raw: Any, time: HandMovedTime) -> None:
        self._raw = raw
        self._time = time
        #: Whether it ever took a lease.
        self.took = False

    async def take(self) -> bool:
        """Try once, at once."""
        return self._taken(await self._call("acquire_immediately"))

    async def acquire(self, **retry: Any) -> bool:
        """Try as often as `retry` says. Raises a `Violation` when there is no end to it."""
        asked = LockRetry(**retry)
        with owed(f"acquire({retry})"):
            trying = asyncio.ensure_future(_awaited("acquire", self._raw.acquire(asked)))
            endless = asyncio.ensure_future(self._time.endless.wait())
            await asyncio.wait({trying, endless}, return_when=asyncio.FIRST_COMPLETED)
            endless.cancel()
            answer = trying.result() if trying.done() else None
        if not trying.done():
            trying.cancel()
            raise Violation("acquire goes on trying without end", retry=plain(retry))
        return self._taken(answer)

    async def release(self) -> None:
        """Give the lease back."""
        await self._call("release")

    async def run(self, fn: Callable[[], Awaitable[Any]]) -> tuple[bool, Any]:
        """Whether `fn` was called, and what it gave."""
        answer = await self._call("run", fn)
        pair = isinstance(answer, tuple | list) and len(answer) == 2
        expect(pair, "run gives no pair of whether it ran and the result", got=plain(answer))
        return bool(answer[0]), answer[1]

    def running(self, fn: Callable[[], Awaitable[Any]]) -> asyncio.Future[Any]:
        """The call as a task, with whatever comes of it."""

        async def call() -> Any:
            return await _awaited("run", self._raw.run(fn))

        return asyncio.ensure_future(call())

    async def extend(self, *duration: LockDuration) -> None:
        """Set what remains; to the configured time without an argument."""
        await self._call("extend", *duration)

    async def remaining(self) -> float:
        """Milliseconds, as a number."""
        answer = await self._call("get_remaining_time")
        number = isinstance(answer, int | float) and not isinstance(answer, bool)
        expect(number, "get_remaining_time gives no number", got=plain(answer))
        return float(answer)

    async def locked(self) -> bool:
        """Whether anybody holds the lease."""
        return bool(await self._call("is_locked"))

    def owner(self) -> str:
        """Who holds the lease, as a text."""
        return self._text("get_owner")

    def serialized(self) -> str:
        """The lock as a text."""
        return self._text("serialize")

    def _taken(self, answer: Any) -> bool:
        self.took = self.took or bool(answer)
        return bool(answer)

    def _text(self, name: str) -> str:
        with owed(name):
            answer = getattr(self._raw, name)()
        if inspect.iscoroutine(answer):
            answer.close()
        expect(isinstance(answer, str), f"{name} gives no text from a plain call", got=plain(answer))
        return str(answer)

    async def _call(self, name: str, *given: Any) -> Any:
        with owed(name):
            return await _awaited(name, getattr(self._raw, name)(*given))


async def _awaited(name: str, answer: Any) -> Any:
    if not inspect.isawaitable(answer):
        raise TypeError(f"{name} is no coroutine: it gave {answer!r}")
    return await answer
