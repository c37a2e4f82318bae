"""A caller's abort against whatever I/O is under way (document 10, section 10; PRV-ABORT-*).

A request without a signal costs nothing. With one, a single watcher waits for it during the whole call and cancels the
task that is doing I/O at that moment, as `asyncio.timeout` does; the cancellation is then turned into the abort.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agentports.ports import AbortSignal

__all__ = ["AbortGuard", "Unguarded", "guard_for"]

T = TypeVar("T")


class Unguarded:
    """The guard of a call that has no signal."""

    def check(self) -> None:
        """Do nothing."""

    def run(self, step: Callable[[], Awaitable[T]]) -> Awaitable[T]:
        """Run the step."""
        return step()

    def release_with(self, release: Callable[[], Awaitable[None]]) -> None:
        """Do nothing."""

    async def aclose(self) -> None:
        """Do nothing."""


class AbortGuard(Unguarded):
    """The guard of a call that has a signal."""

    def __init__(self, signal: AbortSignal) -> None:
        self._signal = signal
        self._watcher: asyncio.Task[None] | None = None
        self._task: asyncio.Task[object] | None = None  # doing I/O now
        self._cancelling = 0  # cancellations of that task that are not ours
        self._fired = False
        self._release: Callable[[], Awaitable[None]] | None = None

    def check(self) -> None:
        """Raise the abort, if there was one."""
        self._signal.raise_if_aborted()

    async def run(self, step: Callable[[], Awaitable[T]]) -> T:
        """Run one step of I/O; leave it with the abort as soon as the signal is aborted."""
        self._signal.raise_if_aborted()
        self._arm()
        try:
            result = await step()
        except BaseException:
            if not self._disarm():
                raise
        else:
            if not self._disarm():
                return result
        self._signal.raise_if_aborted()
        raise AssertionError("only an abort comes here")

    def release_with(self, release: Callable[[], Awaitable[None]]) -> None:
        """Say what lets go of the connection when the abort comes while no I/O is under way."""
        self._release = release

    async def aclose(self) -> None:
        """Stop watching. An abort that is being carried out is waited for."""
        watcher, self._watcher = self._watcher, None
        if watcher is None:
            return
        if not self._signal.aborted:
            watcher.cancel()
        await asyncio.wait([watcher])

    def _arm(self) -> None:
        if self._watcher is None:
            self._watcher = asyncio.create_task(self._watch())
        self._task = task = asyncio.current_task()
        self._cancelling = task.cancelling() if task else 0

    def _disarm(self) -> bool:
        """Whether the abort, and nobody else beside it, cancelled the step."""
        task, self._task = self._task, None
        return self._fired and task is not None and task.uncancel() <= self._cancelling

    async def _watch(self) -> None:
        await self._signal.wait()
        if self._task is not None:
            self._fired = self._task.cancel()
        elif self._release is not None:
            await self._release()


def guard_for(signal: AbortSignal | None) -> Unguarded:
    """Return the guard for a request's signal."""
    return Unguarded() if signal is None else AbortGuard(signal)
