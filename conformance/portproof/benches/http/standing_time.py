"""Time that moves only when a check moves it, for deadlines beside real sockets."""

from __future__ import annotations

import asyncio

__all__ = ["StandingTime"]

_TURNS = 20
#: Added whenever time moves, in seconds, so that a sum of floats is never just short of a bound.
_SCRAP_S = 1e-6


class StandingTime:
    """`sleep` and `clock` are for the subject, in seconds; `advance` is for the check, in milliseconds."""

    def __init__(self) -> None:
        self._ms = 5_000_000.0
        self._sleepers: set[tuple[float, asyncio.Future[None]]] = set()

    def clock(self) -> float:
        """Now."""
        return self._ms / 1000 + _SCRAP_S

    async def sleep(self, seconds: float) -> None:
        """Wait until time has been moved so far."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        sleeper = (self._ms / 1000 + seconds, asyncio.get_running_loop().create_future())
        self._sleepers.add(sleeper)
        try:
            await sleeper[1]
        finally:
            self._sleepers.discard(sleeper)

    @property
    def sleepers(self) -> int:
        """How many wait."""
        return len(self._sleepers)

    async def advance(self, ms: float) -> None:
        """Let so many milliseconds pass, and let whoever wakes do what he does."""
        self._ms += ms
        for due, future in sorted(self._sleepers, key=lambda sleeper: sleeper[0]):
            if due <= self.clock() and not future.done():
                future.set_result(None)
        for _ in range(_TURNS):
            await asyncio.sleep(0)
