"""Stores over a file that lose or split what they acknowledged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from agentports.plans import SQLitePlanStore
from agentports.ports.plans import ClaimRunResult
from portproof.selftest import defect


@defect("STO-DURABLE-REOPEN")
class ClaimsInMemory(SQLitePlanStore):
    """Keeps claims in memory."""

    def __init__(self, tmp_path: Path) -> None:
        super().__init__(tmp_path / "plans.db")
        self._runs: dict[str, str] = {}

    async def claim_run(self, plan_id: str, expected_digest: str, resume_run_id: str | None = None) -> ClaimRunResult:
        state = await self.read_state(plan_id)
        if state.state != "executable" or state.digest != expected_digest or resume_run_id is not None:
            return await super().claim_run(plan_id, expected_digest, resume_run_id)
        if plan_id in self._runs:
            return ClaimRunResult(ok=False, reason="run_already_claimed", existing_run_id=self._runs[plan_id])
        self._runs[plan_id] = f"run of {plan_id}"
        return ClaimRunResult(ok=True, run_id=self._runs[plan_id], resumed=False)

    async def read_run_events(self, plan_id: str, run_id: str | None = None) -> Any:
        return [] if plan_id in self._runs else await super().read_run_events(plan_id, run_id)


@defect("STO-CRASH-CONSISTENT")
class CommitsTheStateFirst(SQLitePlanStore):
    """Commits the state, and the approval after it."""

    def __init__(self, tmp_path: Path) -> None:
        super().__init__(tmp_path / "plans.db")

    async def transition(self, plan_id: str, request: Any) -> Any:
        result = await super().transition(plan_id, request)
        if result.ok and request.to == "executable":
            approval = await self._backend.run(lambda tables: _without_approval(tables, plan_id), write=True)
            await self._backend.run(lambda tables: _with_approval(tables, plan_id, approval), write=True)
        return result


def _without_approval(tables: Any, plan_id: str) -> Any:
    row = tables.plan(plan_id, to_change=True)
    tables.save_plan(replace(row, approval=None))
    return row.approval


def _with_approval(tables: Any, plan_id: str, approval: Any) -> None:
    tables.save_plan(replace(tables.plan(plan_id, to_change=True), approval=approval))
