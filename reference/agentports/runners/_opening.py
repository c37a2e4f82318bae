"""Opening what costs money: a caller who gives up leaves nothing open (CODE-START-ABORTED, BRW-START-ABORTED)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from agentports.ports import AbortSignal

__all__ = ["open_session"]


class Stoppable(Protocol):
    """What was opened."""

    async def stop(self) -> None: ...


S = TypeVar("S", bound=Stoppable)


async def open_session(opening: Callable[[], Awaitable[S]], signal: AbortSignal | None) -> S:
    """Return the opened session; stop it when the caller aborted or was cancelled meanwhile, and raise that.

    The opening itself is waited for in either case: only when the far side has named what it opened can it be stopped.
    A second cancellation interrupts even that.
    """
    if signal is not None:
        signal.raise_if_aborted()
    task = asyncio.ensure_future(opening())
    try:
        session = await asyncio.shield(task)
    except asyncio.CancelledError:
        await _stop_what_opens(task)
        raise
    if signal is not None and signal.aborted:
        await session.stop()
        signal.raise_if_aborted()
    return session


async def _stop_what_opens(opening: asyncio.Future[S]) -> None:
    try:
        session = await opening
    except Exception:
        return  # nothing was opened, and the caller asks no more
    await session.stop()
