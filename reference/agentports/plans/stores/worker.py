"""A thread that works for coroutines."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

__all__ = ["Worker"]

R = TypeVar("R")
_Task: TypeAlias = tuple[asyncio.AbstractEventLoop, "asyncio.Future[Any]", Callable[[], Any]]


class Worker:
    """Does one thing after another. As an executor of one thread, with half of its way to and fro."""

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._stopping = threading.Lock()
        self._stopped = False
        self._thread = threading.Thread(target=_serve, args=(self._tasks,), name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[], R]) -> R:
        """What the work gives or raises; it is done even if nobody waits any longer.

        Raises `RuntimeError` for one that was stopped.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[R] = loop.create_future()
        with self._stopping:
            if self._stopped:
                raise RuntimeError("the worker was stopped")
            self._tasks.put((loop, future, work))
        try:
            return await future
        finally:
            del future  # which has an error whose traceback leads here

    def stop(self) -> None:
        """End the thread, after all that it was given. May be called twice, and by the thread itself."""
        with self._stopping:
            self._stopped = True
            self._tasks.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()


def _serve(tasks: SimpleQueue[_Task | None]) -> None:
    while (task := tasks.get()) is not None:
        _do(*task)
        del task  # or the last work, and all that it holds, would live until the next


def _do(loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any], work: Callable[[], Any]) -> None:
    try:
        result = work()
    except BaseException as error:
        _tell(loop, future, future.set_exception, error)
    else:
        _tell(loop, future, future.set_result, result)
    finally:
        del future, work  # the traceback of an error, which the future has, leads here


def _tell(loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any], settle: Callable[..., None], what: Any) -> None:
    def settle_unless_cancelled() -> None:
        if not future.done():
            settle(what)

    with suppress(RuntimeError):  # the loop was closed meanwhile
        loop.call_soon_threadsafe(settle_unless_cancelled)
