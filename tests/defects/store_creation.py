"""Stores that begin a plan wrongly."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.ports import DEFAULT_PLAN_BOUNDS, SetBounds
from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-CREATE-GENESIS")
class BeginsWithBounds(Storing):
    """Writes the default bounds as a first op."""

    def made(self, plan: Plan) -> Any:
        if not plan.log:
            plan.log = [SetBounds(op_id="0", actor_id="store", lamport=0, at="", bounds=DEFAULT_PLAN_BOUNDS)]
        return super().made(plan)


@defect("STO-CREATE-DUPLICATE")
class ReplacesAPlan(Storing):
    """INSERT OR REPLACE, and says that there was one."""

    async def create_plan(self, plan_id: str, *, label: str | None = None, provenance: Any = None) -> Any:
        taken = self.plans.pop(plan_id, None)
        made = await super().create_plan(plan_id, label=label, provenance=provenance)
        return made if taken is None else p.CreateResult(ok=False, reason="duplicate_id")


@defect("STO-CREATE-CONCURRENT")
class LooksThenInserts(Storing):
    """Looks whether the id is taken, waits, and inserts."""

    async def create_plan(self, plan_id: str, *, label: str | None = None, provenance: Any = None) -> Any:
        if plan_id in self.plans:
            return p.CreateResult(ok=False, reason="duplicate_id")
        await asyncio.sleep(0)
        self.plans.pop(plan_id, None)
        return await super().create_plan(plan_id, label=label, provenance=provenance)


@defect("STO-TEMPLATE-PROVENANCE")
class CreatesADigestWithoutProvenance(Storing):
    """Computes the digest in the result of create_plan without the provenance."""

    def made(self, plan: Plan) -> Any:
        made = super().made(plan)
        if plan.log or plan.provenance is None or plan.provenance.kind == "clone":
            return made
        return made.model_copy(update={"digest": self.digest(Plan(plan.id))})


@defect("STO-TEMPLATE-PROVENANCE")
class KeepsArgumentsAsText(Storing):
    """Stores the arguments of a template in JSON, which has no other types."""

    async def create_plan(self, plan_id: str, *, label: str | None = None, provenance: Any = None) -> Any:
        if provenance is not None:
            provenance = provenance.model_copy(update={"args": {name: str(v) for name, v in provenance.args.items()}})
        return await super().create_plan(plan_id, label=label, provenance=provenance)


@defect("STO-PROVENANCE-NONE")
class InventsALineage(Storing):
    """Returns an empty record where there is no provenance."""

    async def read_provenance(self, plan_id: str) -> Any:
        lineage = await super().read_provenance(plan_id)
        return SimpleNamespace(kind="template", template="", args={}) if lineage is None else lineage


@defect("STO-UNKNOWN-PLAN")
class CreatesOnFirstUse(Storing):
    """Makes the plan that a call names, if it is not there."""

    def plan(self, plan_id: str) -> Plan:
        return self.plans.setdefault(plan_id, Plan(plan_id, updated=self.now()))


@defect("STO-UNKNOWN-PLAN")
class AnswersForAnUnknownPlan(Storing):
    """Reads no ops of a plan that is not there."""

    async def read_ops(self, plan_id: str, **which: Any) -> Any:
        return await super().read_ops(plan_id, **which) if plan_id in self.plans else []
