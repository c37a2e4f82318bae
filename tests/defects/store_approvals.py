"""Stores that lose, bend or judge decisions."""

from __future__ import annotations

from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-TRANSITION-APPROVE")
class ForgetsWhoDecided(Storing):
    """Keeps a decision without the name of who made it."""

    async def read_approval(self, plan_id: str) -> Any:
        approval = await super().read_approval(plan_id)
        return None if approval is None else approval.model_copy(update={"decided_by": ""})


@defect("STO-TRANSITION-APPROVE")
class RecordsTheDecisionLater(Storing):
    """Writes the approval with the next call that changes something."""

    def __init__(self) -> None:
        super().__init__()
        self.late: dict[str, Any] = {}

    async def commit(self, plan: Plan, request: Any) -> None:
        await super().commit(plan, request)
        self.late[plan.id], plan.approval = plan.approval, None

    async def claim_run(self, plan_id: str, *given: Any) -> Any:
        self.plan(plan_id).approval = self.late.get(plan_id)
        return await super().claim_run(plan_id, *given)


@defect("STO-APPROVAL-BOUND")
class TakesAnyDecision(Storing):
    """Stores whatever record comes along."""

    def binds(self, plan: Plan, approval: Any) -> bool:
        return True


@defect("STO-APPROVAL-BOUND")
class ReadsTheDigestOnly(Storing):
    """Does not look whose plan the decision is about."""

    def binds(self, plan: Plan, approval: Any) -> bool:
        return bool(approval.digest == self.digest(plan))


@defect("STO-APPROVAL-REQUIRED")
class ApprovesByItself(Storing):
    """Treats the approval as optional."""

    def is_legal(self, request: Any) -> bool:
        return (request.from_, request.to) == ("reviewable", "executable") or super().is_legal(request)

    def binds(self, plan: Plan, approval: Any) -> bool:
        return approval is None or super().binds(plan, approval)

    def against_transition(self, plan: Plan, request: Any) -> Any:
        if not hasattr(request, "approval"):
            request = p.TransitionRequest(from_=request.from_, to=request.to, expected_digest=request.expected_digest)
        return super().against_transition(plan, request)

    async def commit(self, plan: Plan, request: Any) -> None:
        plan.state = request.to
        plan.approval = getattr(request, "approval", None) if request.to == "executable" else None
        self.touch(plan)


@defect("STO-APPROVAL-AUTHORITY-NOT-JUDGED")
class JudgesClaims(Storing):
    """Refuses a decision on claims that no node makes."""

    def is_legal(self, request: Any) -> bool:
        judged = request.approval is None or len(request.approval.authority) < 2
        return judged and super().is_legal(request)


@defect("STO-APPROVAL-AUTHORITY-NOT-JUDGED")
class DropsClaims(Storing):
    """Keeps one claim for each capability."""

    async def read_approval(self, plan_id: str) -> Any:
        approval = await super().read_approval(plan_id)
        if approval is None:
            return None
        kept = {claim.capability: claim for claim in approval.authority}
        return approval.model_copy(update={"authority": [*kept.values()]})


@defect("STO-APPROVAL-ONLY-EXECUTABLE")
class KeepsADecisionThatFailed(Storing):
    """Stores the approval before it knows that the request is granted."""

    def against_transition(self, plan: Plan, request: Any) -> Any:
        reason = super().against_transition(plan, request)
        if plan.state == "reviewable" and request.to == "executable" and request.approval is not None:
            plan.approval = self.own(request.approval)
        return reason
