"""run and acquire let nobody's lease go, and leave none behind, whenever they are cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from agentports.plans import MemoryPlanLocks
from agentports.plans.locks.leases import Leases
from agentports.plans.locks.lock import BackedPlanLock
from agentports.plans.locks.memory import MemoryLeaseBackend


class Slow(MemoryLeaseBackend):
    """Takes its time, and takes effect however its caller fares; or fails once it shall."""

    failing = False

    async def run(self, work: Callable[[Leases], Any], *, write: bool) -> Any:
        if self.failing:
            raise OSError("the disk is gone")
        work_done = asyncio.ensure_future(super().run(work, write=write))
        await asyncio.sleep(0.01)
        return await work_done


class SlowLocks(MemoryPlanLocks):
    """Over such a backend."""

    def __init__(self) -> None:
        super().__init__()
        self._backend: Any = Slow(lambda: 0.0)


async def nothing() -> None:
    """Is done at once."""


async def never() -> None:
    """Is never done."""
    await asyncio.Future()


def cancelled_after(seconds: float, call: Callable[[BackedPlanLock], Any], times: int = 1) -> bool:
    """Whether the lease is taken, after the call was cancelled and has ended."""

    async def main() -> bool:
        locks = SlowLocks()
        task = asyncio.ensure_future(call(locks.create_lock("plan")))
        for _ in range(times):
            await asyncio.sleep(seconds)
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await locks.create_lock("plan").is_locked()

    return asyncio.run(main())


@pytest.mark.parametrize("call", [lambda lock: lock.acquire_immediately(), lambda lock: lock.run(never)])
def test_a_call_that_is_cancelled_while_it_takes_the_lease_gives_it_back(call: Any) -> None:
    """Though the lease was taken by then."""
    assert not cancelled_after(0.005, call)


@pytest.mark.parametrize("times", [1, 2])
def test_a_run_that_is_cancelled_frees_the_lease_before_it_ends(times: int) -> None:
    """A second cancellation while it does so changes nothing."""
    assert not cancelled_after(0.015, lambda lock: lock.run(never), times)


def test_a_run_that_is_cancelled_while_it_releases_releases() -> None:
    """And the cancellation comes through."""
    assert not cancelled_after(0.015, lambda lock: lock.run(nothing))


def test_what_fn_raises_wins_over_a_release_that_fails() -> None:
    """The lease is left to its ttl; the failure of the run is what the caller must know."""
    locks = SlowLocks()
    error = KeyError("of fn")

    async def fail() -> None:
        locks._backend.failing = True
        raise error

    with pytest.raises(KeyError) as raised:
        asyncio.run(locks.create_lock("plan").run(fail))
    assert raised.value is error


def test_a_release_that_fails_after_a_run_that_did_not_is_raised() -> None:
    """Otherwise nobody would know that the lease stays taken."""
    locks = SlowLocks()

    async def done() -> None:
        locks._backend.failing = True

    with pytest.raises(OSError, match="disk"):
        asyncio.run(locks.create_lock("plan").run(done))


def test_a_holder_may_run_and_acquire_again() -> None:
    """Its own lease is not held elsewhere; afterwards it is free."""

    async def main() -> None:
        locks = MemoryPlanLocks()
        lock = locks.create_lock("plan")
        assert await lock.acquire()
        assert await lock.acquire()
        assert await locks.restore_lock(lock.serialize()).run(nothing) == (True, None)
        assert not await lock.is_locked()

    asyncio.run(main())


def test_without_a_limit_acquire_tries_once() -> None:
    """A delay alone is no limit."""

    async def main() -> None:
        locks = MemoryPlanLocks(sleep=lambda seconds: pytest.fail("it waits"))
        assert await locks.create_lock("plan").acquire()
        assert not await locks.create_lock("plan").acquire()
        assert not await locks.create_lock("plan").acquire({"delay": "1s"})

    asyncio.run(main())


def test_a_lock_that_waits_in_vain_tells_who_has_the_lease() -> None:
    """An operator asks who is running the plan; the name tells host and process."""

    async def main() -> None:
        locks = MemoryPlanLocks()
        holder, other = locks.create_lock("plan"), locks.create_lock("plan")
        await holder.acquire()
        assert not await other.acquire()
        assert other.get_owner() == holder.get_owner()
        assert len(holder.get_owner().split(":")) == 3

    asyncio.run(main())
