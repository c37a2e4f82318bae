"""Stores that let a plan run twice, or not again."""

from __future__ import annotations

import asyncio
from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-CLAIM-ONCE")
class RunsAgainWhenDone(Storing):
    """Gives a new run after the first one completed."""

    def against_fresh_claim(self, plan: Plan) -> Any:
        return None if plan.completed else super().against_fresh_claim(plan)


@defect("STO-CLAIM-ONCE")
class FreesAHaltedRun(Storing):
    """Gives a new run after the first one was aborted."""

    def against_fresh_claim(self, plan: Plan) -> Any:
        aborted = any(event.kind == "run_settled" and event.outcome == "aborted" for event in plan.events)
        return None if aborted else super().against_fresh_claim(plan)


@defect("STO-CLAIM-CONCURRENT")
class LooksThenClaims(Storing):
    """Looks for a run, waits, and claims it."""

    async def claim_run(self, plan_id: str, expected_digest: str, resume_run_id: str | None = None) -> Any:
        plan = self.plan(plan_id)
        had = plan.run
        await asyncio.sleep(0)
        if had is None and resume_run_id is None:
            plan.run = None
        return await super().claim_run(plan_id, expected_digest, resume_run_id)


@defect("STO-CLAIM-NOT-EXECUTABLE")
class ClaimsWhatIsReviewed(Storing):
    """Looks at the digest only."""

    def against_claim(self, plan: Plan, expected_digest: str, resume: str | None) -> Any:
        reason = super().against_claim(plan, expected_digest, resume)
        return None if reason == "not_executable" and resume is None and plan.state == "reviewable" else reason


@defect("STO-CLAIM-NOT-EXECUTABLE")
class UsesUpTheRunOfADraft(Storing):
    """Notes the run before it looks at the state."""

    def against_claim(self, plan: Plan, expected_digest: str, resume: str | None) -> Any:
        if plan.state == "reviewable" and resume is None:
            plan.run = plan.run or self.new_run(plan)
        return super().against_claim(plan, expected_digest, resume)


@defect("STO-CLAIM-DIGEST")
class MarksBeforeItCompares(Storing):
    """Marks the run as claimed before it compares the digest."""

    def against_claim(self, plan: Plan, expected_digest: str, resume: str | None) -> Any:
        reason = super().against_claim(plan, expected_digest, resume)
        if reason == "digest_mismatch" and resume is None:
            plan.run = plan.run or self.new_run(plan)
        return reason


@defect("STO-CLAIM-DIGEST")
class NeverCompares(Storing):
    """Claims whatever the digest."""

    def against_claim(self, plan: Plan, expected_digest: str, resume: str | None) -> Any:
        return super().against_claim(plan, self.digest(plan), resume)


@defect("STO-CLAIM-RESUME")
class ResumesOnce(Storing):
    """Refuses the second resume."""

    def __init__(self) -> None:
        super().__init__()
        self.resumed: set[str] = set()

    def against_resume(self, plan: Plan, resume: str) -> Any:
        reason = super().against_resume(plan, resume)
        again = reason is None and resume in self.resumed
        self.resumed.add(resume)
        return "run_already_settled" if again else reason


@defect("STO-CLAIM-RESUME-AFTER-STOP")
class EveryStopIsTheEnd(Storing):
    """Takes a halt for the end of the run."""

    def against_resume(self, plan: Plan, resume: str) -> Any:
        stopped = any(event.kind == "run_settled" for event in plan.events)
        return super().against_resume(plan, resume) or ("run_already_settled" if stopped else None)


@defect("STO-CLAIM-RESUME-COMPLETED")
class LooksAtTheFirstStop(Storing):
    """Judges a run by the first event that settles it."""

    def against_resume(self, plan: Plan, resume: str) -> Any:
        reason = super().against_resume(plan, resume)
        first = next((event.outcome for event in plan.events if event.kind == "run_settled"), None)
        return None if reason == "run_already_settled" and first != "completed" else reason


@defect("STO-CLAIM-RESUME-COMPLETED")
class LooksAtTheLastEvent(Storing):
    """Judges a batch by its last event."""

    def completes(self, plan: Plan, events: list[Any]) -> bool:
        return super().completes(plan, events[-1:])


@defect("STO-CLAIM-RESUME-UNKNOWN")
class CreatesTheRunThatIsNamed(Storing):
    """Creates the run under the id that is to be resumed."""

    def against_resume(self, plan: Plan, resume: str) -> Any:
        plan.run = plan.run or resume
        return super().against_resume(plan, resume)


@defect("STO-CLAIM-RUN-IDS-UNIQUE")
class OneIdForAll(Storing):
    """Calls every run the same."""

    def new_run(self, plan: Plan) -> str:
        return "run"


@defect("STO-CLAIM-EXISTING-ID")
class DoesNotNameTheRun(Storing):
    """Leaves existing_run_id out, but for a fresh claim."""

    async def claim_run(self, plan_id: str, expected_digest: str, resume_run_id: str | None = None) -> Any:
        result = await super().claim_run(plan_id, expected_digest, resume_run_id)
        return result if result.ok or resume_run_id is None else p.ClaimRunResult(ok=False, reason=result.reason)
