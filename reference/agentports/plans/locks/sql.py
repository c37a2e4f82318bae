"""Leases in SQL that SQLite and PostgreSQL both understand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from agentports.plans.locks.leases import Lease, Leases, expiry, live
from agentports.plans.stores.sql import Execute, key_of

__all__ = ["SqlLeaseBackend", "SqlLeases"]

R = TypeVar("R")


class SqlLeases:
    """Rows of owner and expiry by key."""

    def __init__(self, execute: Execute, now: float) -> None:
        self._execute = execute
        self._now = now

    def find(self, key: str) -> Lease | None:
        rows = self._execute("SELECT owner, expires FROM agentports_leases WHERE key = ?", [key_of(key)])
        if not rows:
            return None
        owner, expires = rows[0]
        return live(owner, expires, self._now)

    def take(self, key: str, owner: str, ttl: float | None) -> None:
        # One statement, for nothing locks a row that is not there yet.
        self._execute(
            "INSERT INTO agentports_leases (key, owner, expires) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE "
            "SET owner = excluded.owner, expires = excluded.expires "
            "WHERE agentports_leases.owner = excluded.owner OR agentports_leases.expires <= ?",
            [key_of(key), owner, expiry(self._now, ttl), self._now],
        )

    def extend(self, key: str, owner: str, ttl: float | None) -> None:
        self._execute(
            "UPDATE agentports_leases SET expires = ? WHERE key = ? AND owner = ? AND (expires IS NULL OR expires > ?)",
            [expiry(self._now, ttl), key_of(key), owner, self._now],
        )

    def drop(self, key: str, owner: str) -> None:
        self._execute("DELETE FROM agentports_leases WHERE key = ? AND owner = ?", [key_of(key), owner])


class _Database(Protocol):
    async def execute(self, work: Callable[[Execute], R], *, write: bool) -> R: ...

    async def close(self) -> None: ...


class SqlLeaseBackend:
    """Leases in the database of a plan store. `moment` tells what is now, within a transaction."""

    def __init__(self, database: _Database, moment: Callable[[Execute], float]) -> None:
        self._database = database
        self._moment = moment

    async def run(self, work: Callable[[Leases], R], *, write: bool) -> R:
        def on_leases(execute: Execute) -> Any:
            return work(SqlLeases(execute, self._moment(execute)))

        result: R = await self._database.execute(on_leases, write=write)
        return result

    async def close(self) -> None:
        await self._database.close()
