"""Waiting for a call and for the caller's signal at once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from agentports.ports import AbortSignal

T = TypeVar("T")


async def unless_aborted(signal: AbortSignal | None, call: Coroutine[Any, Any, T]) -> T:
    """The call's result. Raises the signal's abort as soon as it comes, after cancelling the call."""
    if signal is None:
        return await call
    task, abort = asyncio.ensure_future(call), asyncio.ensure_future(signal.wait())
    try:
        await asyncio.wait({task, abort}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            signal.raise_if_aborted()
        return task.result()
    finally:
        task.cancel()
        abort.cancel()
        await asyncio.wait({task, abort})
