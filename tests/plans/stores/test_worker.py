"""The thread that works for coroutines."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref
from contextlib import suppress

import pytest

from agentports.plans.stores.worker import Worker


def test_work_is_done_in_turn_and_answered() -> None:
    """Results and errors reach who asked."""

    async def main() -> None:
        worker = Worker("w")
        assert await asyncio.gather(*(worker.run(lambda n=n: n) for n in range(9))) == list(range(9))
        with pytest.raises(ZeroDivisionError):
            await worker.run(lambda: 1 // 0)
        worker.stop()

    asyncio.run(main())


def test_work_that_nobody_waits_for_is_done() -> None:
    """A caller that is cancelled, or whose loop is closed, takes nothing back, and the next is served."""
    worker, done = Worker("w"), threading.Event()

    def work() -> None:
        time.sleep(0.02)
        done.set()

    async def cancelled() -> None:
        await asyncio.wait_for(worker.run(work), 0.001)

    with pytest.raises(TimeoutError):
        asyncio.run(cancelled())
    assert asyncio.run(worker.run(done.is_set))
    worker.stop()


def test_a_worker_that_was_stopped_has_done_all_and_takes_nothing_more() -> None:
    """Nobody waits for ever."""

    async def main() -> None:
        worker, done = Worker("w"), []
        asking = [asyncio.ensure_future(worker.run(lambda n=n: done.append(n))) for n in range(9)]
        await asyncio.sleep(0)
        worker.stop()
        worker.stop()
        assert done == list(range(9))
        await asyncio.gather(*asking)
        with pytest.raises(RuntimeError, match="stopped"):
            await worker.run(int)

    asyncio.run(main())


def test_nothing_is_kept_of_work_that_is_done() -> None:
    """Not even where it failed: a store that is dropped lets go of its file at once."""

    class Held:
        def fail(self) -> None:
            raise ValueError

    async def main() -> None:
        worker, held = Worker("w"), Held()
        seen = weakref.ref(held)
        with suppress(ValueError):
            await worker.run(held.fail)
        del held
        await worker.run(int)
        assert seen() is None
        worker.stop()

    gc.disable()
    try:
        asyncio.run(main())
    finally:
        gc.enable()
