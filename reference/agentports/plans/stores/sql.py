"""The tables of a store in SQL that SQLite and PostgreSQL both understand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final, TypeAlias

from agentports.plans.stores.tables import PlanRow

__all__ = ["MIGRATIONS", "Execute", "SqlTables", "key_of"]

#: Runs one statement with `?` for parameters, and gives its rows. What gives rows is a SELECT or is RETURNING them.
Execute: TypeAlias = Callable[[str, Sequence[Any]], Any]

#: What makes a database of version n one of version n + 1; `{…}` are the dialect's words.
MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """
        CREATE TABLE agentports_plans (
            key {bytes} PRIMARY KEY, plan_id {bytes} NOT NULL, state TEXT NOT NULL, digest TEXT NOT NULL,
            updated_at TEXT NOT NULL, revision {int} NOT NULL, node_count {int} NOT NULL, event_count {int} NOT NULL,
            label {bytes}, provenance {bytes}, approval {bytes}, run_id TEXT, run_completed {int} NOT NULL
        )
        """,
        """
        CREATE TABLE agentports_ops (
            key {bytes}, place {int}, op {bytes} NOT NULL, PRIMARY KEY (key, place)
        ){clustered}
        """,
        """
        CREATE TABLE agentports_events (
            key {bytes}, place {int}, event {bytes} NOT NULL, PRIMARY KEY (key, place)
        ){clustered}
        """,
    ),
    (
        """
        CREATE TABLE agentports_leases (
            key {bytes} PRIMARY KEY, owner TEXT NOT NULL, expires DOUBLE PRECISION
        )
        """,
    ),
)

_COLUMNS: Final = tuple(field.name for field in fields(PlanRow))
_TEXTS: Final = ("plan_id", "label")  # as bytes, since not every database takes every text
_CHANGING: Final = tuple(name for name in _COLUMNS if name not in ("plan_id", "label", "provenance"))
_CHANGING_OF: Final = attrgetter(*_CHANGING)
_UPDATE: Final = f"UPDATE agentports_plans SET {', '.join(f'{name} = ?' for name in _CHANGING)} WHERE key = ?"
_SELECT: Final = f"SELECT {', '.join(_COLUMNS)} FROM agentports_plans"


def key_of(text: str) -> bytes:
    """What rows are found by: ids may be longer than an index takes."""
    return hashlib.sha256(_bytes(text)).digest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class SqlTables:
    """Rows and logs."""

    def __init__(self, execute: Execute, for_update: str = "") -> None:
        self._execute = execute
        self._for_update = for_update

    def plan(self, plan_id: str, *, to_change: bool = False) -> PlanRow | None:
        lock = self._for_update if to_change else ""
        rows = self._execute(f"{_SELECT} WHERE key = ?{lock}", [key_of(plan_id)])
        return _row(rows[0]) if rows else None

    def add_plan(self, row: PlanRow) -> bool:
        marks = ", ".join("?" * len(_COLUMNS))
        added = self._execute(
            f"INSERT INTO agentports_plans (key, {', '.join(_COLUMNS)}) VALUES (?, {marks})"
            " ON CONFLICT (key) DO NOTHING RETURNING revision",
            [key_of(row.plan_id), *_values(row)],
        )
        return bool(added)

    def save_plan(self, row: PlanRow) -> None:
        *values, run_completed = _CHANGING_OF(row)
        self._execute(_UPDATE, [*values, int(run_completed), key_of(row.plan_id)])

    def plans(self, state: str | None) -> Sequence[PlanRow]:
        where, given = ("", []) if state is None else (" WHERE state = ?", [state])
        return [_row(row) for row in self._execute(f"{_SELECT}{where}", given)]

    def add_ops(self, row: PlanRow, ops: Sequence[bytes]) -> None:
        for place, op in enumerate(ops, row.revision):
            self._execute("INSERT INTO agentports_ops VALUES (?, ?, ?)", [key_of(row.plan_id), place, op])

    def ops(self, row: PlanRow, start: int, stop: int) -> Sequence[bytes]:
        return self._log("SELECT op FROM agentports_ops", row, start, stop)

    def add_events(self, row: PlanRow, events: Sequence[bytes]) -> None:
        for place, event in enumerate(events, row.event_count):
            self._execute("INSERT INTO agentports_events VALUES (?, ?, ?)", [key_of(row.plan_id), place, event])

    def events(self, row: PlanRow) -> Sequence[bytes]:
        return self._log("SELECT event FROM agentports_events", row, 0, row.event_count)

    def _log(self, select: str, row: PlanRow, start: int, stop: int) -> Sequence[bytes]:
        if start == stop:
            return ()
        where = "WHERE key = ? AND place >= ? AND place < ? ORDER BY place"
        return [bytes(data) for (data,) in self._execute(f"{select} {where}", [key_of(row.plan_id), start, stop])]


def _values(row: PlanRow) -> list[Any]:
    given = {name: getattr(row, name) for name in _COLUMNS} | {"run_completed": int(row.run_completed)}
    return [_bytes(value) if name in _TEXTS and value is not None else value for name, value in given.items()]


def _row(columns: Sequence[Any]) -> PlanRow:
    plan_id, *others, label, provenance, approval, run_id, run_completed = columns
    return PlanRow(*[_text(plan_id), *others, _text(label), provenance, approval, run_id, bool(run_completed)])


def _text(data: bytes | None) -> Any:
    return None if data is None else data.decode("utf-8", "surrogatepass")
