"""Calls that are cancelled at each point where they wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

__all__ = ["cancelled_everywhere"]

#: A call that waits more often than this is cancelled at its first points only.
_POINTS = 12
#: Turns of the loop that a thread's commit may take to be seen after its call was cancelled, in seconds.
_SETTLE_S = 0.02


async def cancelled_everywhere(
    prepare: Callable[[int], Awaitable[str]], call: Callable[[str], Coroutine[Any, Any, Any]]
) -> AsyncIterator[str]:
    """The names of what was prepared and had its call cancelled: at its first point of waiting, its second, …

    Ends with the first call that is over before it can be cancelled.
    """
    for point in range(1, _POINTS + 1):
        name = await prepare(point)
        task = asyncio.ensure_future(call(name))
        for _ in range(point):
            await asyncio.sleep(0)
        finished = task.done()
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task
        yield name
        if finished:
            return
        await asyncio.sleep(_SETTLE_S)
        yield name
