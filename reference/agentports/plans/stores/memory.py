"""A plan store in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from agentports.plans.stores.store import BackedPlanStore
from agentports.plans.stores.tables import PlanRow, Tables

__all__ = ["MemoryPlanStore"]

R = TypeVar("R")


class MemoryTables:
    """Rows by id, and logs, of which the row says how much is there: so saving it is what commits."""

    def __init__(self) -> None:
        self._rows: dict[str, PlanRow] = {}
        self._ops: dict[str, list[bytes]] = {}
        self._events: dict[str, list[bytes]] = {}

    def plan(self, plan_id: str, *, to_change: bool = False) -> PlanRow | None:
        return self._rows.get(plan_id)

    def add_plan(self, row: PlanRow) -> bool:
        return self._rows.setdefault(row.plan_id, row) is row

    def save_plan(self, row: PlanRow) -> None:
        self._rows[row.plan_id] = row

    def plans(self, state: str | None) -> Sequence[PlanRow]:
        return [row for row in self._rows.values() if state in (None, row.state)]

    def add_ops(self, row: PlanRow, ops: Sequence[bytes]) -> None:
        self._ops.setdefault(row.plan_id, [])[row.revision :] = ops

    def ops(self, row: PlanRow, start: int, stop: int) -> Sequence[bytes]:
        return self._ops.get(row.plan_id, [])[start:stop]

    def add_events(self, row: PlanRow, events: Sequence[bytes]) -> None:
        self._events.setdefault(row.plan_id, [])[row.event_count :] = events

    def events(self, row: PlanRow) -> Sequence[bytes]:
        return self._events.get(row.plan_id, [])[: row.event_count]


class MemoryBackend:
    """One transaction at a time, threads included."""

    def __init__(self) -> None:
        self._tables = MemoryTables()
        self._lock = threading.Lock()

    async def run(self, work: Callable[[Tables], R], *, write: bool, then: Callable[[R], Any] | None = None) -> R:
        with self._lock:
            result = work(self._tables)
            if then is not None:
                then(result)
            return result

    async def close(self) -> None:
        """Nothing is open."""


class MemoryPlanStore(BackedPlanStore):
    """Plans that are gone with the process."""

    def __init__(self) -> None:
        super().__init__(MemoryBackend())
