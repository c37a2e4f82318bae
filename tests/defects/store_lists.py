"""Stores whose lists, times and ids are off."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

from portproof_defects._stores import Plan, Storing

from portproof.selftest import defect


@defect("STO-LIST")
class ListsByAnOldState(Storing):
    """Filters by a state that it noted before the last transition."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: dict[str, str] = {}

    async def commit(self, plan: Plan, request: Any) -> None:
        self.noted[plan.id] = plan.state
        await super().commit(plan, request)

    async def list(self, state: str | None = None) -> Any:
        plans = [p for p in self.plans.values() if state in (None, self.noted.get(p.id, p.state))]
        return [self.summary(plan) for plan in plans]


@defect("STO-LIST")
class CountsRemovedNodes(Storing):
    """Counts every node that was ever added."""

    def summary(self, plan: Plan) -> Any:
        added = {op.node.id for op in plan.log if op.op == "add_node"}
        return super().summary(plan).model_copy(update={"node_count": len(added)})


@defect("STO-LIST-LABEL")
class LabelsByTheId(Storing):
    """Falls back to the id where there is no label."""

    def summary(self, plan: Plan) -> Any:
        return super().summary(plan).model_copy(update={"label": plan.label or plan.id})


@defect("STO-LIST-LABEL")
class ClonesWithoutLabel(Storing):
    """Does not carry the label over to a clone."""

    def clone(self, source: Plan, new_id: str, revision: int) -> Plan:
        clone = super().clone(source, new_id, revision)
        clone.label = None
        return clone


@defect("STO-UPDATED-AT")
class SaysLocalTime(Storing):
    """Says the local time, without an offset."""

    def now(self) -> str:
        return datetime.now().isoformat()


@defect("STO-UPDATED-AT")
class GoesBackInTime(Storing):
    """Says the time of creation after a transition."""

    def __init__(self) -> None:
        super().__init__()
        self.since: dict[str, str] = {}

    def touch(self, plan: Plan) -> None:
        super().touch(plan)
        created = self.since.setdefault(plan.id, plan.updated)
        if plan.state != "editable":
            plan.updated = created


@defect("STO-PLANS-ISOLATED")
class CachesByRevision(Storing):
    """Keeps one digest for each revision, whichever plan it is."""

    def __init__(self) -> None:
        super().__init__()
        self.cached: dict[int, str] = {}

    def summary(self, plan: Plan) -> Any:
        self.cached[len(plan.log)] = max(self.cached.get(len(plan.log), ""), plan.updated)
        return super().summary(plan).model_copy(update={"updated_at": self.cached[len(plan.log)]})


@defect("STO-IDS-VERBATIM")
class FoldsTheCaseOfIds(Storing):
    """Takes ids that differ in case for one."""

    async def create_plan(self, plan_id: str, *, label: str | None = None, provenance: Any = None) -> Any:
        return await super().create_plan(plan_id.lower(), label=label, provenance=provenance)

    def plan(self, plan_id: str) -> Plan:
        return super().plan(plan_id.lower())


@defect("STO-IDS-VERBATIM")
class NamesFilesByIds(Storing):
    """Keeps a file for each plan, under its id."""

    def __init__(self, tmp_path: Path) -> None:
        super().__init__()
        self.folder = tmp_path

    def made(self, plan: Plan) -> Any:
        file = self.folder / plan.id[:100]
        if not file.is_dir():
            file.parent.mkdir(exist_ok=True, parents=True)
            file.touch()
        return super().made(plan)


@defect("STO-REFUSAL-CHANGES-NOTHING")
class TouchesWhatItRefuses(Storing):
    """Notes a time of change for a transition that it refuses."""

    def against_transition(self, plan: Plan, request: Any) -> Any:
        self.touch(plan)
        return super().against_transition(plan, request)


@defect("STO-REFUSAL-CHANGES-NOTHING")
class AppendsBeforeItRefuses(Storing):
    """Takes the batch in before it compares the revision."""

    async def append_ops(self, plan_id: str, ops: Any, expected_revision: int | None = None) -> Any:
        result = await super().append_ops(plan_id, ops, expected_revision)
        if result.reason == "revision_moved":
            await self.extend(self.plan(plan_id), [self.op(op) for op in ops])
        await asyncio.sleep(0)
        return result
