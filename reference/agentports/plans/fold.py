"""A plan's content is the fold of its log of ops (document 31, sections 1 and 2)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from agentports.plans._copies import copied
from agentports.plans._live_node import LiveNode
from agentports.plans._op_order import KEY, in_order, is_same_op
from agentports.plans._plan_content import PlanContent
from agentports.plans._running_digest import RunningDigest
from agentports.ports.plans import FoldResult, PlanNode, PlanOp, PlanProvenance, RawPlanView

__all__ = ["Fold", "fold_ops"]


def fold_ops(plan_id: str, ops: Iterable[PlanOp], provenance: PlanProvenance | None = None) -> FoldResult:
    """The view that the ops amount to, in whatever order they are given, and what the author should know of it.

    Raises `EncodingError` for ops that hold what cannot be encoded.
    """
    return Fold(plan_id, ops, provenance).result()


class Fold:
    """The fold of a log that grows.

    Ops whose keys are higher than all before cost what they change. One that comes late costs a fold of the whole log.
    The ops are kept, and must not be changed. `Fold(p, log).result()` is `fold_ops(p, log)`. Once something was raised
    (no op of the contract that can be encoded makes it), the fold is to be thrown away.
    """

    def __init__(self, plan_id: str, ops: Iterable[PlanOp] = (), provenance: PlanProvenance | None = None) -> None:
        self._plan_id = plan_id
        self._provenance = None if provenance is None else _own(provenance)
        self._log: list[PlanOp] = []
        self._revision = 0
        self._start()
        self.extend(ops)

    @property
    def revision(self) -> int:
        """How many ops were given, repeats included."""
        return self._revision

    @property
    def node_count(self) -> int:
        """How many nodes the view has."""
        return len(self._content.nodes.by_id)

    def extend(self, ops: Iterable[PlanOp]) -> None:
        """Fold further ops."""
        given = [*ops]
        fresh = in_order(given)
        self._revision += len(given)
        if self._is_late(fresh):
            fresh = [op for op in fresh if not self._holds(op)]
        if self._is_late(fresh):
            fresh = in_order([*self._log, *fresh])
            self._log = []
            self._start()
        self._log += fresh
        self._content.apply(fresh)

    def digest(self) -> str:
        """The digest of the view.

        Raises `EncodingError` for ops that hold what cannot be encoded.
        """
        return self._digest.of(self._content, self._revision)

    def result(self) -> FoldResult:
        """The view and the issues; neither shares a container with an op or with the next result.

        Raises `EncodingError` for ops that hold what cannot be encoded.
        """
        content = self._content
        view = RawPlanView(
            plan_id=self._plan_id,
            digest=self.digest(),
            revision=self._revision,
            nodes=[_frozen(node) for node in content.nodes.by_id.values()],
            edges=[edge for edge in content.edges.by_id.values() if not content.is_dangling(edge)],
            bounds=content.bounds,
            provenance=None if self._provenance is None else _own(self._provenance),
        )
        return FoldResult(view, content.issues())

    def _start(self) -> None:
        self._content = PlanContent()
        self._digest = RunningDigest(self._plan_id, self._provenance)

    def _is_late(self, ops: list[PlanOp]) -> bool:
        return bool(ops and self._log) and KEY(ops[0]) <= KEY(self._log[-1])

    def _holds(self, op: PlanOp) -> bool:
        """Whether the log has this very op."""
        key = KEY(op)
        same_key = slice(bisect_left(self._log, key, key=KEY), bisect_right(self._log, key, key=KEY))
        return any(is_same_op(op, other) for other in self._log[same_key])


def _own(provenance: PlanProvenance) -> PlanProvenance:
    return type(provenance)(**{name: copied(value) for name, value in provenance})


def _frozen(node: LiveNode) -> PlanNode:
    return PlanNode(id=node.id, kind=node.kind, definition=copied(node.definition), phase=node.phase)
