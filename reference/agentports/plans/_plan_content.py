"""The content of a plan while ops are applied to it, in key order (document 31, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from agentports.plans import _fold_issues as issues
from agentports.plans._elements import Elements
from agentports.plans._live_node import LiveNode
from agentports.ports.plans import (
    DEFAULT_PLAN_BOUNDS,
    AddEdge,
    AddNode,
    PlanBounds,
    PlanEdge,
    PlanIssue,
    PlanOp,
    RemoveEdge,
    RemoveNode,
    SetBounds,
    SetNodeDefinition,
    SetNodeField,
    SetNodePhase,
)

__all__ = ["PlanContent"]


class PlanContent:
    """What the ops applied so far amount to. It may share containers with them, and writes to none of theirs."""

    def __init__(self) -> None:
        self.nodes: Elements[LiveNode] = Elements()
        self.edges: Elements[PlanEdge] = Elements()
        self.bounds: PlanBounds = DEFAULT_PLAN_BOUNDS
        self._edited: dict[str, None] = {}
        self._collisions: dict[str, list[PlanIssue]] = {}
        self._noted: list[PlanIssue] = []

    def apply(self, ops: Iterable[PlanOp]) -> None:
        """Let ops take effect, one after another; their keys ascend, and are higher than all before."""
        for op in ops:
            _APPLY.get(op.op, PlanContent._ignore)(self, op)

    def is_dangling(self, edge: PlanEdge) -> bool:
        """Whether the edge lacks an endpoint, so that no view holds it."""
        return edge.from_ not in self.nodes.by_id or edge.to not in self.nodes.by_id

    def issues(self) -> list[PlanIssue]:
        """What the author should know."""
        collisions = [issue for replaced in self._collisions.values() for issue in replaced]
        dangling = [issues.dangling_edge(edge) for edge in self.edges.by_id.values() if self.is_dangling(edge)]
        missing = [issues.unknown_node(node) for node in self._edited if node not in self.nodes.by_id]
        return [*self._noted, *collisions, *dangling, *missing]

    def _ignore(self, op: PlanOp) -> None:
        self._noted.append(issues.unknown_op(op))

    def _add_node(self, op: AddNode) -> None:
        self.nodes.put(op.node.id, LiveNode(op.node))

    def _remove_node(self, op: RemoveNode) -> None:
        self.nodes.remove(op.node_id)
        for edge in op.incident_edge_ids:
            self._drop_edge(edge)

    def _set_definition(self, op: SetNodeDefinition) -> None:
        if node := self._node_to_edit(op.node_id):
            node.define(op.definition)

    def _set_phase(self, op: SetNodePhase) -> None:
        if node := self._node_to_edit(op.node_id):
            node.phase = op.phase

    def _set_field(self, op: SetNodeField) -> None:
        node = self._node_to_edit(op.node_id)
        if node is not None and not node.set_field(op.path, op.value):
            self._noted.append(issues.invalid_field_path(op))

    def _add_edge(self, op: AddEdge) -> None:
        edge = op.edge
        before = self.edges.by_id.get(edge.id)
        if before is not None and (before.from_, before.to, before.handle) != (edge.from_, edge.to, edge.handle):
            self._collisions.setdefault(edge.id, []).append(issues.duplicate_edge_id(before, edge))
        self.edges.put(edge.id, edge)

    def _remove_edge(self, op: RemoveEdge) -> None:
        self._drop_edge(op.edge_id)

    def _set_bounds(self, op: SetBounds) -> None:
        self.bounds = op.bounds

    def _node_to_edit(self, name: str) -> LiveNode | None:
        self._edited[name] = None
        node = self.nodes.by_id.get(name)
        if node is not None:
            self.nodes.changed[name] = None
        return node

    def _drop_edge(self, name: str) -> None:
        # Removing the edge is how an author settles a collision (OPS-EDGE-ID-REUSE).
        self._collisions.pop(name, None)
        self.edges.remove(name)


_APPLY: Final[Mapping[str, Callable[[PlanContent, Any], None]]] = {
    "add_node": PlanContent._add_node,
    "remove_node": PlanContent._remove_node,
    "set_node_field": PlanContent._set_field,
    "set_node_definition": PlanContent._set_definition,
    "set_node_phase": PlanContent._set_phase,
    "add_edge": PlanContent._add_edge,
    "remove_edge": PlanContent._remove_edge,
    "set_bounds": PlanContent._set_bounds,
}
