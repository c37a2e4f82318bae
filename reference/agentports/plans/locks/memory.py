"""Leases in memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from agentports.plans.locks.factory import BackedPlanLocks
from agentports.plans.locks.leases import Lease, Leases, expiry, live

__all__ = ["MemoryPlanLocks"]

R = TypeVar("R")

_Rows = dict[str, tuple[str, float | None]]


class MemoryLeases:
    """Owner and expiry by key."""

    def __init__(self, rows: _Rows, now: float) -> None:
        self._rows = rows
        self._now = now

    def find(self, key: str) -> Lease | None:
        row = self._rows.get(key)
        lease = None if row is None else live(*row, self._now)
        if lease is None:
            self._rows.pop(key, None)
        return lease

    def take(self, key: str, owner: str, ttl: float | None) -> None:
        lease = self.find(key)
        if lease is None or lease.owner == owner:
            self._rows[key] = (owner, expiry(self._now, ttl))

    def extend(self, key: str, owner: str, ttl: float | None) -> None:
        if self._is_held(key, owner):
            self._rows[key] = (owner, expiry(self._now, ttl))

    def drop(self, key: str, owner: str) -> None:
        if self._is_held(key, owner):
            del self._rows[key]

    def _is_held(self, key: str, owner: str) -> bool:
        lease = self.find(key)
        return lease is not None and lease.owner == owner


class MemoryLeaseBackend:
    """One transaction at a time, threads included."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._rows: _Rows = {}
        self._lock = threading.Lock()
        self._clock = clock

    async def run(self, work: Callable[[Leases], R], *, write: bool) -> R:
        with self._lock:
            return work(MemoryLeases(self._rows, self._clock()))

    async def close(self) -> None:
        """Nothing is open."""


class MemoryPlanLocks(BackedPlanLocks):
    """Leases among the threads and tasks of one process. `clock` and `sleep` are in seconds."""

    def __init__(
        self, clock: Callable[[], float] | None = None, sleep: Callable[[float], Awaitable[Any]] | None = None
    ) -> None:
        super().__init__(MemoryLeaseBackend(clock or time.time), clock, sleep)
