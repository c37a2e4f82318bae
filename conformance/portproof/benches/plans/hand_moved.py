"""Time that a check moves by hand: a lease lapses without anybody waiting for it, in threads too."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

__all__ = ["HandMovedTime"]

#: Later than any time that a subject may have written down before.
_START_S: Final = 2_000_000_000.0
#: Who waits so long, or so often, waits for ever.
_LONGEST_S: Final = 60.0
_MOST_SLEEPS: Final = 20_000


class HandMovedTime:
    """A clock that stands, and a sleep that moves it. In seconds, as factories are handed it."""

    def __init__(self) -> None:
        self._now = _START_S
        self._sleeps = 0
        self._slept = 0.0
        #: Set when there is no end to the waiting.
        self.endless = asyncio.Event()
        self._meanwhile: Callable[[], Awaitable[Any]] | None = None

    def clock(self) -> float:
        """Now."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        passing = max(0.0, seconds)
        self._sleeps += 1
        self._slept += passing
        self._now += passing
        if self._sleeps > _MOST_SLEEPS or self._slept > _LONGEST_S:
            self.endless.set()
            await asyncio.Future()
        act, self._meanwhile = self._meanwhile, None
        await (act() if act is not None else asyncio.sleep(0))

    def advance(self, milliseconds: float) -> None:
        """Let so many milliseconds pass."""
        self._now += milliseconds / 1000

    def meanwhile(self, act: Callable[[], Awaitable[Any]] | None = None) -> None:
        """Begin anew with adding up waits; and do this during the next one."""
        self._sleeps, self._slept = 0, 0.0
        self.endless.clear()
        self._meanwhile = act
