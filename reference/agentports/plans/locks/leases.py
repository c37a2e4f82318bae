"""What a backend of locks keeps, as a transaction sees it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

__all__ = ["Lease", "LeaseBackend", "Leases", "expiry", "live"]

R = TypeVar("R")


@dataclass(frozen=True)
class Lease:
    """A lease that has not lapsed. `remaining` is in milliseconds, infinite for one that does not lapse."""

    owner: str
    remaining: float


class Leases(Protocol):
    """The leases at one moment, inside one transaction. What has lapsed is not there."""

    def find(self, key: str) -> Lease | None:
        """The lease of a key; None when it is free."""
        ...

    def take(self, key: str, owner: str, ttl: float | None) -> None:
        """Give the lease to the owner for so many milliseconds, unless another one has it."""
        ...

    def extend(self, key: str, owner: str, ttl: float | None) -> None:
        """Set what remains, if the owner has the lease."""
        ...

    def drop(self, key: str, owner: str) -> None:
        """Free the lease, if the owner has it."""
        ...


class LeaseBackend(Protocol):
    """Runs transactions on leases, one after the other where they speak of one key."""

    async def run(self, work: Callable[[Leases], R], *, write: bool) -> R:
        """The result of the work, once it is there for all who share the leases."""
        ...

    async def close(self) -> None:
        """Let go of files and connections; may be called twice."""
        ...


def expiry(now: float, ttl: float | None) -> float | None:
    """When a lease lapses, in seconds of the clock that says what is now."""
    return None if ttl is None else now + ttl / 1000


def live(owner: str, expires: float | None, now: float) -> Lease | None:
    """The lease that was written down, unless it has lapsed."""
    remaining = math.inf if expires is None else (expires - now) * 1000
    return Lease(owner, remaining) if remaining > 0 else None
