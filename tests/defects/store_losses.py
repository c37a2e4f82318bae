"""Stores that lose, some calls later, what they had."""

from __future__ import annotations

from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-LIST-LABEL")
class LosesTheLabel(Storing):
    """Has no label after a transition."""

    async def commit(self, plan: Plan, request: Any) -> None:
        await super().commit(plan, request)
        plan.label = None


@defect("STO-LIST-LABEL")
class ListsOnePage(Storing):
    """Lists a hundred plans and no more."""

    async def list(self, state: str | None = None) -> list[Any]:
        return (await super().list(state))[-100:]


@defect("STO-TEMPLATE-PROVENANCE")
class LosesTheProvenance(Storing):
    """Has no provenance after approval."""

    async def commit(self, plan: Plan, request: Any) -> None:
        await super().commit(plan, request)
        if request.to == "executable":
            plan.provenance = None


@defect("STO-APPEND-KEEPS-ORDER")
class ReadsOnePageOfOps(Storing):
    """Reads a hundred ops and no more."""

    async def read_ops(self, plan_id: str, **which: Any) -> Any:
        return (await super().read_ops(plan_id, **which))[:100]


@defect("STO-EVENTS-ROUND-TRIP")
class ReadsOnePageOfEvents(Storing):
    """Reads a hundred events and no more."""

    async def read_run_events(self, plan_id: str, run_id: str | None = None) -> Any:
        return (await super().read_run_events(plan_id, run_id))[:100]


@defect("STO-CLAIM-RESUME")
class ResumesFromNothing(Storing):
    """Begins a new log when the run is re-entered."""

    async def claim_run(self, plan_id: str, expected_digest: str, resume_run_id: str | None = None) -> Any:
        result = await super().claim_run(plan_id, expected_digest, resume_run_id)
        if result.ok and result.resumed:
            self.plan(plan_id).events = []
        return result


@defect("STO-APPEND-EXECUTABLE-REFUSED")
class DropsTheDecisionInTheEnd(Storing):
    """Keeps a decision until the run is completed."""

    async def add_events(self, plan: Plan, events: list[Any]) -> None:
        await super().add_events(plan, events)
        if plan.completed:
            plan.approval = None


@defect("STO-EVENTS-ARTIFACTS")
class DropsWhatJoinsHold(Storing):
    """Leaves out the artifacts that arrived at a join."""

    def own(self, record: Any) -> Any:
        kept = super().own(record)
        return kept.model_copy(update={"artifacts": {}}) if isinstance(record, p.JoinArrival) else kept


@defect("STO-APPEND-ISOLATION")
class ReturnsTheProvenanceItKeeps(Storing):
    """Returns in the list the very provenance that it keeps."""

    def summary(self, plan: Plan) -> Any:
        return super().summary(plan).model_copy(update={"provenance": plan.provenance})


@defect("STO-TRANSITION-UNFREEZE")
class RemembersWhatWasSentBack(Storing):
    """Accepts no digest again that a reviewer sent back."""

    def __init__(self) -> None:
        super().__init__()
        self.sent_back: set[tuple[str, str]] = set()

    def against_transition(self, plan: Plan, request: Any) -> Any:
        reason, what = super().against_transition(plan, request), (plan.id, request.expected_digest)
        if reason is None and request.to == "editable":
            self.sent_back.add(what)
        return "digest_mismatch" if reason is None and request.to != "editable" and what in self.sent_back else reason
