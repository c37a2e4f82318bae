"""Stores whose calls are not one step each, as who races them, reads meanwhile or cancels them can see."""

from __future__ import annotations

import asyncio
from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-TRANSITION-APPROVE")
class SetsTheStateFirst(Storing):
    """Sets the state, waits, and keeps the decision."""

    async def commit(self, plan: Plan, request: Any) -> None:
        plan.state = request.to
        await asyncio.sleep(0)
        await super().commit(plan, request)


@defect("STO-CLONE-CONTENT")
class ClonesInTwoSteps(Storing):
    """Makes the clone, waits, and copies the log."""

    async def clone_plan(self, source_plan_id: str, new_plan_id: str, at_revision: int | None = None) -> Any:
        made = await super().clone_plan(source_plan_id, new_plan_id, at_revision)
        if made.ok:
            clone = self.plan(new_plan_id)
            log, clone.log = clone.log, []
            await asyncio.sleep(0)
            clone.log = log
        return made


@defect("STO-EVENTS-AFTER-COMPLETED")
class LooksForTheEndThenAppends(Storing):
    """Looks whether the run is completed, waits, and appends."""

    async def add_events(self, plan: Plan, events: list[Any]) -> None:
        await asyncio.sleep(0)
        await super().add_events(plan, events)


@defect("STO-DIGEST-CONSISTENT")
class ReadsInTwoSteps(Storing):
    """Reads the revision, waits, and computes the digest."""

    async def read_state(self, plan_id: str) -> Any:
        plan = self.plan(plan_id)
        state, revision = plan.state, len(plan.log)
        await asyncio.sleep(0)
        return p.PlanStatus(state=state, digest=self.digest(plan), revision=revision)
