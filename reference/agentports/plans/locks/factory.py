"""The factory of locks: one semantics over any backend (document 31, section 4)."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from agentports.plans.locks.durations import lifetime
from agentports.plans.locks.leases import LeaseBackend
from agentports.plans.locks.lock import BackedPlanLock
from agentports.plans.locks.tickets import Ticket, read_ticket
from agentports.ports.plans import LockDuration

__all__ = ["BackedPlanLocks"]


class BackedPlanLocks:
    """A `PlanLockFactory`. Leases make a double run unlikely; the claim of the run makes it impossible.

    `clock`, in seconds, is what timeouts of `acquire` are measured by, `sleep` is what waits between its tries.
    """

    def __init__(
        self,
        backend: LeaseBackend,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[Any]] | None = None,
    ) -> None:
        self._backend = backend
        self._clock = clock or time.monotonic
        self._sleep = sleep or asyncio.sleep

    def create_lock(self, key: str, ttl: LockDuration | None = None) -> BackedPlanLock:
        """A lock on the key, whose lease lapses after `ttl`, or never. Nothing is acquired.

        Raises `ValueError` for what is no duration.
        """
        return self._lock(Ticket(key, _new_owner(), lifetime(ttl)))

    def restore_lock(self, serialized: str) -> BackedPlanLock:
        """The lock that was serialised, with the lease that it holds. Raises `ValueError` for any other text."""
        return self._lock(read_ticket(serialized))

    async def close(self) -> None:
        """Let go of files and connections. May be called twice; leases stay as they are."""
        await self._backend.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _lock(self, ticket: Ticket) -> BackedPlanLock:
        return BackedPlanLock(self._backend, ticket, self._clock, self._sleep)


def _new_owner() -> str:
    """Nobody else's name; it tells an operator where to look."""
    host = "".join(c if c.isprintable() else "?" for c in socket.gethostname())
    return f"{host}:{os.getpid()}:{uuid4().hex}"
