"""Waiting for something and for a signal at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from agentports.ports import AbortSignal

__all__ = ["Stopped", "check", "unless", "until"]

T = TypeVar("T")

#: Seconds that a step which was given up has for its own clean-up.
_GRACE_S = 1.0


class Stopped(Exception):
    """The signal was aborted; nothing else happened."""


def check(signal: AbortSignal) -> None:
    """Raise `Stopped` once the signal is aborted."""
    if signal.aborted:
        raise Stopped


async def unless(signal: AbortSignal, step: Awaitable[T]) -> T:
    """Wait for the step in this task, which the abort cancels for so long: cheap, for what ends when it is cancelled.

    Raises `Stopped` at the abort, and whatever the step raises.
    """
    task = asyncio.current_task()
    assert task is not None
    loop, waiting = asyncio.get_running_loop(), _Waiting(task)
    unsubscribe = signal.subscribe(lambda: loop.call_soon_threadsafe(waiting.stop))
    try:
        return await step
    except asyncio.CancelledError:
        if waiting.stopped and task.uncancel() <= waiting.cancelling:
            raise Stopped from None
        raise
    finally:
        waiting.over = True
        unsubscribe()


class _Waiting:
    """A task that waits, and may be stopped for as long as it does."""

    __slots__ = ("cancelling", "over", "stopped", "task")

    def __init__(self, task: asyncio.Task[Any]) -> None:
        self.task, self.cancelling = task, task.cancelling()
        self.over = self.stopped = False

    def stop(self) -> None:
        if not self.over:
            self.stopped = self.task.cancel()


async def until(step: Awaitable[T], signal: AbortSignal) -> T:
    """Wait for the step, but no longer than until the signal is aborted: then it is given up and `Stopped` raised.

    Whatever the step raised, in the very moment of the abort too, is raised.
    """
    task = asyncio.ensure_future(step)
    loop = asyncio.get_running_loop()
    fired = loop.create_future()
    unsubscribe = signal.subscribe(lambda: loop.call_soon_threadsafe(_fire, fired))
    try:
        await asyncio.wait((task, fired), return_when=asyncio.FIRST_COMPLETED)
    finally:
        unsubscribe()
        if not task.done():
            await _give_up(task)
    if signal.aborted and (task.cancelled() or not task.done()):
        raise Stopped
    return task.result()


async def _give_up(task: asyncio.Future[Any]) -> None:
    task.cancel()
    await asyncio.wait((task,), timeout=_GRACE_S)
    if task.done() and not task.cancelled():
        task.exception()


def _fire(fired: asyncio.Future[None]) -> None:
    if not fired.done():
        fired.set_result(None)
