"""From editable to executable, and the one run (document 31, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import uuid4

from agentports.plans.records import approval_of, as_approval, as_event, encoded, event_of
from agentports.plans.stores.contents import known
from agentports.plans.stores.moments import later_than
from agentports.plans.stores.tables import PlanRow, Tables
from agentports.ports.plans import (
    ApprovalRecord,
    ClaimRunResult,
    PlanStatus,
    PlanStoreError,
    RunEvent,
    RunNotFoundError,
    RunSettled,
    TransitionRequest,
    TransitionResult,
)

__all__ = ["append_run_events", "as_request", "claim_run", "read_approval", "read_run_events", "transition"]

_LEGAL: Final = frozenset({("editable", "reviewable"), ("reviewable", "editable"), ("reviewable", "executable")})

as_request: Final = TransitionRequest.model_validate


def transition(tables: Tables, plan_id: str, request: TransitionRequest) -> TransitionResult:
    """The change of state, with its approval, where every condition holds."""
    row = known(tables, plan_id, to_change=True)
    reason = _reason_against(row, request)
    if reason == "illegal_transition":
        return TransitionResult(ok=False, reason=reason, from_=request.from_, to=request.to)
    if reason is not None:
        return TransitionResult(ok=False, reason=reason, actual=PlanStatus(state=row.state, digest=row.digest))
    to: Any = request.to
    approval = encoded(as_approval(request.approval)) if to == "executable" else None
    tables.save_plan(replace(row, state=to, approval=approval, updated_at=later_than(row.updated_at)))
    return TransitionResult(ok=True, revision=row.revision)


def _reason_against(row: PlanRow, request: TransitionRequest) -> Any:
    if row.state != request.from_:
        return "state_mismatch"
    if row.digest != request.expected_digest:
        return "digest_mismatch"
    approved = request.approval is not None or request.to != "executable"
    if (request.from_, request.to) not in _LEGAL or not approved:
        return "illegal_transition"
    if request.to == "executable" and not _binds(request.approval, row):
        return "digest_mismatch"
    return None


def _binds(approval: ApprovalRecord | None, row: PlanRow) -> bool:
    return approval is not None and (approval.plan_id, approval.digest) == (row.plan_id, row.digest)


def read_approval(tables: Tables, plan_id: str) -> ApprovalRecord | None:
    """The decision on record."""
    return approval_of(known(tables, plan_id).approval)


def claim_run(tables: Tables, plan_id: str, expected_digest: str, resume_run_id: str | None) -> ClaimRunResult:
    """The plan's only run, new or re-entered."""
    row = known(tables, plan_id, to_change=True)
    reason = _reason_against_claim(row, expected_digest, resume_run_id)
    if reason is not None:
        return ClaimRunResult(ok=False, reason=reason, existing_run_id=row.run_id)
    if resume_run_id is not None:
        return ClaimRunResult(ok=True, run_id=resume_run_id, resumed=True)
    run_id = str(uuid4())
    tables.save_plan(replace(row, run_id=run_id, updated_at=later_than(row.updated_at)))
    return ClaimRunResult(ok=True, run_id=run_id, resumed=False)


def _reason_against_claim(row: PlanRow, expected_digest: str, resume_run_id: str | None) -> Any:
    if row.state != "executable":
        return "not_executable"
    if row.digest != expected_digest:
        return "digest_mismatch"
    if resume_run_id is None:
        return None if row.run_id is None else "run_already_claimed"
    if resume_run_id != row.run_id:
        return "run_not_found"
    return "run_already_settled" if row.run_completed else None


def append_run_events(tables: Tables, plan_id: str, run_id: str, given: Sequence[Any]) -> None:
    """The batch at the end of the run's log."""
    events = [as_event(event) for event in given]
    data = [encoded(event) for event in events]
    row = _with_run(known(tables, plan_id, to_change=True), run_id)
    if row.run_completed:
        raise PlanStoreError(f"run {run_id!r} of plan {plan_id!r} is completed; nothing is added to its log")
    completed = any(isinstance(event, RunSettled) and event.outcome == "completed" for event in events)
    if data:
        tables.add_events(row, data)
        count = row.event_count + len(data)
        tables.save_plan(
            replace(row, event_count=count, run_completed=completed, updated_at=later_than(row.updated_at))
        )


def read_run_events(tables: Tables, plan_id: str, run_id: str | None) -> list[RunEvent]:
    """The log of the run."""
    row = _with_run(known(tables, plan_id), run_id)
    return [event_of(data) for data in tables.events(row)]


def _with_run(row: PlanRow, run_id: str | None) -> PlanRow:
    if row.run_id is None:
        raise RunNotFoundError(f"plan {row.plan_id!r} has no run")
    if run_id not in (None, row.run_id):
        raise RunNotFoundError(f"plan {row.plan_id!r} has no run {run_id!r}; its run is {row.run_id!r}")
    return row
