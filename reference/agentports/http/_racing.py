"""Waiting for something and for a signal at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from agentports.ports import AbortSignal

__all__ = ["Stopped", "check", "until"]

T = TypeVar("T")

#: Seconds that a step which was given up has for its own clean-up.
_GRACE_S = 1.0


class Stopped(Exception):
    """The signal was aborted; nothing else happened."""


def check(signal: AbortSignal) -> None:
    """Raise `Stopped` once the signal is aborted."""
    if signal.aborted:
        raise Stopped


async def until(step: Awaitable[T], signal: AbortSignal) -> T:
    """Wait for the step, but no longer than until the signal is aborted: then it is cancelled and `Stopped` raised.

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
