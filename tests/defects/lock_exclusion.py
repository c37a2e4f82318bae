"""Locks that more than one holds, or that are not free again."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from portproof.selftest import defect

from ._locks import AnyLock, Locks, MemoryLeases


@defect("LCK-EXCLUSIVE")
class KeepsTheLeaseInTheLock(Locks):
    """Each lock has leases of its own."""

    def _lock(self, ticket: Any) -> Any:
        self.__init__(self._clock, self._sleep)  # type: ignore[misc]
        return super()._lock(ticket)


@defect("LCK-EXCLUSIVE")
class LooksThenTakes(Locks):
    """Whether the lease is free is looked up in one step, and it is taken in another."""

    class Leases(MemoryLeases):
        def take(self, key: str, owner: str, ttl: float | None) -> None:
            self._rows.pop(key, None)
            super().take(key, owner, ttl)

    class Lock(AnyLock):
        async def acquire_immediately(self) -> bool:
            if await self.is_locked():
                return False
            await asyncio.sleep(0)
            return await super().acquire_immediately()


@defect("LCK-EXCLUSIVE")
class KeepsTheLeasesInTheFactory(Locks):
    """A second factory over the same directory knows nothing of the first one's leases."""

    def __init__(self, tmp_path: Path, clock: Any, sleep: Any) -> None:
        super().__init__(clock, sleep)


@defect("LCK-EXCLUSIVE")
class SecondTryTakesAnyway(Locks):
    """acquire gives true after its last try, whatever came of it."""

    class Lock(AnyLock):
        async def acquire(self, retry: Any = None) -> bool:
            await super().acquire(retry)
            return True


@defect("LCK-KEYS-INDEPENDENT")
class OneGlobalLock(Locks):
    """All keys share one lease."""

    def create_lock(self, key: str, ttl: Any = None) -> Any:
        return super().create_lock("the lock", ttl)


@defect("LCK-KEYS-INDEPENDENT")
class TidiesKeys(Locks):
    """Case and spaces around a key do not count."""

    def create_lock(self, key: str, ttl: Any = None) -> Any:
        return super().create_lock(key.strip().lower(), ttl)


@defect("LCK-KEYS-INDEPENDENT")
class CutsKeys(Locks):
    """Of a key the first letters count."""

    def create_lock(self, key: str, ttl: Any = None) -> Any:
        return super().create_lock(key[:32], ttl)


@defect("LCK-KEYS-INDEPENDENT")
class ReleasesWhatBeginsAlike(Locks):
    """release frees every key that begins with this one."""

    class Leases(MemoryLeases):
        def drop(self, key: str, owner: str) -> None:
            if self._is_held(key, owner):
                for other in [other for other in self._rows if other.startswith(key)]:
                    del self._rows[other]


@defect("LCK-CREATE-INERT")
class TakesTheLeaseWhenMade(Locks):
    """create_lock takes a lease that is free."""

    def create_lock(self, key: str, ttl: Any = None) -> Any:
        lock = super().create_lock(key, ttl)
        self._backend.rows.setdefault(key, (lock._ticket.owner, None))
        return lock


@defect("LCK-CREATE-INERT")
class ClearsTheKeyWhenMade(Locks):
    """create_lock begins with a clean slate."""

    def create_lock(self, key: str, ttl: Any = None) -> Any:
        self._backend.rows.pop(key, None)
        return super().create_lock(key, ttl)


@defect("LCK-RELEASE-FREES")
class ReleasesInTheLockOnly(Locks):
    """release forgets the lease, which stays taken."""

    class Lock(AnyLock):
        async def release(self) -> None:
            pass


@defect("LCK-RELEASE-FREES")
class ReleasesLater(Locks):
    """release returns before the lease is free."""

    class Lock(AnyLock):
        async def release(self) -> None:
            self._later = asyncio.get_running_loop().call_later(0.05, self.rows.pop, self._ticket.key, None)


@defect("LCK-RELEASE-FREES")
class CoolsDown(Locks):
    """A lease that was released is kept from others for a moment."""

    class Leases(MemoryLeases):
        def drop(self, key: str, owner: str) -> None:
            if self._is_held(key, owner):
                self._rows[key] = ("nobody", self._now + 1)


@defect("LCK-RELEASE-IDEMPOTENT")
class RaisesOnTheSecondRelease(Locks):
    """release of a lock that was released raises."""

    class Lock(AnyLock):
        released = False

        async def release(self) -> None:
            if self.released:
                raise RuntimeError("the lock was released")
            await super().release()
            self.released = True


@defect("LCK-RELEASE-IDEMPOTENT")
class RaisesBeforeAcquire(Locks):
    """release of a lock that never took the lease raises."""

    class Lock(AnyLock):
        taken_at: float

        async def release(self) -> None:
            del self.taken_at
            await super().release()
            self.taken_at = time.time()

        async def acquire_immediately(self) -> bool:
            self.taken_at = time.time()
            return await super().acquire_immediately()


@defect("LCK-RELEASE-IDEMPOTENT")
class CannotBeUsedAfterRelease(Locks):
    """A lock that was released is spent, even if it had never taken the lease."""

    class Lock(AnyLock):
        spent = False

        async def release(self) -> None:
            await super().release()
            self.spent = True

        async def acquire_immediately(self) -> bool:
            return not self.spent and await super().acquire_immediately()
