"""Locks that held a lease, or never did, and still act as if they had it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from agentports.plans.locks.durations import lifetime
from agentports.plans.locks.leases import expiry
from portproof.selftest import defect

from ._locks import AnyLock, Locks


class _Remembering(AnyLock):
    """Knows whether it ever took the lease."""

    took = False

    async def acquire_immediately(self) -> bool:
        took = await super().acquire_immediately()
        self.took = self.took or took
        return took


@defect("LCK-NO-FALSE-FENCE")
class RunsOnItsMemory(Locks):
    """run of a lock that once took the lease calls fn without looking."""

    class Lock(_Remembering):
        async def run(self, fn: Any) -> Any:
            return (True, await fn()) if self.took else await super().run(fn)


@defect("LCK-NO-FALSE-FENCE")
class AcquiresOnItsMemory(Locks):
    """acquire_immediately of a lock that took the lease and did not release it gives true without looking."""

    class Lock(_Remembering):
        async def acquire_immediately(self) -> bool:
            return self.took or await super().acquire_immediately()

        async def release(self) -> None:
            self.took = False
            await super().release()


@defect("LCK-EXTEND")
class ExtendTakesTheLease(Locks):
    """extend takes a lease that is free."""

    class Lock(AnyLock):
        async def extend(self, duration: Any = None) -> None:
            if self._ticket.key not in self.rows:
                await self.acquire_immediately()
            await super().extend(duration)


@defect("LCK-EXTEND")
class ExtendSetsTheTtl(Locks):
    """A duration that extend was given once is the configured ttl from then on."""

    class Lock(AnyLock):
        async def extend(self, duration: Any = None) -> None:
            await super().extend(duration)
            if duration is not None:
                self._ticket = replace(self._ticket, ttl=lifetime(duration))


@defect("LCK-RELEASE-OWN-ONLY")
class RunFreesTheKey(Locks):
    """The end of run deletes the key, whoever holds it by then."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            if not await self.acquire_immediately():
                return False, None
            try:
                return True, await fn()
            finally:
                self.rows.pop(self._ticket.key, None)


@defect("LCK-EXPIRY")
class LooksThenTakesOver(Locks):
    """That a lease has lapsed is seen in one step, and it is taken in another."""

    class Lock(AnyLock):
        async def acquire_immediately(self) -> bool:
            _, until = self.rows.get(self._ticket.key, ("", None))
            if until is None or until > self._clock():
                return await super().acquire_immediately()
            await asyncio.sleep(0)
            self.rows[self._ticket.key] = (self._ticket.owner, expiry(self._clock(), self._ticket.ttl))
            return True


@defect("LCK-OWNER")
class OwnerStaysAfterALapse(Locks):
    """get_owner is this lock's name until it is released."""

    class Lock(_Remembering):
        async def release(self) -> None:
            self.took = False
            await super().release()

        def get_owner(self) -> str:
            return self._ticket.owner if self.took else super().get_owner()


@defect("LCK-RESTORE")
class RestoresWhatWasReleased(Locks):
    """A restored lock takes the lease again where it is free."""

    def restore_lock(self, serialized: str) -> Any:
        lock: Any = super().restore_lock(serialized)
        lock.restored = True
        return lock

    class Lock(AnyLock):
        restored = False

        async def get_remaining_time(self) -> float:
            if self.restored:
                await self.acquire_immediately()
            return await super().get_remaining_time()


@defect("LCK-ACQUIRE-BOUNDED")
class IgnoresATimeoutInWords(Locks):
    """acquire knows a timeout in milliseconds only."""

    class Lock(AnyLock):
        async def acquire(self, retry: Any = None) -> bool:
            if retry is not None and isinstance(retry.timeout, str):
                retry = retry.model_copy(update={"timeout": None, "attempts": retry.attempts or 50})
            return await super().acquire(retry)


@defect("LCK-ACQUIRE-BOUNDED")
class TakesWhatWasHandedOn(Locks):
    """acquire takes the lease when its holder is another one than before."""

    class Lock(AnyLock):
        async def acquire(self, retry: Any = None) -> bool:
            before = self.rows.get(self._ticket.key)
            took = await super().acquire(retry)
            now = self.rows.get(self._ticket.key)
            return took or (before is not None and now is not None and before[0] != now[0])
