"""Folds that change values, ops, or what somebody else holds; and some that raise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from portproof_defects._folds import Folding, Op, State

from agentports.ports import PlanNode, PlanOp, PlanProvenance
from portproof.selftest import defect


@defect("OPS-VALUES-INTACT")
class ThroughJSON(Folding):
    """Values are copied by way of JSON; what JSON lacks becomes a text."""

    def own(self, value: Any) -> Any:
        try:
            return json.loads(json.dumps(value, default=str, skipkeys=True))
        except (ValueError, RecursionError):
            return super().own(value)


@defect("OPS-VALUES-INTACT")
class TuplesAsLists(Folding):
    """A tuple comes out as a list."""

    def own(self, value: Any) -> Any:
        value = super().own(value)
        return self._listed(value)

    def _listed(self, value: Any) -> Any:
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            return {key: self._listed(held) for key, held in value.items()}
        return [self._listed(held) for held in value] if isinstance(value, list | tuple) else value


@defect("OPS-VALUES-INTACT")
class DropsNone(Folding):
    """Fields that are None are left out."""

    def own(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.own(held) for key, held in value.items() if held is not None}
        return super().own(value)


@defect("OPS-PURE")
class EditsTheOp(Folding):
    """The definition of the op is edited itself."""

    def on_add_node(self, state: State, op: Op) -> None:
        super().on_add_node(state, op)
        state.nodes[op.node.id]["definition"] = op.node.definition


@defect("OPS-PURE")
class SortsEdgeLists(Folding):
    """The edges that a removal lists are crossed out as they are removed."""

    def on_remove_node(self, state: State, op: Op) -> None:
        super().on_remove_node(state, op)
        op.incident_edge_ids.clear()


@defect("OPS-VIEW-NOT-ALIASED")
class HandsOutValues(Folding):
    """The value of an edit is in the view as it is."""

    def on_set_node_field(self, state: State, op: Op) -> None:
        node = self.edited(state, op)
        around = {"": node["definition"]} if node else {"": {}}
        if not self.set_at(around, op.path, op.value if node else None):
            self.on_invalid_path(state, op)
        elif node:
            node["definition"] = around[""]


@defect("OPS-VIEW-NOT-ALIASED")
class HandsOutDefinitions(Folding):
    """A whole definition is in the view as it is."""

    def on_set_node_definition(self, state: State, op: Op) -> None:
        if node := self.edited(state, op):
            node["definition"] = op.definition


@defect("OPS-VIEW-NOT-ALIASED")
class ShallowCopies(Folding):
    """Of a definition only the outermost dict is copied."""

    def own(self, value: Any) -> Any:
        return dict(value) if type(value) is dict else value


@defect("OPS-VIEW-NOT-ALIASED")
class KeepsItsViews(Folding):
    """A log that was folded before gets the same nodes again."""

    def __init__(self) -> None:
        self._made: dict[str, PlanNode] = {}

    def node(self, record: dict[str, Any]) -> PlanNode:
        made = super().node(record)
        return self._made.setdefault(repr(made), made)


@defect("OPS-NEVER-RAISES")
class NodesAreThere(Folding):
    """A node that is removed is taken to be there."""

    def on_remove_node(self, state: State, op: Op) -> None:
        del state.nodes[op.node_id]
        super().on_remove_node(state, op)


@defect("OPS-NEVER-RAISES")
class DefinitionsAreDicts(Folding):
    """A definition is taken to be a dict."""

    def on_add_node(self, state: State, op: Op) -> None:
        super().on_add_node(state, op)
        op.node.definition.get("kind")


@defect("OPS-NEVER-RAISES")
class LooksUpEnds(Folding):
    """The ends of edges are taken to be there."""

    def fold_ops(self, plan_id: str, ops: Sequence[PlanOp], provenance: PlanProvenance | None = None) -> Any:
        folded = super().fold_ops(plan_id, ops, provenance)
        for issue in folded.issues:
            if issue.code == "dangling_edge":
                raise KeyError(issue.edge_id)
        return folded
