"""Stores whose clones are not what they should be."""

from __future__ import annotations

from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-CLONE-CONTENT")
class ClonesThePresent(Storing):
    """Clones what the source is now, at any revision."""

    def clone(self, source: Plan, new_id: str, revision: int) -> Plan:
        clone = super().clone(source, new_id, revision)
        clone.log = [*source.log]
        return clone


@defect("STO-CLONE-CONTENT")
class SquashesTheLog(Storing):
    """Writes the content anew, with as few ops as it takes."""

    def clone(self, source: Plan, new_id: str, revision: int) -> Plan:
        clone = super().clone(source, new_id, revision)
        nodes = self.fold(source, revision).nodes
        clone.log = [p.AddNode(op_id=f"{i}", actor_id="c", lamport=i, at="", node=node) for i, node in enumerate(nodes)]
        return clone


@defect("STO-CLONE-COLD")
class CopiesTheRow(Storing):
    """Copies decision and run along."""

    def clone(self, source: Plan, new_id: str, revision: int) -> Plan:
        clone = super().clone(source, new_id, revision)
        clone.approval, clone.run, clone.events = source.approval, source.run, source.events
        return clone


@defect("STO-CLONE-COLD")
class ClonesTheRun(Storing):
    """Copies the run along, so that a clone can never run."""

    def clone(self, source: Plan, new_id: str, revision: int) -> Plan:
        clone = super().clone(source, new_id, revision)
        clone.run = source.run
        return clone


@defect("STO-CLONE-PROVENANCE")
class ForgetsTheParentsProvenance(Storing):
    """Computes the parent's digest without the parent's own provenance."""

    def lineage(self, source: Plan, revision: int) -> Any:
        bare = Plan(source.id, log=source.log)
        digest = self.fold(bare, revision).digest
        return super().lineage(source, revision).model_copy(update={"parent_digest": digest})


@defect("STO-CLONE-PROVENANCE")
class NamesThePresentDigest(Storing):
    """Names the digest that the parent has now."""

    def lineage(self, source: Plan, revision: int) -> Any:
        return super().lineage(source, revision).model_copy(update={"parent_digest": self.digest(source)})


@defect("STO-CLONE-COMPLETED")
class ListsWhatWasEntered(Storing):
    """Lists every node that was entered."""

    def completed(self, source: Plan) -> list[str]:
        frames = [event for event in source.events if event.kind in ("node_entered", "node_settled")]
        return list(dict.fromkeys(event.frame.node_id for event in frames))


@defect("STO-CLONE-COMPLETED")
class ReadsTheParentLive(Storing):
    """Looks up what the parent has completed by now."""

    async def read_provenance(self, plan_id: str) -> Any:
        lineage = await super().read_provenance(plan_id)
        if getattr(lineage, "kind", "") != "clone":
            return lineage
        return lineage.model_copy(update={"completed_at_clone": self.completed(self.plan(lineage.parent))})


@defect("STO-CLONE-COMPLETED-ORDER")
class ListsEverySettlement(Storing):
    """Lists a node for each of its settlements."""

    def completed(self, source: Plan) -> list[str]:
        settled = [event for event in source.events if event.kind == "node_settled"]
        return [event.frame.node_id for event in settled if event.outcome.status == "ok"]


@defect("STO-CLONE-COMPLETED-ORDER")
class ListsInReverse(Storing):
    """Lists the last settlement first."""

    def completed(self, source: Plan) -> list[str]:
        return super().completed(source)[::-1]


@defect("STO-CLONE-FREEZABLE")
class SaysAnotherDigestOfAClone(Storing):
    """Computes the digest in the clone's result without its provenance."""

    async def clone_plan(self, source_plan_id: str, new_plan_id: str, at_revision: int | None = None) -> Any:
        made = await super().clone_plan(source_plan_id, new_plan_id, at_revision)
        if not made.ok:
            return made
        bare = Plan(new_plan_id, log=self.plan(new_plan_id).log)
        return made.model_copy(update={"digest": self.digest(bare)})


@defect("STO-CLONE-REFUSALS")
class ClampsTheRevision(Storing):
    """Clones the nearest revision that there is."""

    async def clone_plan(self, source_plan_id: str, new_plan_id: str, at_revision: int | None = None) -> Any:
        source = self.plans.get(source_plan_id)
        if source is not None and at_revision is not None:
            at_revision = max(0, min(at_revision, len(source.log)))
        return await super().clone_plan(source_plan_id, new_plan_id, at_revision)


@defect("STO-CLONE-REFUSALS")
class LooksAtTheTargetFirst(Storing):
    """Says duplicate_id of a target that is taken, though there is no source."""

    async def clone_plan(self, source_plan_id: str, new_plan_id: str, at_revision: int | None = None) -> Any:
        if new_plan_id in self.plans:
            return p.CreateResult(ok=False, reason="duplicate_id")
        return await super().clone_plan(source_plan_id, new_plan_id, at_revision)


@defect("STO-CLONE-INDEPENDENT")
class SharesTheLog(Storing):
    """Shares the list of ops between a plan and its clone."""

    def prefix(self, plan: Plan, revision: int) -> list[Any]:
        return plan.log if revision == len(plan.log) else super().prefix(plan, revision)

    async def extend(self, plan: Plan, batch: list[Any]) -> None:
        plan.log += batch
        self.touch(plan)
