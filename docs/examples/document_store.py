"""A plan store over any database that can replace a document on condition that nobody else did meanwhile."""

import sqlite3
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

from agentports.plans import decode, encode, fold_ops
from agentports.plans.records import approval_of, as_event, as_op, as_template, encoded, event_of, op_of, provenance_of
from agentports.ports import plans as contract

LEGAL = {("editable", "reviewable"), ("reviewable", "editable"), ("reviewable", "executable")}


class Documents:
    """The database, with a version beside each document. Yours has a get and a conditional put of its own."""

    def __init__(self, path):
        self.connection = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")  # what is acknowledged is on the disk
        self.connection.execute("CREATE TABLE IF NOT EXISTS documents (id TEXT PRIMARY KEY, version INT, body BLOB)")

    async def get(self, key):
        found = self.connection.execute("SELECT version, body FROM documents WHERE id = ?", [key])
        return found.fetchone() or (0, None)

    async def put(self, key, version, body):
        """Whether the document still had this version (0: was not there), and so has the new body."""
        insert = "INSERT INTO documents VALUES (?3, 1, ?1) ON CONFLICT DO NOTHING"
        update = "UPDATE documents SET version = version + 1, body = ?1 WHERE version = ?2 AND id = ?3"
        return self.connection.execute(update if version else insert, [body, version, key]).rowcount == 1

    async def all(self):
        return self.connection.execute("SELECT id, body FROM documents ORDER BY id").fetchall()


@dataclass
class Plan:
    """All of a plan: one put changes it whole. Records are kept encoded, so that nobody else holds a part of one."""

    label: str | None = None
    provenance: bytes | None = None
    ops: list[bytes] = field(default_factory=list)
    state: str = "editable"
    digest: str = ""
    node_count: int = 0
    approval: bytes | None = None
    run_id: str | None = None
    events: list[bytes] = field(default_factory=list)
    updated_at: str = ""

    def fold(self, plan_id, revision=None):
        return fold_ops(plan_id, map(op_of, self.ops[:revision]), provenance_of(self.provenance)).view

    def grow(self, plan_id, ops):
        self.ops += ops
        view = self.fold(plan_id)
        self.digest, self.node_count = view.digest, len(view.nodes)

    def stamped(self):
        """As it is put: a clock that was set back does not take the plan back."""
        self.updated_at = max(self.updated_at, datetime.now(UTC).isoformat(timespec="microseconds"))
        return encode(vars(self))

    def expect_run(self, run_id):
        if self.run_id is None or run_id not in (None, self.run_id):
            raise contract.RunNotFoundError(f"the plan's run is {self.run_id!r}, not {run_id!r}")

    def log(self):
        return [event_of(event) for event in self.events]

    def is_completed(self):
        return any(event.kind == "run_settled" and event.outcome == "completed" for event in self.log())


class DocumentStore:
    def __init__(self, tmp_path):
        self.documents = Documents(tmp_path / "plans.db")

    async def close(self):
        self.documents.connection.close()

    async def _find(self, plan_id):
        version, body = await self.documents.get(plan_id)
        if version == 0:
            raise contract.PlanNotFoundError(f"there is no plan {plan_id!r}")
        return version, Plan(**decode(body))

    async def _read(self, plan_id):
        return (await self._find(plan_id))[1]

    async def _change(self, plan_id, work):
        """Read, work, put; all over again when somebody else was quicker. What raises puts nothing."""
        while True:
            version, plan = await self._find(plan_id)
            before = encode(vars(plan))
            result = work(plan)
            if encode(vars(plan)) == before or await self.documents.put(plan_id, version, plan.stamped()):
                return result

    async def _make(self, plan_id, plan, ops):
        plan.grow(plan_id, ops)
        if not await self.documents.put(plan_id, 0, plan.stamped()):
            return contract.CreateResult(ok=False, reason="duplicate_id")
        return contract.CreateResult(ok=True, plan_id=plan_id, revision=len(plan.ops), digest=plan.digest)

    async def create_plan(self, plan_id, *, label=None, provenance=None):
        origin = None if provenance is None else encoded(as_template(provenance))
        return await self._make(plan_id, Plan(label, origin), [])

    async def clone_plan(self, source_plan_id, new_plan_id, at_revision=None):
        refuse = partial(contract.CreateResult, ok=False)
        try:
            source = await self._read(source_plan_id)
        except contract.PlanNotFoundError:
            return refuse(reason="source_missing")
        if (await self.documents.get(new_plan_id))[0]:
            return refuse(reason="duplicate_id")
        revision = len(source.ops) if at_revision is None else at_revision
        if type(revision) is not int or not 0 <= revision <= len(source.ops):
            return refuse(reason="revision_missing")
        settled = [event for event in source.log() if event.kind == "node_settled"]
        done = [event.frame.node_id for event in settled if event.outcome.status == "ok"]
        origin = contract.CloneProvenance(
            parent=source_plan_id,
            parent_digest=source.fold(source_plan_id, revision).digest,
            parent_revision=revision,
            completed_at_clone=list(dict.fromkeys(done)),
        )
        return await self._make(new_plan_id, Plan(source.label, encoded(origin)), source.ops[:revision])

    async def append_ops(self, plan_id, ops, expected_revision=None):
        batch = [encoded(as_op(op)) for op in ops]

        def append(plan):
            actual = contract.PlanStatus(state=plan.state, revision=len(plan.ops))
            refuse = partial(contract.AppendResult, ok=False, actual=actual)
            if plan.state != "editable":
                return refuse(reason="not_editable")
            if expected_revision not in (None, len(plan.ops)):
                return refuse(reason="revision_moved")
            plan.grow(plan_id, batch)
            return contract.AppendResult(ok=True, revision=len(plan.ops), digest=plan.digest)

        return await self._change(plan_id, append)

    async def read_ops(self, plan_id, *, since_lamport=None, through_revision=None):
        plan = await self._read(plan_id)
        revision = len(plan.ops) if through_revision is None else through_revision
        if not 0 <= revision <= len(plan.ops):
            raise contract.RevisionNotReachedError(f"revision {revision} of plan {plan_id!r} was not reached")
        ops = [op_of(op) for op in plan.ops[:revision]]
        return [op for op in ops if since_lamport is None or op.lamport > since_lamport]

    async def read_provenance(self, plan_id):
        return provenance_of((await self._read(plan_id)).provenance)

    async def read_approval(self, plan_id):
        return approval_of((await self._read(plan_id)).approval)

    async def read_state(self, plan_id):
        plan = await self._read(plan_id)
        return contract.PlanStatus(state=plan.state, digest=plan.digest, revision=len(plan.ops))

    async def transition(self, plan_id, request):
        request = contract.TransitionRequest.model_validate(request)
        approval, approves = request.approval, request.to == "executable"

        def move(plan):
            actual = contract.PlanStatus(state=plan.state, digest=plan.digest)
            refuse = partial(contract.TransitionResult, ok=False, actual=actual)
            if plan.state != request.from_:
                return refuse(reason="state_mismatch")
            if plan.digest != request.expected_digest:
                return refuse(reason="digest_mismatch")
            if (request.from_, request.to) not in LEGAL or (approves and approval is None):
                return refuse(reason="illegal_transition", from_=request.from_, to=request.to)
            if approves and (approval.plan_id, approval.digest) != (plan_id, plan.digest):
                return refuse(reason="digest_mismatch")
            plan.state, plan.approval = request.to, encoded(approval) if approves else None
            return contract.TransitionResult(ok=True, revision=len(plan.ops))

        return await self._change(plan_id, move)

    async def claim_run(self, plan_id, expected_digest, resume_run_id=None):
        def claim(plan):
            refuse = partial(contract.ClaimRunResult, ok=False, existing_run_id=plan.run_id)
            if plan.state != "executable":
                return refuse(reason="not_executable")
            if plan.digest != expected_digest:
                return refuse(reason="digest_mismatch")
            if resume_run_id is None and plan.run_id is not None:
                return refuse(reason="run_already_claimed")
            if resume_run_id != plan.run_id:
                return refuse(reason="run_not_found")
            if plan.is_completed():
                return refuse(reason="run_already_settled")
            plan.run_id = plan.run_id or str(uuid4())
            return contract.ClaimRunResult(ok=True, run_id=plan.run_id, resumed=resume_run_id is not None)

        return await self._change(plan_id, claim)

    async def append_run_events(self, plan_id, run_id, events):
        batch = [encoded(as_event(event)) for event in events]

        def append(plan):
            plan.expect_run(run_id)
            if plan.is_completed():
                raise contract.PlanStoreError(f"run {run_id!r} is completed")
            plan.events += batch

        await self._change(plan_id, append)

    async def read_run_events(self, plan_id, run_id=None):
        plan = await self._read(plan_id)
        plan.expect_run(run_id)
        return plan.log()

    async def list(self, state=None):
        plans = [(plan_id, Plan(**decode(body))) for plan_id, body in await self.documents.all()]
        return [_summary(plan_id, plan) for plan_id, plan in plans if state in (None, plan.state)]


def _summary(plan_id, plan):
    derived = {"plan_id": plan_id, "revision": len(plan.ops), "provenance": provenance_of(plan.provenance)}
    return contract.PlanSummary(**vars(plan) | derived)
