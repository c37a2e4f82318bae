"""A correct store in exchangeable parts, plainly made. Defects replace one part each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

from agentports.plans import fold_ops
from agentports.ports import plans as p
from portproof.benches.plans.walking import copied

#: A record of any kind.
Record = Any

LEGAL = {("editable", "reviewable"), ("reviewable", "editable"), ("reviewable", "executable")}


@dataclass
class Plan:
    """A plan as the store keeps it."""

    id: str
    label: str | None = None
    provenance: Record = None
    log: list[Record] = field(default_factory=list)
    state: str = "editable"
    approval: Record = None
    run: str | None = None
    events: list[Record] = field(default_factory=list)
    completed: bool = False
    updated: str = ""


class Storing:
    """The store. Each method is atomic, since it awaits nothing."""

    def __init__(self) -> None:
        self.plans: dict[str, Plan] = {}
        self.runs = count(1)

    # ---- parts

    def plan(self, plan_id: str) -> Plan:
        if plan_id not in self.plans:
            raise p.PlanNotFoundError(plan_id)
        return self.plans[plan_id]

    def own(self, record: Record) -> Record:
        """A copy that shares no container."""
        if isinstance(record, p.PlanOpRecord | p.RunEventRecord | p.ApprovalRecord) or hasattr(
            record, "model_fields_set"
        ):
            return type(record).model_construct(
                record.model_fields_set, **{name: self.own(value) for name, value in record}
            )
        if isinstance(record, dict):
            return {key: self.own(value) for key, value in record.items()}
        return [self.own(value) for value in record] if type(record) is list else copied(record)

    def fold(self, plan: Plan, revision: int | None = None) -> Record:
        return fold_ops(plan.id, plan.log[:revision], plan.provenance).view

    def digest(self, plan: Plan) -> str:
        return str(self.fold(plan).digest)

    def now(self) -> str:
        return datetime.now(UTC).isoformat()

    def touch(self, plan: Plan) -> None:
        plan.updated = max(plan.updated, self.now())

    # ---- contents

    async def create_plan(self, plan_id: str, *, label: str | None = None, provenance: Record = None) -> Record:
        if plan_id in self.plans:
            return p.CreateResult(ok=False, reason="duplicate_id")
        origin = None if provenance is None else p.TemplateProvenance.model_validate(provenance)
        plan = Plan(plan_id, label, self.own(origin))
        return self.made(plan)

    def made(self, plan: Plan) -> Record:
        self.touch(plan)
        self.plans[plan.id] = plan
        return p.CreateResult(ok=True, plan_id=plan.id, revision=len(plan.log), digest=self.digest(plan))

    async def clone_plan(self, source_plan_id: str, new_plan_id: str, at_revision: int | None = None) -> Record:
        source = self.plans.get(source_plan_id)
        if source is None:
            return p.CreateResult(ok=False, reason="source_missing")
        if new_plan_id in self.plans:
            return p.CreateResult(ok=False, reason="duplicate_id")
        revision = len(source.log) if at_revision is None else at_revision
        if type(revision) is not int or not 0 <= revision <= len(source.log):
            return p.CreateResult(ok=False, reason="revision_missing")
        return self.made(self.clone(source, new_plan_id, revision))

    def clone(self, source: Plan, new_id: str, revision: int) -> Plan:
        return Plan(new_id, source.label, self.lineage(source, revision), self.prefix(source, revision))

    def lineage(self, source: Plan, revision: int) -> Record:
        return p.CloneProvenance(
            parent=source.id,
            parent_digest=self.fold(source, revision).digest,
            parent_revision=revision,
            completed_at_clone=self.completed(source),
        )

    def completed(self, source: Plan) -> list[str]:
        settled = [event for event in source.events if event.kind == "node_settled"]
        return list(dict.fromkeys(e.frame.node_id for e in settled if e.outcome.status == "ok"))

    def prefix(self, plan: Plan, revision: int) -> list[Record]:
        return plan.log[:revision]

    async def append_ops(self, plan_id: str, ops: Sequence[Record], expected_revision: int | None = None) -> Record:
        plan = self.plan(plan_id)
        batch = [self.op(op) for op in ops]
        reason = self.against_append(plan, expected_revision)
        if reason is not None:
            return p.AppendResult(
                ok=False, reason=reason, actual=p.PlanStatus(state=plan.state, revision=len(plan.log))
            )
        await self.extend(plan, batch)
        return p.AppendResult(ok=True, revision=len(plan.log), digest=self.digest(plan))

    def op(self, op: Record) -> Record:
        if not isinstance(op, p.PlanOpRecord):
            raise TypeError(f"{op!r} is no op")
        return self.own(op)

    def against_append(self, plan: Plan, expected: int | None) -> Record:
        if plan.state != "editable":
            return "not_editable"
        return "revision_moved" if expected not in (None, len(plan.log)) else None

    async def extend(self, plan: Plan, batch: list[Record]) -> None:
        if batch:
            plan.log = [*plan.log, *batch]
            self.touch(plan)

    async def read_ops(
        self, plan_id: str, *, since_lamport: int | None = None, through_revision: int | None = None
    ) -> list[Record]:
        plan = self.plan(plan_id)
        stop = len(plan.log) if through_revision is None else through_revision
        if not 0 <= stop <= len(plan.log):
            raise p.RevisionNotReachedError(f"{stop}")
        return [self.own(op) for op in self.prefix(plan, stop) if since_lamport is None or op.lamport > since_lamport]

    async def read_provenance(self, plan_id: str) -> Record:
        return self.own(self.plan(plan_id).provenance)

    # ---- state

    async def transition(self, plan_id: str, request: Record) -> Record:
        plan = self.plan(plan_id)
        reason = self.against_transition(plan, request)
        if reason == "illegal_transition":
            return p.TransitionResult(ok=False, reason=reason, from_=request.from_, to=request.to)
        if reason is not None:
            actual = p.PlanStatus(state=plan.state, digest=self.digest(plan))
            return p.TransitionResult(ok=False, reason=reason, actual=actual)
        await self.commit(plan, request)
        return p.TransitionResult(ok=True, revision=len(plan.log))

    def against_transition(self, plan: Plan, request: Record) -> Record:
        if plan.state != request.from_:
            return "state_mismatch"
        if self.digest(plan) != request.expected_digest:
            return "digest_mismatch"
        if not self.is_legal(request):
            return "illegal_transition"
        return None if request.to != "executable" or self.binds(plan, request.approval) else "digest_mismatch"

    def is_legal(self, request: Record) -> bool:
        approved = request.to != "executable" or getattr(request, "approval", None) is not None
        return (request.from_, request.to) in LEGAL and approved

    def binds(self, plan: Plan, approval: Record) -> bool:
        return (approval.plan_id, approval.digest) == (plan.id, self.digest(plan))

    async def commit(self, plan: Plan, request: Record) -> None:
        plan.state = request.to
        plan.approval = self.own(request.approval) if request.to == "executable" else None
        self.touch(plan)

    async def read_state(self, plan_id: str) -> Record:
        plan = self.plan(plan_id)
        return p.PlanStatus(state=plan.state, digest=self.digest(plan), revision=len(plan.log))

    async def read_approval(self, plan_id: str) -> Record:
        return self.own(self.plan(plan_id).approval)

    # ---- the run

    async def claim_run(self, plan_id: str, expected_digest: str, resume_run_id: str | None = None) -> Record:
        plan = self.plan(plan_id)
        reason = self.against_claim(plan, expected_digest, resume_run_id)
        if reason is not None:
            return p.ClaimRunResult(ok=False, reason=reason, existing_run_id=self.existing(plan))
        if resume_run_id is None:
            plan.run = self.new_run(plan)
            self.touch(plan)
        return p.ClaimRunResult(ok=True, run_id=plan.run, resumed=resume_run_id is not None)

    def new_run(self, plan: Plan) -> str:
        return f"run-{next(self.runs)}"

    def existing(self, plan: Plan) -> str | None:
        return plan.run

    def against_claim(self, plan: Plan, expected_digest: str, resume: str | None) -> Record:
        if plan.state != "executable":
            return "not_executable"
        if self.digest(plan) != expected_digest:
            return "digest_mismatch"
        return self.against_fresh_claim(plan) if resume is None else self.against_resume(plan, resume)

    def against_fresh_claim(self, plan: Plan) -> Record:
        return "run_already_claimed" if plan.run is not None else None

    def against_resume(self, plan: Plan, resume: str) -> Record:
        if plan.run != resume:
            return "run_not_found"
        return "run_already_settled" if plan.completed else None

    async def append_run_events(self, plan_id: str, run_id: str, events: Sequence[Record]) -> None:
        plan = self.with_run(self.plan(plan_id), run_id)
        if self.is_over(plan):
            raise p.PlanStoreError("the run is completed")
        await self.add_events(plan, [self.own(event) for event in events])

    def is_over(self, plan: Plan) -> bool:
        return plan.completed

    async def add_events(self, plan: Plan, events: list[Record]) -> None:
        plan.events = [*plan.events, *events]
        plan.completed = self.completes(plan, events)
        self.touch(plan)

    def completes(self, plan: Plan, events: list[Record]) -> bool:
        return any(event.kind == "run_settled" and event.outcome == "completed" for event in events)

    async def read_run_events(self, plan_id: str, run_id: str | None = None) -> list[Record]:
        plan = self.plan(plan_id)
        return [self.own(event) for event in self.with_run(plan, plan.run if run_id is None else run_id).events]

    def with_run(self, plan: Plan, run_id: str | None) -> Plan:
        if plan.run is None or run_id != plan.run:
            raise p.RunNotFoundError(f"{run_id}")
        return plan

    # ---- all of them

    async def list(self, state: str | None = None) -> list[Record]:
        return [self.summary(plan) for plan in self.plans.values() if state in (None, plan.state)]

    def summary(self, plan: Plan) -> Record:
        view = self.fold(plan)
        return p.PlanSummary(
            plan_id=plan.id,
            state=plan.state,
            digest=self.digest(plan),
            revision=len(plan.log),
            node_count=len(view.nodes),
            label=plan.label,
            provenance=self.own(plan.provenance),
            updated_at=plan.updated,
        )
