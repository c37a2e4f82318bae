"""Leases in one SQLite file, which may be that of a plan store."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

from agentports.plans.locks.factory import BackedPlanLocks
from agentports.plans.locks.sql import SqlLeaseBackend
from agentports.plans.stores.sqlite import SQLiteBackend

__all__ = ["SQLitePlanLocks"]


class SQLitePlanLocks(BackedPlanLocks):
    """Leases among the processes of one machine, on its clock.

    `clock` and `sleep` are in seconds; `clock` is called in a thread. Raises `PlanStoreError` for a file that is no
    plan store, or one of a later version.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[Any]] | None = None,
    ) -> None:
        now = clock or time.time
        super().__init__(SqlLeaseBackend(SQLiteBackend(path), lambda execute: now()), clock, sleep)
