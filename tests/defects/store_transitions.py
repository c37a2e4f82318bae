"""Stores that change the state of a plan when they should not, or more than it."""

from __future__ import annotations

import asyncio
from typing import Any

from portproof_defects._stores import Plan, Storing

from agentports.ports import plans as p
from portproof.selftest import defect


@defect("STO-TRANSITION-FREEZE")
class CountsATransition(Storing):
    """Counts the transition as a revision."""

    async def transition(self, plan_id: str, request: Any) -> Any:
        result = await super().transition(plan_id, request)
        return result.model_copy(update={"revision": result.revision + 1}) if result.ok else result


@defect("STO-TRANSITION-UNFREEZE")
class FreezesForGood(Storing):
    """Knows no way back to editable."""

    def is_legal(self, request: Any) -> bool:
        return request.to != "editable" and super().is_legal(request)


@defect("STO-TRANSITION-UNFREEZE")
class ForgetsToThaw(Storing):
    """Says that the plan is editable, and refuses appends."""

    def __init__(self) -> None:
        super().__init__()
        self.frozen: set[str] = set()

    async def commit(self, plan: Plan, request: Any) -> None:
        await super().commit(plan, request)
        self.frozen.add(plan.id)

    def against_append(self, plan: Plan, expected: int | None) -> Any:
        return "not_editable" if plan.id in self.frozen else super().against_append(plan, expected)


@defect("STO-TRANSITION-STATE-MISMATCH")
class RaisesForAnotherState(Storing):
    """Raises where the plan is in another state."""

    def against_transition(self, plan: Plan, request: Any) -> Any:
        if plan.state != request.from_:
            raise p.PlanStoreError(f"the plan is {plan.state}")
        return super().against_transition(plan, request)


@defect("STO-TRANSITION-STATE-MISMATCH")
class IgnoresFrom(Storing):
    """Takes the plan's own state for the one that the request names."""

    def against_transition(self, plan: Plan, request: Any) -> Any:
        return super().against_transition(plan, request.model_copy(update={"from_": plan.state}))


@defect("STO-TRANSITION-DIGEST-MISMATCH")
class ComparesAPrefixOfTheDigest(Storing):
    """Accepts a digest that the plan's begins with."""

    def against_transition(self, plan: Plan, request: Any) -> Any:
        if self.digest(plan).startswith(request.expected_digest):
            request = request.model_copy(update={"expected_digest": self.digest(plan)})
        return super().against_transition(plan, request)


@defect("STO-TRANSITION-DIGEST-MISMATCH")
class ComparesLengths(Storing):
    """Compares the length of the digests, as one who compares revisions does."""

    def against_transition(self, plan: Plan, request: Any) -> Any:
        if len(self.digest(plan)) == len(request.expected_digest):
            request = request.model_copy(update={"expected_digest": self.digest(plan)})
        return super().against_transition(plan, request)


@defect("STO-TRANSITION-STALE-APPROVAL")
class RemembersDigests(Storing):
    """Accepts for approval any digest that the plan once was frozen at."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, set[str]] = {}

    def against_transition(self, plan: Plan, request: Any) -> Any:
        reason = super().against_transition(plan, request)
        seen = self.seen.setdefault(plan.id, set())
        if request.to == "executable" and reason == "digest_mismatch" and request.expected_digest in seen:
            return None
        if reason is None and request.to == "reviewable":
            seen.add(request.expected_digest)
        return reason


@defect("STO-TRANSITION-ILLEGAL")
class SkipsReview(Storing):
    """Lets an editable plan become executable where an approval comes along."""

    def is_legal(self, request: Any) -> bool:
        skips = (request.from_, request.to) == ("editable", "executable") and request.approval is not None
        return skips or super().is_legal(request)


@defect("STO-TRANSITION-ILLEGAL")
class RaisesForAnIllegalPair(Storing):
    """Raises where a pair of states is none of the three."""

    def is_legal(self, request: Any) -> bool:
        if not super().is_legal(request) and request.approval is not None:
            raise ValueError(f"{request.from_} to {request.to}")
        return super().is_legal(request)


@defect("STO-EXECUTABLE-FINAL")
class ReopensReview(Storing):
    """Lets an executable plan be reviewed again."""

    def is_legal(self, request: Any) -> bool:
        return (request.from_, request.to) == ("executable", "reviewable") or super().is_legal(request)


@defect("STO-TRANSITION-CONCURRENT")
class LastApproverWins(Storing):
    """Compares, waits, and writes: of two approvers both hear that they were the one."""

    async def commit(self, plan: Plan, request: Any) -> None:
        await asyncio.sleep(0)
        await super().commit(plan, request)


@defect("STO-APPEND-FREEZE-RACE")
class FreezesWhatMayHaveMoved(Storing):
    """Compares the digest, waits, and sets the state."""

    async def commit(self, plan: Plan, request: Any) -> None:
        if request.to == "reviewable":
            await asyncio.sleep(0)
        await super().commit(plan, request)


@defect("STO-NO-POLICY")
class KnowsTheKindsOfNodes(Storing):
    """Freezes no plan with a node of a kind that it does not know."""

    def against_transition(self, plan: Plan, request: Any) -> Any:
        reason = super().against_transition(plan, request)
        kinds = [node.kind for node in self.fold(plan).nodes]
        return "illegal_transition" if reason is None and "no such kind" in kinds else reason
