"""What plans consist of: made, cloned, appended to, read (document 31, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from agentports.plans.fold import Fold
from agentports.plans.records import as_template, encoded, event_of, op_of, provenance_of
from agentports.plans.stores.folds import Batch, Folds, folded, with_fold
from agentports.plans.stores.moments import now
from agentports.plans.stores.tables import PlanRow, Tables
from agentports.ports.plans import (
    AppendResult,
    CloneProvenance,
    CreateResult,
    NodeSettled,
    PlanNotFoundError,
    PlanOp,
    PlanProvenance,
    PlanStatus,
    PlanSummary,
    RevisionNotReachedError,
    RunEvent,
)

__all__ = ["append_ops", "clone_plan", "create_plan", "known", "listed", "read_ops", "read_provenance", "read_state"]


def known(tables: Tables, plan_id: str, *, to_change: bool = False) -> PlanRow:
    """The row of a plan. Raises `PlanNotFoundError`."""
    row = tables.plan(plan_id, to_change=to_change)
    if row is None:
        raise PlanNotFoundError(f"there is no plan {plan_id!r}")
    return row


def create_plan(tables: Tables, plan_id: str, label: str | None, provenance: Any) -> CreateResult:
    """An editable plan without ops."""
    origin = None if provenance is None else encoded(as_template(provenance))
    row = folded(PlanRow(plan_id, "editable", "", now(), label=label, provenance=origin), ())
    return _made(row) if tables.add_plan(row) else _refused("duplicate_id")


def clone_plan(tables: Tables, source_id: str, new_id: str, at_revision: int | None) -> CreateResult:
    """An editable plan with the first ops of another one."""
    source = tables.plan(source_id, to_change=True)
    if source is None:
        return _refused("source_missing")
    if tables.plan(new_id) is not None:
        return _refused("duplicate_id")
    revision = source.revision if at_revision is None else at_revision
    if type(revision) is not int or not 0 <= revision <= source.revision:
        return _refused("revision_missing")
    log = tables.ops(source, 0, revision)
    ops = [op_of(data) for data in log]
    origin = CloneProvenance(
        parent=source_id,
        parent_digest=folded(source, ops).digest,
        parent_revision=revision,
        completed_at_clone=_completed([event_of(data) for data in tables.events(source)]),
    )
    empty = PlanRow(new_id, "editable", "", now(), label=source.label, provenance=encoded(origin))
    row = folded(empty, ops)
    if not tables.add_plan(row):
        return _refused("duplicate_id")
    tables.add_ops(empty, log)
    return _made(row)


def append_ops(
    tables: Tables, folds: Folds, plan_id: str, batch: Batch, expected: int | None
) -> tuple[AppendResult, Fold | None]:
    """The batch at the end of the log; and the fold, to be kept when all is durable."""
    row = known(tables, plan_id, to_change=True)
    reason: Any = "not_editable" if row.state != "editable" else None
    if reason is None and expected is not None and expected != row.revision:
        reason = "revision_moved"
    if reason is not None:
        actual = PlanStatus(state=row.state, revision=row.revision)
        return AppendResult(ok=False, reason=reason, actual=actual), None
    fold = folds.take(tables, row)
    if batch.data:
        fold.extend(batch.ops)
        tables.add_ops(row, batch.data)
        row = with_fold(row, fold)
        tables.save_plan(row)
    return AppendResult(ok=True, revision=row.revision, digest=row.digest), fold


def read_ops(tables: Tables, plan_id: str, since: int | None, through: int | None) -> list[PlanOp]:
    """Of the first ops as appended, those with a greater lamport."""
    row = known(tables, plan_id)
    stop = row.revision if through is None else through
    if not 0 <= stop <= row.revision:
        raise RevisionNotReachedError(f"plan {plan_id!r} is at revision {row.revision}; {stop} was not reached")
    ops = [op_of(data) for data in tables.ops(row, 0, stop)]
    return ops if since is None else [op for op in ops if op.lamport > since]


def read_provenance(tables: Tables, plan_id: str) -> PlanProvenance | None:
    """Where the plan came from."""
    return provenance_of(known(tables, plan_id).provenance)


def read_state(tables: Tables, plan_id: str) -> PlanStatus:
    """State, digest and revision."""
    row = known(tables, plan_id)
    return PlanStatus(state=row.state, digest=row.digest, revision=row.revision)


def listed(tables: Tables, state: str | None) -> list[PlanSummary]:
    """A summary of each plan."""
    return [
        PlanSummary(
            plan_id=row.plan_id,
            state=row.state,
            digest=row.digest,
            revision=row.revision,
            node_count=row.node_count,
            label=row.label,
            provenance=provenance_of(row.provenance),
            updated_at=row.updated_at,
        )
        for row in sorted(tables.plans(state), key=attrgetter("plan_id"))
    ]


def _completed(events: Sequence[RunEvent]) -> list[str]:
    """The nodes that settled well, each once, in order of first settlement."""
    settled = (event for event in events if isinstance(event, NodeSettled) and event.outcome.status == "ok")
    return list(dict.fromkeys(event.frame.node_id for event in settled))


def _made(row: PlanRow) -> CreateResult:
    return CreateResult(ok=True, plan_id=row.plan_id, revision=row.revision, digest=row.digest)


def _refused(reason: Any) -> CreateResult:
    return CreateResult(ok=False, reason=reason)
