"""Stores that take one thing for another that is near it: runs, clones, revisions, digests."""

from __future__ import annotations

import json
from typing import Any

from portproof_defects._stores import Plan, Storing
from portproof_defects.store_digests import OwnDigest

from agentports.plans import fold_ops
from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-CLONE-COLD")
class ClonesTheEvents(Storing):
    """Copies the run's log along, which shows once the clone runs."""

    def clone(self, source: Plan, new_id: str, revision: int) -> Plan:
        clone = super().clone(source, new_id, revision)
        clone.events = [*source.events]
        return clone


@defect("STO-CLONE-COLD")
class ClonesTheEnd(Storing):
    """Copies along that the run is completed."""

    def clone(self, source: Plan, new_id: str, revision: int) -> Plan:
        clone = super().clone(source, new_id, revision)
        clone.completed = source.completed
        return clone


@defect("STO-CLONE-COMPLETED")
class InheritsWhatWasCompleted(Storing):
    """Lists for a clone's clone what the first one listed."""

    def completed(self, source: Plan) -> list[str]:
        inherited = getattr(source.provenance, "completed_at_clone", [])
        return list(dict.fromkeys([*inherited, *super().completed(source)]))


@defect("STO-CLONE-REFUSALS")
class RoundsTheRevision(Storing):
    """Takes half a revision for a whole one."""

    async def clone_plan(self, source_plan_id: str, new_plan_id: str, at_revision: int | None = None) -> Any:
        whole = None if at_revision is None else int(at_revision)
        return await super().clone_plan(source_plan_id, new_plan_id, whole)


@defect("STO-CLAIM-DIGEST")
class ResumesAtAnyDigest(Storing):
    """Compares the digest for a fresh claim only."""

    def against_claim(self, plan: Plan, expected_digest: str, resume: str | None) -> Any:
        return super().against_claim(plan, self.digest(plan) if resume is not None else expected_digest, resume)


@defect("STO-CLAIM-EXISTING-ID")
class NamesNoRunForAnotherDigest(Storing):
    """Leaves existing_run_id out where the digest is another."""

    async def claim_run(self, plan_id: str, expected_digest: str, resume_run_id: str | None = None) -> Any:
        result = await super().claim_run(plan_id, expected_digest, resume_run_id)
        return result.model_copy(update={"existing_run_id": None}) if result.reason == "digest_mismatch" else result


@defect("STO-CLAIM-RESUME-COMPLETED")
class LooksAtTheFirstStopOfABatch(Storing):
    """Judges a batch by the first event in it that settles the run."""

    def completes(self, plan: Plan, events: list[Any]) -> bool:
        return [event.outcome for event in events if event.kind == "run_settled"][:1] == ["completed"]


@defect("STO-EVENTS-READ")
class FindsRunsOfOtherPlans(Storing):
    """Finds a run by its id alone."""

    async def read_run_events(self, plan_id: str, run_id: str | None = None) -> Any:
        of_run = next((plan.id for plan in self.plans.values() if run_id is not None and plan.run == run_id), plan_id)
        return await super().read_run_events(of_run, run_id)


@defect("STO-READ-OPS-UNREACHED")
class SlicesLaterOps(Storing):
    """Does not look how long the log is when it is asked for later ops."""

    async def read_ops(
        self, plan_id: str, *, since_lamport: int | None = None, through_revision: int | None = None
    ) -> Any:
        if since_lamport is not None and through_revision is not None:
            through_revision = max(0, min(through_revision, len(self.plan(plan_id).log)))
        return await super().read_ops(plan_id, since_lamport=since_lamport, through_revision=through_revision)


@defect("STO-DIGEST-TELLS-APART")
class DigestsNoHandles(OwnDigest):
    """Digests of an edge where it leads."""

    def told(self, view: Any) -> Any:
        edges = [[edge.id, edge.from_, edge.to] for edge in view.edges]
        return [view.revision, repr(view.nodes), edges, repr(view.bounds)]


@defect("STO-TEMPLATE-PROVENANCE")
class DigestsArgumentsAsText(Storing):
    """Digests the arguments of a template as JSON has them, and not which template it was."""

    def fold_ops(self, plan_id: str, ops: Any, provenance: Any = None) -> Any:
        if isinstance(provenance, p.TemplateProvenance):
            provenance = p.TemplateProvenance(template="", args={"x": json.dumps(provenance.args, default=str)})
        return fold_ops(plan_id, ops, provenance)

    def fold(self, plan: Plan, revision: int | None = None) -> Any:
        return self.fold_ops(plan.id, plan.log[:revision], plan.provenance).view
