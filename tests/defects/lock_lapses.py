"""Locks whose time is wrong, and former holders that still do something."""

from __future__ import annotations

import math
import re
from typing import Any

from agentports.plans.locks.leases import expiry
from portproof.selftest import defect

from ._locks import AnyLock, Locks, MemoryLeases


@defect("LCK-EXPIRY")
class NeverLapses(Locks):
    """A lease that was taken stays until it is released."""

    class Leases(MemoryLeases):
        def take(self, key: str, owner: str, ttl: float | None) -> None:
            if key not in self._rows:
                super().take(key, owner, ttl)


@defect("LCK-EXPIRY")
class CountsFromCreation(Locks):
    """The ttl begins when the lock is made."""

    def create_lock(self, key: str, ttl: Any = None) -> Any:
        lock: Any = super().create_lock(key, ttl)
        lock.made_at = self._clock()
        return lock

    class Lock(AnyLock):
        made_at: float

        async def acquire_immediately(self) -> bool:
            took = await super().acquire_immediately()
            if took:
                owner, _ = self.rows[self._ticket.key]
                self.rows[self._ticket.key] = (owner, expiry(self.made_at, self._ticket.ttl))
            return took


@defect("LCK-EXPIRY")
class TakesEveryNumberForMilliseconds(Locks):
    """The unit of a duration is dropped."""

    def create_lock(self, key: str, ttl: Any = None) -> Any:
        return super().create_lock(key, re.sub("[a-z]", "", ttl) + "ms" if isinstance(ttl, str) else ttl)


@defect("LCK-EXPIRY")
class LastsAsTheLastTryWants(Locks):
    """A try of another lock changes when the lease lapses, though not who has it."""

    class Leases(MemoryLeases):
        def take(self, key: str, owner: str, ttl: float | None) -> None:
            super().take(key, owner, ttl)
            holder, _ = self._rows[key]
            self._rows[key] = (holder, expiry(self._now, ttl))


@defect("LCK-RELEASE-OWN-ONLY")
class FreesTheKey(Locks):
    """release deletes the key, whoever holds it."""

    class Leases(MemoryLeases):
        def drop(self, key: str, owner: str) -> None:
            self._rows.pop(key, None)


@defect("LCK-RELEASE-OWN-ONLY")
class FreesTheKeyOnceItHeldIt(Locks):
    """release frees the lease of whoever holds it now, if this lock ever had it."""

    class Lock(AnyLock):
        had_it = False

        async def acquire_immediately(self) -> bool:
            self.had_it = await super().acquire_immediately() or self.had_it
            return self.had_it

        async def release(self) -> None:
            if self.had_it:
                self.rows.pop(self._ticket.key, None)
            self.had_it = False


@defect("LCK-RELEASE-OWN-ONLY")
class RaisesWhenItLostTheLease(Locks):
    """release raises when another lock holds the lease."""

    class Lock(AnyLock):
        async def release(self) -> None:
            await super().release()
            if await self.is_locked():
                raise PermissionError("the lease is another's")


@defect("LCK-EXTEND")
class ExtendsWhoeverHolds(Locks):
    """extend extends the lease of the key."""

    class Leases(MemoryLeases):
        def extend(self, key: str, owner: str, ttl: float | None) -> None:
            lease = self.find(key)
            if lease is not None:
                super().extend(key, lease.owner, ttl)


@defect("LCK-EXTEND")
class AddsToWhatRemains(Locks):
    """extend adds the duration."""

    class Leases(MemoryLeases):
        def extend(self, key: str, owner: str, ttl: float | None) -> None:
            lease = self.find(key)
            super().extend(key, owner, None if lease is None or ttl is None else lease.remaining + ttl)


@defect("LCK-EXTEND")
class NeverShortens(Locks):
    """extend leaves a lease as it is that lasts longer."""

    class Leases(MemoryLeases):
        def extend(self, key: str, owner: str, ttl: float | None) -> None:
            lease = self.find(key)
            if lease is not None and lease.remaining < (math.inf if ttl is None else ttl):
                super().extend(key, owner, ttl)


@defect("LCK-EXTEND")
class ExtendsByTheTtl(Locks):
    """extend does not read its duration."""

    class Lock(AnyLock):
        async def extend(self, duration: Any = None) -> None:
            await super().extend()


@defect("LCK-EXTEND")
class RevivesALapsedLease(Locks):
    """extend takes the lease again where it has lapsed and nobody else has it."""

    class Lock(AnyLock):
        async def extend(self, duration: Any = None) -> None:
            if self._ticket.holder == self._ticket.owner:
                await self.acquire_immediately()
            await super().extend(duration)


@defect("LCK-REMAINING")
class SaysTheTtl(Locks):
    """get_remaining_time gives the ttl while the lease is held."""

    class Lock(AnyLock):
        async def get_remaining_time(self) -> float:
            return self._ticket.ttl or math.inf if await super().get_remaining_time() > 0 else 0.0


@defect("LCK-REMAINING")
class SaysSeconds(Locks):
    """get_remaining_time gives seconds."""

    class Lock(AnyLock):
        async def get_remaining_time(self) -> float:
            return await super().get_remaining_time() / 1000


@defect("LCK-REMAINING")
class SaysWhatRemainsOfAnyLease(Locks):
    """get_remaining_time is that of the key, whoever holds the lease."""

    class Lock(AnyLock):
        async def get_remaining_time(self) -> float:
            lease = await self._see()
            return 0.0 if lease is None else lease.remaining


@defect("LCK-REMAINING")
class CountsOnAfterRelease(Locks):
    """get_remaining_time is counted in the lock, from when it took the lease."""

    class Lock(AnyLock):
        until = 0.0

        async def acquire_immediately(self) -> bool:
            took = await super().acquire_immediately()
            if took:
                self.until = self._clock() * 1000 + (self._ticket.ttl or math.inf)
            return took

        async def extend(self, duration: Any = None) -> None:
            await super().extend(duration)
            self.until = self._clock() * 1000 + await super().get_remaining_time()

        async def get_remaining_time(self) -> float:
            return self.until - self._clock() * 1000


@defect("LCK-NO-FALSE-FENCE")
class BelievesItsFlag(Locks):
    """Who took the lease and did not release it is told what remains of it, whoever holds it now."""

    class Lock(AnyLock):
        flag = False

        async def acquire_immediately(self) -> bool:
            self.flag = await super().acquire_immediately()
            return self.flag

        async def release(self) -> None:
            await super().release()
            self.flag = False

        async def get_remaining_time(self) -> float:
            lease = await self._see()
            return lease.remaining if lease is not None and self.flag else 0.0


@defect("LCK-NO-FALSE-FENCE")
class BelievesItsTimer(Locks):
    """extend winds up a timer in the lock, though the lease is not extended."""

    class Lock(AnyLock):
        wound_up = 0.0

        async def extend(self, duration: Any = None) -> None:
            await super().extend(duration)
            self.wound_up = self._clock() * 1000 + (self._ticket.ttl or math.inf)

        async def get_remaining_time(self) -> float:
            return max(await super().get_remaining_time(), self.wound_up - self._clock() * 1000)
