"""Locks that do not tell who holds them, or are not the same when restored."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from agentports.plans import SQLitePlanLocks
from portproof.selftest import defect

from ._locks import AnyLock, Locks


@defect("LCK-OWNER")
class OwnerIsAwaited(Locks):
    """get_owner is a coroutine."""

    class Lock(AnyLock):
        async def get_owner(self) -> Any:  # type: ignore[override]
            return super().get_owner()


@defect("LCK-OWNER")
class OwnerIsTheProcess(Locks):
    """All locks of a process have one owner."""

    class Lock(AnyLock):
        def get_owner(self) -> str:
            return str(os.getpid()) if super().get_owner() else ""


@defect("LCK-OWNER")
class OwnerIsMadeUp(Locks):
    """get_owner is another one at each call."""

    class Lock(AnyLock):
        def get_owner(self) -> str:
            return uuid4().hex if super().get_owner() else ""


@defect("LCK-OWNER")
class OwnerChangesWhenExtended(Locks):
    """extend takes the lease in a new name."""

    class Lock(AnyLock):
        async def extend(self, duration: Any = None) -> None:
            if self._ticket.holder == self._ticket.owner:
                await self.release()
                self._ticket = replace(self._ticket, owner=uuid4().hex)
                await self.acquire_immediately()
            await super().extend(duration)


@defect("LCK-OWNER")
class OwnerStaysAfterRelease(Locks):
    """get_owner is this lock's name, whether it holds the lease or not."""

    class Lock(AnyLock):
        def get_owner(self) -> str:
            return self._ticket.owner


@defect("LCK-OWNER")
class FreeIsNone(Locks):
    """get_owner of a free lease is None."""

    class Lock(AnyLock):
        def get_owner(self) -> Any:
            return super().get_owner() or None


@defect("LCK-RESTORE")
class RestoresWithANewOwner(Locks):
    """A restored lock is a new one on the same key."""

    def restore_lock(self, serialized: str) -> Any:
        data = json.loads(serialized)
        return self.create_lock(data["key"], data["ttl"])


@defect("LCK-RESTORE")
class RestoresTheNameOnly(Locks):
    """A restored lock tells the same owner, and does not hold the lease until it acquires."""

    class Lock(AnyLock):
        restored = False

        async def get_remaining_time(self) -> float:
            return 0.0 if self.restored else await super().get_remaining_time()

    def restore_lock(self, serialized: str) -> Any:
        lock: Any = super().restore_lock(serialized)
        lock.restored = True
        return lock


@defect("LCK-RESTORE")
class TakesTheLeaseWhenRestored(Locks):
    """restore_lock takes the lease where it is free, even one that had lapsed."""

    def restore_lock(self, serialized: str) -> Any:
        lock: Any = super().restore_lock(serialized)
        owner, expires = self._backend.rows.get(lock._ticket.key, (lock._ticket.owner, None))
        if expires is None or expires < self._clock():
            self._backend.rows[lock._ticket.key] = (owner, None)
        return lock


@defect("LCK-RESTORE")
class LetsGoToRestore(Locks):
    """The lease is free between serialize and the first call of the restored lock."""

    def restore_lock(self, serialized: str) -> Any:
        lock: Any = super().restore_lock(serialized)
        self._backend.rows.pop(lock._ticket.key, None)
        return lock


@defect("LCK-RESTORE")
class RestoredCannotRelease(Locks):
    """release of a restored lock leaves the lease to the original."""

    class Lock(AnyLock):
        async def release(self) -> None:
            if not getattr(self, "restored", False):
                await super().release()

    def restore_lock(self, serialized: str) -> Any:
        lock: Any = super().restore_lock(serialized)
        lock.restored = True
        return lock


@defect("LCK-RESTORE")
class KnowsItsOwnTicketsOnly(SQLitePlanLocks):
    """What another factory serialised is refused."""

    def __init__(self, tmp_path: Path, clock: Any, sleep: Any) -> None:
        super().__init__(tmp_path / "locks.db", clock, sleep)
        self.kept: dict[str, Any] = {}

    def create_lock(self, key: str, ttl: Any = None) -> Any:
        lock = super().create_lock(key, ttl)
        self.kept[lock._ticket.owner] = lock
        return lock

    def restore_lock(self, serialized: str) -> Any:
        return self.kept[json.loads(serialized)["owner"]]
