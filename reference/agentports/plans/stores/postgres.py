"""A plan store in a PostgreSQL database, for many machines."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final, TypeVar

from agentports.plans.stores.sql import MIGRATIONS, Execute, SqlTables
from agentports.plans.stores.store import BackedPlanStore
from agentports.plans.stores.tables import Tables
from agentports.ports.plans import PlanStoreError

__all__ = ["PostgresBackend", "PostgresPlanStore"]

R = TypeVar("R")

_WORDS: Final = {"bytes": "BYTEA", "int": "BIGINT", "clustered": ""}
#: So many transactions are under way at once, each on a connection of its own.
_CONNECTIONS: Final = 4
#: Who makes or changes the tables holds this advisory lock ("agentpor", read as a number).
_SCHEMA_LOCK: Final = 0x6167656E74706F72


class PostgresBackend:
    """A few connections, each with a thread. Connects when it is first used, and again after the server was away.

    A write that was acknowledged is as durable as the server's `synchronous_commit` makes it.
    """

    def __init__(self, dsn: str) -> None:
        self._psycopg = _psycopg()
        self._dsn = dsn
        self._mine = threading.local()
        self._connections: list[Any] = []
        self._threads = ThreadPoolExecutor(_CONNECTIONS, "agentports-postgres")
        self._finalizer = weakref.finalize(self, _let_go, self._threads, self._connections)

    async def run(self, work: Callable[[Tables], R], *, write: bool, then: Callable[[R], Any] | None = None) -> R:
        return await self.execute(lambda execute: work(SqlTables(execute, " FOR UPDATE")), write=write, then=then)

    async def execute(self, work: Callable[[Execute], R], *, write: bool, then: Callable[[R], Any] | None = None) -> R:
        """The same for work that runs statements of its own."""
        if not self._finalizer.alive:
            raise PlanStoreError("the store was closed")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._transaction, work, write, then)

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        self._finalizer()

    def _transaction(self, work: Callable[[Execute], R], write: bool, then: Callable[[R], Any] | None) -> R:
        connection = self._connection()
        # A read sees one moment. A write locks the row of its plan, and then sees what was committed last.
        begin = "BEGIN ISOLATION LEVEL " + ("READ COMMITTED" if write else "REPEATABLE READ READ ONLY")
        try:
            with _transaction(connection, begin):
                result = work(_executing(connection))
        except self._psycopg.Error as error:
            raise PlanStoreError(f"the plan store's database failed: {error}") from error
        if then is not None:
            then(result)
        return result

    def _connection(self) -> Any:
        """This thread's connection. Raises `PlanStoreError` when there is none to be had."""
        connection = getattr(self._mine, "connection", None)
        if connection is not None and not connection.closed:
            return connection
        try:
            connection = self._psycopg.connect(self._dsn, autocommit=True)
        except self._psycopg.Error as error:
            raise PlanStoreError(f"the plan store's database does not answer: {error}") from error
        self._connections.append(connection)
        with _transaction(connection, "BEGIN"):
            _migrate(_executing(connection))
        self._mine.connection = connection
        return connection


def _psycopg() -> ModuleType:
    try:
        import psycopg
    except ImportError as error:
        raise ImportError("PostgreSQL is reached with psycopg: pip install 'portproof[postgres]'") from error
    return psycopg


def _executing(connection: Any) -> Callable[[str, Sequence[Any]], Any]:
    def execute(statement: str, given: Sequence[Any] = ()) -> Any:
        cursor = connection.execute(statement.replace("?", "%s"), given)
        return cursor.fetchall() if statement.startswith("SELECT") or "RETURNING" in statement else []

    return execute


@contextmanager
def _transaction(connection: Any, begin: str) -> Iterator[None]:
    try:
        with connection.pipeline():  # what gives no rows is sent along with what follows
            connection.execute(begin)
            yield
            connection.execute("COMMIT")
    except BaseException:
        if not connection.closed:
            connection.execute("ROLLBACK")
        raise


def _migrate(execute: Callable[..., Any]) -> None:
    execute(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})")
    execute("CREATE TABLE IF NOT EXISTS agentports_schema (version BIGINT NOT NULL)")
    rows = execute("SELECT version FROM agentports_schema")
    version = rows[0][0] if rows else 0
    if version > len(MIGRATIONS):
        raise PlanStoreError(
            f"the database holds a plan store of version {version}; this release reads versions up to "
            f"{len(MIGRATIONS)}. Upgrade portproof, or name another database or schema."
        )
    for migration in MIGRATIONS[version:]:
        for statement in migration:
            execute(statement.format(**_WORDS))
    if version < len(MIGRATIONS):
        execute("DELETE FROM agentports_schema")
        execute("INSERT INTO agentports_schema VALUES (?)", [len(MIGRATIONS)])


def _let_go(threads: ThreadPoolExecutor, connections: list[Any]) -> None:
    threads.shutdown(wait=False)
    for connection in connections:
        connection.close()


class PostgresPlanStore(BackedPlanStore):
    """Plans in a database: `dsn` as libpq takes it, `postgresql://user@host/name`. Tables are made where absent.

    Raises `ImportError` without the extra `postgres`.
    """

    def __init__(self, dsn: str) -> None:
        super().__init__(PostgresBackend(dsn))
