"""Virtual time: an event loop whose clock jumps to the next timer instead of waiting for it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["NothingLeftToWaitFor", "VirtualLoop", "VirtualTime", "virtual_time"]

T = TypeVar("T")

#: Virtual clocks start here, in seconds, so that a zero is never mistaken for a time.
EPOCH = 1_000_000.0


class NothingLeftToWaitFor(RuntimeError):
    """Everything on a virtual loop waits for something that nobody will ever do: in real time, a hang."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on virtual time. Sockets and threads are waited for in real time; timers are not."""

    def __init__(self) -> None:
        self._now = EPOCH
        self._at_work = 0
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        """Move the clock, as if so much time had passed."""
        self._now += seconds

    def run_in_executor(self, executor: Executor | None, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]
        self._at_work += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._job_ended)
        return future

    def _job_ended(self, _: object) -> None:
        self._at_work -= 1

    @property
    def waits_in_real_time(self) -> bool:
        """Whether a thread or a socket may still wake the loop."""
        return self._at_work > 0 or len(self._selector.get_map()) > 1  # type: ignore[attr-defined]


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if self._loop.waits_in_real_time:
            return super().select(0.05 if timeout is None else min(timeout, 0.05))
        if timeout is None:
            raise NothingLeftToWaitFor("nothing is scheduled and nothing is under way: this call never ends")
        self._loop.advance(timeout)
        return []


class VirtualTime:
    """A clock that moves only when everything waits, or when it is told to. Times are in seconds."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()

    def clock(self) -> float:
        """Now."""
        return self.loop.time()

    async def sleep(self, seconds: float) -> None:
        """Wait on virtual time."""
        await asyncio.sleep(seconds)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.loop.advance(seconds)

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end on virtual time.

        Raises `NothingLeftToWaitFor` when it can never end.
        """
        return self.loop.run_until_complete(main)


@contextmanager
def virtual_time() -> Iterator[VirtualTime]:
    """Virtual time for the body of a with-statement: `with virtual_time() as time: time.run(main())`."""
    time = VirtualTime()
    try:
        yield time
    finally:
        _close(time.loop)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    try:
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=1))
        if not loop.is_closed():
            loop.run_until_complete(loop.shutdown_asyncgens())
    except (NothingLeftToWaitFor, RuntimeError):
        pass
    finally:
        loop.close()
