"""The deadline of one call: a signal that is aborted when the time is up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from agentports.ports import AbortController, AbortSignal

__all__ = ["Clock", "Deadline", "Sleep"]

#: Both in seconds.
Sleep = Callable[[float], Awaitable[object]]
Clock = Callable[[], float]

#: Sums of floats are no more exact than this.
_TICK_S = 1e-6


class Deadline:
    """Starts when it is made. `timeout` is in milliseconds."""

    def __init__(self, timeout: int, sleep: Sleep, clock: Clock) -> None:
        self._controller = AbortController()
        self._sleep, self._clock = sleep, clock
        self._until = clock() + timeout / 1000
        self._timeout = timeout
        self._task = asyncio.create_task(self._run())

    @property
    def signal(self) -> AbortSignal:
        """Aborted, with a `TimeoutError`, when the time is up."""
        return self._controller.signal

    def stop(self) -> None:
        """Never fire again."""
        self._task.cancel()

    async def _run(self) -> None:
        while (left := self._until - self._clock()) > _TICK_S:
            await self._sleep(left)
        self._controller.abort(TimeoutError(f"the call took longer than {self._timeout} ms"))
