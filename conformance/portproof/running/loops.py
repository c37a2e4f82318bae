"""Event loops that end clean, whatever a subject left on them."""

from __future__ import annotations

import asyncio
import contextlib
import warnings
from collections.abc import Coroutine
from typing import Any, TypeVar

from agentports.sim import NothingLeftToWaitFor, VirtualTime
from portproof.running.guard import Hung, interruptible

__all__ = ["RealTime", "Time", "cancel_leftovers", "close_loop"]

T = TypeVar("T")

_GRACE_S = 1.0
#: How long each of the cancellations of a leftover may take; some subjects absorb the first.
_ROUNDS_S = (_GRACE_S, 0.1, 0.1, 0.1, 0.1)


def cancel_leftovers(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel every task that is still on the loop, and give it a moment to end."""
    left = asyncio.all_tasks(loop)
    if loop.is_closed():
        return
    for timeout in _ROUNDS_S:
        pending = [task for task in left if not task.done()]
        if not pending:
            break
        for task in pending:
            task.cancel()
        with contextlib.suppress(NothingLeftToWaitFor, RuntimeError):
            loop.run_until_complete(asyncio.wait(pending, timeout=timeout))
    for task in left:
        # What a leaked task raised was never anybody's to read.
        if task.done() and not task.cancelled():
            task.exception()


def close_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel what runs, close generators and transports, close the loop."""
    if loop.is_closed():
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            with interruptible(5 * _GRACE_S):
                cancel_leftovers(loop)
                _close_transports(loop)
                with contextlib.suppress(NothingLeftToWaitFor, RuntimeError):
                    loop.run_until_complete(loop.shutdown_asyncgens())
        except Hung:
            pass
        finally:
            with contextlib.suppress(RuntimeError):
                loop.close()


def _close_transports(loop: asyncio.AbstractEventLoop) -> None:
    for transport in list(getattr(loop, "_transports", {}).values()):
        transport.abort()
    with contextlib.suppress(NothingLeftToWaitFor, RuntimeError):
        loop.run_until_complete(asyncio.sleep(0))


class RealTime:
    """Time as it is, with the members of `VirtualTime`."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()

    def clock(self) -> float:
        """Now, in seconds."""
        return self.loop.time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end."""
        return self.loop.run_until_complete(main)


#: What a subject may be driven on.
Time = VirtualTime | RealTime
