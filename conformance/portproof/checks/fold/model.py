"""What a log of whole nodes, edges and edits of top-level fields amounts to, in the plainest way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from agentports.ports import PlanOp
from portproof.strategies.plans.ops import KEY

__all__ = ["Model", "model_of"]


@dataclass
class Model:
    """Nodes and edges by id, as dicts keep them; `edited` are the nodes that any edit names."""

    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)
    edges: dict[str, dict[str, Any]] = field(default_factory=dict)
    edited: set[str] = field(default_factory=set)

    @property
    def whole_edges(self) -> list[dict[str, Any]]:
        """The edges that have both ends."""
        return [edge for edge in self.edges.values() if {edge["from"], edge["to"]} <= self.nodes.keys()]

    @property
    def dangling(self) -> set[str]:
        """The ids of the others."""
        return self.edges.keys() - {edge["id"] for edge in self.whole_edges}

    @property
    def unknown(self) -> set[str]:
        """The nodes that edits name and that are not there."""
        return self.edited - self.nodes.keys()


def model_of(ops: Iterable[PlanOp]) -> Model:
    """The model after these ops, in key order. Of edits only those of a field by its bare name take effect."""
    model = Model()
    for op in sorted(ops, key=KEY):
        _apply(model, op)
    return model


def _apply(model: Model, given: PlanOp) -> None:
    op: Any = given
    match op.op:
        case "add_node":
            phase = {} if op.node.phase is None else {"phase": op.node.phase}
            definition = op.node.definition
            model.nodes[op.node.id] = {"id": op.node.id, "kind": op.node.kind, "definition": definition, **phase}
        case "remove_node":
            model.nodes.pop(op.node_id, None)
            for edge in op.incident_edge_ids:
                model.edges.pop(edge, None)
        case "add_edge":
            edge = op.edge
            model.edges[edge.id] = {"id": edge.id, "to": edge.to, "handle": edge.handle, "from": edge.from_}
        case "remove_edge":
            model.edges.pop(op.edge_id, None)
        case "set_node_field" | "set_node_definition" | "set_node_phase":
            model.edited.add(op.node_id)
            if op.node_id in model.nodes:
                _edit(model.nodes[op.node_id], op)


def _edit(node: dict[str, Any], op: Any) -> None:
    if op.op == "set_node_field":
        node["definition"] = {**node["definition"], op.path: op.value}
    elif op.op == "set_node_definition":
        node["definition"] = op.definition
    elif op.phase is None:
        node.pop("phase", None)
    else:
        node["phase"] = op.phase
