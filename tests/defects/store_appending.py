"""Stores that append what they should not, or not all of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-APPEND-KEEPS-ORDER")
class SortsWhatItReads(Storing):
    """Reads all of the log by lamport."""

    def prefix(self, plan: Plan, revision: int) -> list[Any]:
        prefix = super().prefix(plan, revision)
        return sorted(prefix, key=lambda op: op.lamport) if revision == len(plan.log) else prefix


@defect("STO-APPEND-KEEPS-ORDER")
class KeepsArgumentsAsLists(Storing):
    """Stores tuples as lists."""

    def op(self, op: Any) -> Any:
        own = super().op(op)
        tuples = own.op == "set_node_field" and type(own.value) is tuple
        return own.model_copy(update={"value": [*own.value]}) if tuples else own


@defect("STO-APPEND-REVIEWABLE-REFUSED")
class AppendsWhileItIsReviewed(Storing):
    """Leaves it to the authoring layer to see whether a plan is frozen."""

    def against_append(self, plan: Plan, expected: int | None) -> Any:
        reason = super().against_append(plan, expected)
        return None if plan.state == "reviewable" and reason == "not_editable" else reason


@defect("STO-APPEND-EXECUTABLE-REFUSED")
class AppendsAfterApproval(Storing):
    """Appends to what was approved."""

    def against_append(self, plan: Plan, expected: int | None) -> Any:
        return None if plan.state == "executable" else super().against_append(plan, expected)


@defect("STO-APPEND-EXPECTED-REVISION")
class TakesZeroForNothing(Storing):
    """Treats an expected revision of 0 as none."""

    def against_append(self, plan: Plan, expected: int | None) -> Any:
        return super().against_append(plan, expected or None)


@defect("STO-APPEND-EXPECTED-REVISION")
class AppendsToAShorterLog(Storing):
    """Refuses only a revision that is lower than the log's."""

    def against_append(self, plan: Plan, expected: int | None) -> Any:
        return super().against_append(plan, None if expected is None else min(expected, len(plan.log)))


@defect("STO-APPEND-NO-EXPECTED")
class WritesTheWholeLog(Storing):
    """Reads the log, waits, and writes it with the batch behind."""

    async def extend(self, plan: Plan, batch: list[Any]) -> None:
        log = plan.log
        await asyncio.sleep(0)
        plan.log = log
        await super().extend(plan, batch)


@defect("STO-APPEND-CAS-CONCURRENT")
class ComparesThenWrites(Storing):
    """Compares the revision, waits, and appends."""

    async def extend(self, plan: Plan, batch: list[Any]) -> None:
        await asyncio.sleep(0)
        await super().extend(plan, batch)


@defect("STO-APPEND-ATOMIC")
class AppendsOneByOne(Storing):
    """Appends op by op, and waits in between."""

    async def extend(self, plan: Plan, batch: list[Any]) -> None:
        for op in batch:
            await super().extend(plan, [op])
            await asyncio.sleep(0)


@defect("STO-APPEND-ATOMIC")
class StopsAtTheFirstBadOp(Storing):
    """Has appended what stands before an item that is no op."""

    async def append_ops(self, plan_id: str, ops: Sequence[Any], expected_revision: int | None = None) -> Any:
        good = [op for op in ops if isinstance(op, p.PlanOpRecord)]
        appended = await super().append_ops(plan_id, good, expected_revision)
        if len(good) < len(ops):
            raise TypeError("an item is no op")
        return appended


@defect("STO-APPEND-EMPTY")
class CountsAnEmptyBatch(Storing):
    """Says a higher revision after an empty batch."""

    async def append_ops(self, plan_id: str, ops: Sequence[Any], expected_revision: int | None = None) -> Any:
        appended = await super().append_ops(plan_id, ops, expected_revision)
        return appended if ops or not appended.ok else appended.model_copy(update={"revision": appended.revision + 1})


@defect("STO-APPEND-REFUSAL-PRIORITY")
class ComparesTheRevisionFirst(Storing):
    """Says that the revision moved, of a plan that is not editable either."""

    def against_append(self, plan: Plan, expected: int | None) -> Any:
        moved = expected not in (None, len(plan.log))
        return "revision_moved" if moved else super().against_append(plan, expected)


@defect("STO-APPEND-MALFORMED")
class StoresAnything(Storing):
    """Leaves out what is no op, and says nothing."""

    async def append_ops(self, plan_id: str, ops: Sequence[Any], expected_revision: int | None = None) -> Any:
        good = [op for op in ops if isinstance(op, p.PlanOpRecord)]
        return await super().append_ops(plan_id, good, expected_revision)


@defect("STO-APPEND-ISOLATION")
class KeepsWhatItIsGiven(Storing):
    """Keeps the very ops that it is given."""

    def op(self, op: Any) -> Any:
        super().op(op)
        return op


@defect("STO-APPEND-ISOLATION")
class ReturnsItsOwnLog(Storing):
    """Returns the list in which it keeps the log."""

    async def read_ops(self, plan_id: str, **which: Any) -> Any:
        ops = await super().read_ops(plan_id, **which)
        return ops if any(value is not None for value in which.values()) else self.plan(plan_id).log


@defect("STO-APPEND-ISOLATION")
class KeepsTheEventsItIsGiven(Storing):
    """Keeps the very events that it is given."""

    async def append_run_events(self, plan_id: str, run_id: str, events: Sequence[Any]) -> None:
        await super().append_run_events(plan_id, run_id, events)
        plan = self.plan(plan_id)
        plan.events[len(plan.events) - len(events) :] = events
