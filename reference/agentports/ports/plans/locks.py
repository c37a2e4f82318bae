"""Leases on running a plan (document 31, section 4). They make a double run unlikely; the claim makes it impossible."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias, TypeVar

from agentports.ports.messages import Data

__all__ = ["LockDuration", "LockRetry", "PlanLock", "PlanLockFactory"]

R = TypeVar("R")

#: Milliseconds, or a number with a unit: `500ms`, `30s`, `5m`, `1h`.
LockDuration: TypeAlias = int | float | str


class LockRetry(Data):
    """How long to try: until `timeout` has passed, or `attempts` were made, with `delay` between them."""

    timeout: LockDuration | None = None
    delay: LockDuration | None = None
    attempts: int | None = None


class PlanLock(Protocol):
    """One claim to the lease of one key."""

    async def acquire(self, retry: LockRetry | None = None) -> bool:
        """Take the lease, and wait for it as `retry` says. False on contention."""
        ...

    async def acquire_immediately(self) -> bool:
        """Take the lease if it is free."""
        ...

    async def release(self) -> None:
        """Give the lease back, if this object holds it."""
        ...

    async def run(self, fn: Callable[[], Awaitable[R]]) -> tuple[bool, R | None]:
        """Call `fn` while holding the lease; `(False, None)` when it is held elsewhere."""
        ...

    async def extend(self, duration: LockDuration | None = None) -> None:
        """Set the time that remains, if this object holds the lease; to the configured one by default."""
        ...

    async def get_remaining_time(self) -> float:
        """Milliseconds; not positive unless this object holds the lease. Infinite without a ttl."""
        ...

    async def is_locked(self) -> bool:
        """Whether anybody holds the lease."""
        ...

    def get_owner(self) -> str:
        """The holder as last observed; empty when free."""
        ...

    def serialize(self) -> str:
        """What `restore_lock` makes the same lock of, in another process too."""
        ...


class PlanLockFactory(Protocol):
    """Makes locks that share their leases."""

    def create_lock(self, key: str, ttl: LockDuration | None = None) -> PlanLock:
        """A lock on the key. Nothing is acquired."""
        ...

    def restore_lock(self, serialized: str) -> PlanLock:
        """The lock that was serialised, with the lease that it holds."""
        ...
