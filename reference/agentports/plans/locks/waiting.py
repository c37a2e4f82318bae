"""Waiting for a lease, and not being hurried while giving it back."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, TypeVar

from agentports.plans.locks.durations import milliseconds
from agentports.ports.plans import LockRetry

__all__ = ["Patience", "finished"]

R = TypeVar("R")

_DELAY_MS: Final = 250.0


class Patience:
    """What is left of a `LockRetry`. One without a limit, like none at all, allows one try."""

    def __init__(self, retry: LockRetry | Mapping[str, Any] | None, clock: Callable[[], float]) -> None:
        asked = LockRetry.model_validate({} if retry is None else retry)
        unlimited = asked.attempts is None and asked.timeout is None
        self._tries = 1 if unlimited else math.inf if asked.attempts is None else asked.attempts
        self._delay = (_DELAY_MS if asked.delay is None else milliseconds(asked.delay)) / 1000
        self._clock = clock
        self._until = math.inf if asked.timeout is None else clock() + milliseconds(asked.timeout) / 1000

    def wait(self) -> float | None:
        """After a try that failed: how many seconds to wait for the next one; None when it was the last."""
        self._tries -= 1
        left = self._until - self._clock()
        return min(self._delay, left) if self._tries > 0 and left > 0 else None


async def finished(work: Coroutine[Any, Any, R]) -> R:
    """What the work gives, which is not cancelled with its caller: that comes through when the work has ended."""
    task = asyncio.ensure_future(work)
    cancelled = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return task.result()
