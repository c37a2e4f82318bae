"""A wait that the caller's signal ends early."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from agentports.ports import AbortSignal

__all__ = ["Clock", "Sleep", "wait"]

Sleep = Callable[[float], Awaitable[object]]
Clock = Callable[[], float]


async def wait(seconds: float, signal: AbortSignal | None, sleep: Sleep) -> None:
    """Sleep, unless the signal is aborted before or meanwhile: then raise its reason. Nothing stays attached to it."""
    if signal is None:
        await sleep(seconds)
        return
    signal.raise_if_aborted()
    sleeping, aborting = asyncio.ensure_future(sleep(seconds)), asyncio.ensure_future(signal.wait())
    try:
        await asyncio.wait((sleeping, aborting), return_when=asyncio.FIRST_COMPLETED)
    finally:
        sleeping.cancel()
        aborting.cancel()
        await asyncio.gather(sleeping, aborting, return_exceptions=True)
    signal.raise_if_aborted()
    sleeping.result()
