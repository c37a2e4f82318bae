"""Stores over a file that lose or split what they acknowledged."""

from __future__ import annotations

import asyncio
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

from portproof_defects._stores import Plan, Storing

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


@defect("STO-CRASH-CONSISTENT")
class AppendsInSeveralCommits(SQLitePlanStore):
    """Commits op by op."""

    def __init__(self, tmp_path: Path) -> None:
        super().__init__(tmp_path / "plans.db")

    async def append_ops(self, plan_id: str, ops: Any, expected_revision: int | None = None) -> Any:
        result = await super().append_ops(plan_id, ops[:1], expected_revision)
        for op in ops[1:]:
            result = await super().append_ops(plan_id, [op])
        return result


class _Filed(Storing):
    """One file for all plans."""

    def __init__(self, tmp_path: Path) -> None:
        super().__init__()
        self.file = tmp_path / "plans.pickle"
        if self.file.exists():
            self.plans = pickle.loads(self.file.read_bytes())

    def touch(self, plan: Plan) -> None:
        super().touch(plan)
        self.plans[plan.id] = plan
        self.write()

    def write(self) -> None:
        draft = self.file.with_suffix(".draft")
        draft.write_bytes(pickle.dumps(self.plans))
        draft.replace(self.file)

    def new_run(self, plan: Plan) -> str:
        return f"run of {plan.id}"


@defect("STO-CRASH-CONSISTENT")
class WritesBehind(_Filed):
    """Writes when the call has returned; what is left over, when it is closed."""

    def touch(self, plan: Plan) -> None:
        Storing.touch(self, plan)
        self.plans[plan.id] = plan
        asyncio.get_running_loop().call_soon(self.write)

    async def close(self) -> None:
        self.write()


@defect("STO-DURABLE-REOPEN")
class ForgetsTheEnd(_Filed):
    """Keeps in memory that a run is completed."""

    def __init__(self, tmp_path: Path) -> None:
        super().__init__(tmp_path)
        for plan in self.plans.values():
            plan.completed = False


@defect("STO-CLAIM-RUN-IDS-UNIQUE")
class CountsRunsAnew(_Filed):
    """Numbers runs from one, whenever it is opened."""

    def new_run(self, plan: Plan) -> str:
        return f"run {next(self.runs)}"
