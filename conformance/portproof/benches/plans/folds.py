"""The bench of the port op-fold: two functions that are called, and what they return."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from agentports.ports import BranchId, PlanOp, PlanProvenance
from portproof.benches.in_process import InProcessBench, InProcessBenches
from portproof.benches.plans.carrying_ops import OpCarrier
from portproof.benches.plans.fold_views import Folded
from portproof.running.loops import Time
from portproof.running.outcome import Violation
from portproof.running.plain import told
from portproof.subjects.looking import common_supply
from portproof.subjects.subject import Subject

__all__ = ["FoldBench", "FoldBenches"]


class FoldBenches(InProcessBenches):
    """Opens a fresh bench for every example."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        super().__init__(subject, deadline, FoldBench)


class FoldBench(InProcessBench):
    """Calls the subject with ops and routes of the classes that it has of its own, else of the contract's."""

    def __init__(self, subject: Subject, time: Time) -> None:
        super().__init__(subject, time)
        #: The namespace under test.
        self.namespace: Any = None

    def supply(self) -> dict[str, Any]:
        return common_supply(self.subject, self.time)

    async def start(self) -> None:
        self.namespace = await self.another()
        #: Makes ops of the subject's classes.
        self.carrier = OpCarrier(self.namespace)

    def fold(self, ops: Iterable[PlanOp], plan_id: str = "p", provenance: PlanProvenance | None = None) -> Folded:
        """The fold of ops of the contract's classes, of which the subject gets its own copies."""
        origin = None if provenance is None else self.carrier.fresh_provenance(provenance)
        return self.fold_own(self.carrier.ops(ops), plan_id, origin)

    def fold_own(self, ops: list[Any], plan_id: str = "p", provenance: Any = None) -> Folded:
        """The fold of ops of the subject's classes, as they are. Raises a `Violation` when there is none."""
        origin = () if provenance is None else (provenance,)
        return Folded(_answer("fold_ops", self.namespace.fold_ops, plan_id, ops, *origin), self.carrier.classes)

    def key(self, route: BranchId) -> str:
        """The key of a route of the contract's classes. Raises a `Violation` when there is none."""
        key = _answer("branch_key", self.namespace.branch_key, self.carrier.route(route))
        if not isinstance(key, str):
            raise Violation("branch_key did not return a text", returned=key)
        return key


def _answer(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        answer = function(*arguments)
    except Exception as error:
        raise Violation(f"{name} raised {told(error)}", raised=error) from error
    if inspect.iscoroutine(answer):
        answer.close()
    if inspect.isawaitable(answer):
        raise Violation(f"{name} returned something to await; it is a plain function")
    return answer
