"""The reference's locks in memory, with their parts to be exchanged."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from agentports.plans.locks.lock import BackedPlanLock
from agentports.plans.locks.memory import MemoryLeaseBackend, MemoryLeases, MemoryPlanLocks
from agentports.plans.locks.tickets import Ticket

__all__ = ["AnyLock", "Locks", "MemoryLeases"]


class AnyLock(BackedPlanLock):
    """A lock of the reference."""

    @property
    def rows(self) -> Any:
        """Owner and expiry by key."""
        return self._backend.rows  # type: ignore[attr-defined]


class Backend(MemoryLeaseBackend):
    """The reference's, whose leases are of any class."""

    def __init__(self, clock: Callable[[], float], leases: Any) -> None:
        super().__init__(clock)
        self._leases = leases

    @property
    def rows(self) -> Any:
        return self._rows

    async def run(self, work: Any, *, write: bool) -> Any:
        return work(self._leases(self._rows, self._clock()))


class Locks(MemoryPlanLocks):
    """The reference's. Name a `Lock` and `Leases` that differ."""

    Lock: ClassVar[Any] = AnyLock
    Leases: ClassVar[Any] = MemoryLeases

    def __init__(
        self, clock: Callable[[], float] | None = None, sleep: Callable[[float], Awaitable[Any]] | None = None
    ) -> None:
        super().__init__(clock, sleep)
        self._backend: Any = Backend(clock or time.time, self.Leases)

    def _lock(self, ticket: Ticket) -> Any:
        return self.Lock(self._backend, ticket, self._clock, self._sleep)
