"""A plan store in one SQLite file."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from agentports.plans.stores.sql import MIGRATIONS, Execute, SqlTables
from agentports.plans.stores.store import BackedPlanStore
from agentports.plans.stores.tables import Tables
from agentports.plans.stores.worker import Worker
from agentports.ports.plans import PlanStoreError

__all__ = ["SQLiteBackend", "SQLitePlanStore"]

R = TypeVar("R")

_WORDS: Final = {"bytes": "BLOB", "int": "INTEGER", "clustered": " WITHOUT ROWID"}
#: How long another process may hold the file, in seconds.
_PATIENCE_S: Final = 60.0


class SQLiteBackend:
    """One connection, used by one thread at a time; any number of processes may have the file open.

    A write is flushed to the disk before it is acknowledged.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._connection = _opened(Path(path))
        self._worker = Worker("agentports-sqlite")
        self._finalizer = weakref.finalize(self, _let_go, self._worker, self._connection)

    async def run(self, work: Callable[[Tables], R], *, write: bool, then: Callable[[R], Any] | None = None) -> R:
        return await self.execute(lambda execute: work(SqlTables(execute)), write=write, then=then)

    async def execute(self, work: Callable[[Execute], R], *, write: bool, then: Callable[[R], Any] | None = None) -> R:
        """The same for work that runs statements of its own."""
        if not self._finalizer.alive:
            raise PlanStoreError("the store was closed")
        return await self._worker.run(lambda: self._transaction(work, write, then))

    async def close(self) -> None:
        await asyncio.to_thread(self._worker.stop)
        self._finalizer()

    def _transaction(self, work: Callable[[Execute], R], write: bool, then: Callable[[R], Any] | None) -> R:
        with _transaction(self._connection, "BEGIN IMMEDIATE" if write else "BEGIN"):
            result = work(self._execute)
        if then is not None:
            then(result)
        return result

    def _execute(self, statement: str, given: Sequence[Any]) -> Any:
        return self._connection.execute(statement, given).fetchall()


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _opened(path: Path) -> sqlite3.Connection:
    """The file, made or brought to this version. Raises `PlanStoreError` for one that is not ours or of a later one."""
    connection = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        with _transaction(connection, "BEGIN IMMEDIATE"):
            _migrate(connection, path)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise PlanStoreError(f"{path} cannot be opened as a plan store: {error}") from error
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise PlanStoreError(
            f"{path} is a plan store of version {version}; this release reads versions up to {len(MIGRATIONS)}. "
            "Upgrade portproof, or open a copy made by this release."
        )
    for migration in MIGRATIONS[version:]:
        for statement in migration:
            connection.execute(statement.format(**_WORDS))
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _let_go(worker: Worker, connection: sqlite3.Connection) -> None:
    worker.stop()
    connection.close()


class SQLitePlanStore(BackedPlanStore):
    """Plans in one file. Raises `PlanStoreError` for a file that is no plan store, or one of a later version."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(SQLiteBackend(path))
