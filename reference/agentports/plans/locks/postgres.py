"""Leases in a PostgreSQL database, which may be that of a plan store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from agentports.plans.locks.factory import BackedPlanLocks
from agentports.plans.locks.sql import SqlLeaseBackend
from agentports.plans.stores.postgres import PostgresBackend
from agentports.plans.stores.sql import Execute

__all__ = ["PostgresPlanLocks"]


class PostgresPlanLocks(BackedPlanLocks):
    """Leases among machines, on the database's clock, for theirs differ. `dsn` is as libpq takes it.

    `clock` and `sleep` are in seconds; `clock`, where given, is called in a thread and stands for the database's.
    Raises `ImportError` without the extra `postgres`.
    """

    def __init__(
        self,
        dsn: str,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[Any]] | None = None,
    ) -> None:
        moment = _now if clock is None else lambda execute: clock()
        super().__init__(SqlLeaseBackend(PostgresBackend(dsn), moment), clock, sleep)


def _now(execute: Execute) -> float:
    rows = execute("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)", [])
    return float(rows[0][0])
