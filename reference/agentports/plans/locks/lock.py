"""One lock: a claim to the lease of one key (document 31, section 4)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from agentports.plans.locks.durations import lifetime
from agentports.plans.locks.leases import Lease, LeaseBackend, Leases
from agentports.plans.locks.tickets import Ticket, written
from agentports.plans.locks.waiting import Patience, finished
from agentports.ports.plans import LockDuration, LockRetry

__all__ = ["BackedPlanLock"]

R = TypeVar("R")


class BackedPlanLock:
    """A `PlanLock`. Made by a factory. Each look at the lease is one transaction of the backend.

    What holds the lease is this object and those restored from its text; one that takes the lease again renews it.
    """

    def __init__(
        self,
        backend: LeaseBackend,
        ticket: Ticket,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[Any]],
    ) -> None:
        self._backend = backend
        self._ticket = ticket
        self._clock = clock
        self._sleep = sleep

    async def acquire(self, retry: LockRetry | Mapping[str, Any] | None = None) -> bool:
        """Take the lease, trying as often as `retry` says; once without a limit. False on contention.

        Raises `ValueError` for what is no duration.
        """
        patience = Patience(retry, self._clock)
        while not await self.acquire_immediately():
            wait = patience.wait()
            if wait is None:
                return False
            await self._sleep(wait)
        return True

    async def acquire_immediately(self) -> bool:
        """Take the lease if it is free, or is this lock's already. A call that is cancelled takes nothing."""
        held = self._ticket.holder == self._ticket.owner
        taking = asyncio.ensure_future(self._see(lambda leases: leases.take(*self._claim, self._ticket.ttl)))
        try:
            return self._is_mine(await asyncio.shield(taking))
        except asyncio.CancelledError:
            if not held:
                await finished(self._give_up(taking))
            raise

    async def release(self) -> None:
        """Free the lease, if this lock holds it. May be called at any time, and any number of times."""
        await self._see(lambda leases: leases.drop(*self._claim))

    async def run(self, fn: Callable[[], Awaitable[R]]) -> tuple[bool, R | None]:
        """True and what `fn` gives, called while holding the lease; False and None when it is held elsewhere.

        The lease is free when this ends, cancelled or not. What `fn` raises comes through; that the lease
        could not be freed is raised only where `fn` ended well.
        """
        if not await self.acquire_immediately():
            return False, None
        try:
            result = await fn()
        except BaseException:
            with suppress(Exception):
                await finished(self.release())
            raise
        await finished(self.release())
        return True, result

    async def extend(self, duration: LockDuration | None = None) -> None:
        """Set what remains, if this lock holds the lease: the configured ttl by default.

        Raises `ValueError` for what is no duration.
        """
        ttl = self._ticket.ttl if duration is None else lifetime(duration)
        await self._see(lambda leases: leases.extend(*self._claim, ttl))

    async def get_remaining_time(self) -> float:
        """Milliseconds, infinite without a ttl; 0 unless this lock holds the lease."""
        lease = await self._see()
        return lease.remaining if lease is not None and self._is_mine(lease) else 0.0

    async def is_locked(self) -> bool:
        """Whether anybody holds the lease."""
        return await self._see() is not None

    def get_owner(self) -> str:
        """Who held the lease when this lock last looked: host, process and a number. Empty when it was free."""
        return self._ticket.holder

    def serialize(self) -> str:
        """JSON, of which `restore_lock` makes a lock that holds the same lease. Whoever has it can release it."""
        return written(self._ticket)

    @property
    def _claim(self) -> tuple[str, str]:
        return self._ticket.key, self._ticket.owner

    def _is_mine(self, lease: Lease | None) -> bool:
        return lease is not None and lease.owner == self._ticket.owner

    async def _see(self, change: Callable[[Leases], None] | None = None) -> Lease | None:
        """Change the leases, and note who holds this one then."""

        def work(leases: Leases) -> Lease | None:
            if change is not None:
                change(leases)
            return leases.find(self._ticket.key)

        lease = await self._backend.run(work, write=change is not None)
        self._ticket = replace(self._ticket, holder="" if lease is None else lease.owner)
        return lease

    async def _give_up(self, taking: asyncio.Future[Any]) -> None:
        """Once the lease is taken, if it is, free it."""
        with suppress(Exception):
            await taking
            await self.release()
