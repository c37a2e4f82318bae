"""Folds that let the order, number or dress of ops decide."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from portproof_defects._folds import Folding, Op, State

from agentports.ports import PlanIssue, PlanOp, PlanProvenance, RawPlanView
from portproof.selftest import defect


@defect("OPS-ORDER-INDEPENDENT")
class AsTheyCome(Folding):
    """Ops are applied in the order of their arrival."""

    def in_order(self, ops: Iterable[PlanOp]) -> list[PlanOp]:
        return [*ops]


@defect("OPS-ORDER-INDEPENDENT")
class ClockOnly(Folding):
    """Ops are sorted by their clock alone."""

    def in_order(self, ops: Iterable[PlanOp]) -> list[PlanOp]:
        return sorted(ops, key=lambda op: op.lamport)


@defect("OPS-ISSUES-ORDER-INDEPENDENT")
class CollisionsAsTheyCome(Folding):
    """Whether edges collide is found while the ops are read, in the order of their arrival."""

    def fold_ops(self, plan_id: str, ops: Sequence[PlanOp], provenance: PlanProvenance | None = None) -> Any:
        folded, seen = super().fold_ops(plan_id, ops, provenance), State()
        for op in ops:
            self.apply(seen, op)
        others = [issue for issue in folded.issues if issue.code != "duplicate_edge_id"]
        return folded._replace(issues=[*others, *seen.collisions.values()])


@defect("OPS-DUPLICATES-SAME-CONTENT")
class EdgesPileUp(Folding):
    """An edge that is added again is a second one, of another id."""

    def in_order(self, ops: Iterable[PlanOp]) -> list[PlanOp]:
        return sorted(ops, key=lambda op: (self.key(op), self.text(op)))

    def on_add_edge(self, state: State, op: Op) -> None:
        twin = f"{op.edge.id}-2"
        if state.edges.get(op.edge.id) == op.edge and twin not in state.edges:
            state.edges[twin] = op.edge.model_copy(update={"id": twin})
        super().on_add_edge(state, op)


@defect("OPS-DUPLICATES-SAME-CONTENT")
class OneIssueAnOp(Folding):
    """Every op that names a missing node is reported, repeats too."""

    def in_order(self, ops: Iterable[PlanOp]) -> list[PlanOp]:
        return sorted(ops, key=lambda op: (self.key(op), self.text(op)))

    def unknown(self, state: State) -> list[PlanIssue]:
        once = super().unknown(state)
        return [issue for issue in once for _ in range(state.edited.count(str(issue.node_id)))]


@defect("OPS-REVISION-COUNTS-OPS")
class CountsIds(Folding):
    """The revision counts distinct ops."""

    def revision(self, ops: Sequence[PlanOp]) -> int:
        return len({self.key(op) for op in ops})


@defect("OPS-REVISION-COUNTS-OPS")
class CountsEffects(Folding):
    """Ops on what is not there do not count."""

    def revision(self, ops: Sequence[PlanOp]) -> int:
        added = {op.node.id for op in ops if op.op == "add_node"}
        return sum(getattr(op, "node_id", None) in {None, *added} for op in ops)


@defect("OPS-UNKNOWN-OP")
class RefusesTheUnknown(Folding):
    """An op of unknown kind is an error."""

    def on_unknown(self, state: State, op: Op) -> None:
        raise ValueError(f"unknown op {op.op}")


@defect("OPS-UNKNOWN-OP")
class SilentAboutTheUnknown(Folding):
    """An op of unknown kind is passed over without a word."""

    def on_unknown(self, state: State, op: Op) -> None:
        pass


@defect("OPS-UNKNOWN-OP")
class GuessesFromFields(Folding):
    """An op of unknown kind that names a field of a node is taken for an edit."""

    def on_unknown(self, state: State, op: Op) -> None:
        super().on_unknown(state, op)
        if hasattr(op, "path") and op.node_id in state.nodes:
            self.on_set_node_field(state, op)


@defect("OPS-PREFIX-STABLE")
class RemembersPlans(Folding):
    """Of a plan the longest log seen so far counts."""

    def __init__(self) -> None:
        self._seen: dict[str, list[PlanOp]] = {}

    def fold_ops(self, plan_id: str, ops: Sequence[PlanOp], provenance: PlanProvenance | None = None) -> Any:
        longest = max(self._seen.get(plan_id, []), [*ops], key=len)
        self._seen[plan_id] = longest
        known = {self.key(op) for op in longest}
        return super().fold_ops(plan_id, longest if all(self.key(op) in known for op in ops) else ops, provenance)


@defect("ENC-DIGEST-IGNORES-NON-CONTENT")
class DigestsTheLog(Folding):
    """The digest is that of the ops."""

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        log = b"".join(map(self.text, self.in_order(ops)))
        return view.model_copy(update={"digest": hashlib.sha256(log).hexdigest()})


@defect("ENC-DIGEST-IGNORES-NON-CONTENT")
class DigestsTimes(Folding):
    """The time of the last op is in the digest."""

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        digested = super().with_digest(view, ops)
        when = max((op.at for op in ops), default="")
        return digested.model_copy(update={"digest": hashlib.sha256((digested.digest + when).encode()).hexdigest()})


@defect("OPS-LARGE-LOG")
class CopiesForEveryOp(Folding):
    """For each op the last states of the plan are copied, to go back to."""

    def in_order(self, ops: Iterable[PlanOp]) -> list[PlanOp]:
        return sorted(ops, key=self.key)

    def apply(self, state: State, op: Op) -> None:
        super().apply(state, op)
        past: list[dict[str, Any]] = vars(state).setdefault("past", [])
        past[:] = [dict(nodes) for nodes in (*past[-7:], state.nodes)]
