"""Stores that bend or break the log of a run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-EVENTS-ROUND-TRIP")
class KeepsEvidenceAsText(Storing):
    """Keeps evidence as JSON would."""

    async def add_events(self, plan: Plan, events: list[Any]) -> None:
        plain = [
            event.model_copy(update={"evidence": str(event.evidence)}) if getattr(event, "evidence", None) else event
            for event in events
        ]
        await super().add_events(plan, plain)


@defect("STO-EVENTS-ROUND-TRIP")
class ForgetsTheRoute(Storing):
    """Keeps frames without their route."""

    async def add_events(self, plan: Plan, events: list[Any]) -> None:
        flat = [
            event.model_copy(update={"frame": event.frame.model_copy(update={"branch_id": p.BranchId()})})
            if event.kind == "node_entered"
            else event
            for event in events
        ]
        await super().add_events(plan, flat)


@defect("STO-EVENTS-ATOMIC")
class WritesEventsOneByOne(Storing):
    """Writes event by event."""

    async def add_events(self, plan: Plan, events: list[Any]) -> None:
        for event in events:
            await super().add_events(plan, [event])
            await asyncio.sleep(0)


@defect("STO-EVENTS-WRONG-RUN")
class TakesEventsOfAnyRun(Storing):
    """Appends to the plan's run, whichever run is named."""

    async def append_run_events(self, plan_id: str, run_id: str, events: Sequence[Any]) -> None:
        await super().append_run_events(plan_id, self.plan(plan_id).run or run_id, events)


@defect("STO-EVENTS-WRONG-RUN")
class CreatesTheRunOnTheFirstEvent(Storing):
    """Takes the first event of a plan without a run for its claim."""

    async def append_run_events(self, plan_id: str, run_id: str, events: Sequence[Any]) -> None:
        plan = self.plan(plan_id)
        plan.run = plan.run or run_id
        await super().append_run_events(plan_id, run_id, events)


@defect("STO-EVENTS-AFTER-COMPLETED")
class GoesOnAfterTheEnd(Storing):
    """Appends to a finished run."""

    def is_over(self, plan: Plan) -> bool:
        return False


@defect("STO-EVENTS-READ")
class NoRunIsAnEmptyOne(Storing):
    """Reads no events of a plan that never ran."""

    async def read_run_events(self, plan_id: str, run_id: str | None = None) -> Any:
        plan = self.plan(plan_id)
        return [] if plan.run is None else await super().read_run_events(plan_id, run_id)


@defect("STO-EVENTS-READ")
class AnEmptyRunIsNone(Storing):
    """Finds no run before its first event."""

    async def read_run_events(self, plan_id: str, run_id: str | None = None) -> Any:
        events = await super().read_run_events(plan_id, run_id)
        if not events and self.plan(plan_id).run == run_id:
            raise p.RunNotFoundError(f"{run_id}")
        return events


@defect("STO-EVENTS-ARTIFACTS")
class DropsArtifacts(Storing):
    """Leaves out the table that is no JSON."""

    async def add_events(self, plan: Plan, events: list[Any]) -> None:
        bare = [event.model_copy(update={"artifacts": {}}) if event.kind == "edge_taken" else event for event in events]
        await super().add_events(plan, bare)


@defect("STO-EVENTS-ARTIFACTS")
class KeepsHandles(Storing):
    """Gives the handles of artifacts back, not the artifacts."""

    async def add_events(self, plan: Plan, events: list[Any]) -> None:
        from agentports.plans.artifacts import encode_artifact

        handled = [
            event.model_copy(update={"artifacts": {k: encode_artifact(a) for k, a in event.artifacts.items()}})
            if event.kind == "edge_taken"
            else event
            for event in events
        ]
        await super().add_events(plan, handled)
