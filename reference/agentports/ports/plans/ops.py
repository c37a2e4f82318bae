"""The records of a plan's log (document 31, section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from pydantic import ConfigDict, Field

from agentports.ports.messages import Data
from agentports.ports.plans.content import PlanBounds, PlanEdge, PlanNode
from agentports.ports.plans.references import ArgValue

__all__ = [
    "OP_CLASSES",
    "AddEdge",
    "AddNode",
    "PlanOp",
    "PlanOpRecord",
    "RemoveEdge",
    "RemoveNode",
    "SetBounds",
    "SetNodeDefinition",
    "SetNodeField",
    "SetNodePhase",
    "UnknownOp",
]


class PlanOpRecord(Data):
    """What every op says. `(lamport, actor_id, op_id)` orders the log; `at` is a text that nobody interprets."""

    op_id: str
    actor_id: str
    lamport: int = Field(ge=0, strict=True)
    at: str


class AddNode(PlanOpRecord):
    """Insert the node, or replace the whole of it."""

    op: Literal["add_node"] = "add_node"
    node: PlanNode


class RemoveNode(PlanOpRecord):
    """Delete the node and the edges that the author saw attached to it."""

    op: Literal["remove_node"] = "remove_node"
    node_id: str
    incident_edge_ids: list[str]


class SetNodeField(PlanOpRecord):
    """Set what `path`, a dot path, leads to inside the node's definition."""

    op: Literal["set_node_field"] = "set_node_field"
    node_id: str
    path: str
    value: ArgValue


class SetNodeDefinition(PlanOpRecord):
    """Replace the node's whole definition."""

    op: Literal["set_node_definition"] = "set_node_definition"
    node_id: str
    definition: Any


class SetNodePhase(PlanOpRecord):
    """Set the node's phase; None clears it."""

    op: Literal["set_node_phase"] = "set_node_phase"
    node_id: str
    phase: str | None


class AddEdge(PlanOpRecord):
    """Insert the edge, or replace the one with its id."""

    op: Literal["add_edge"] = "add_edge"
    edge: PlanEdge


class RemoveEdge(PlanOpRecord):
    """Delete the edge."""

    op: Literal["remove_edge"] = "remove_edge"
    edge_id: str


class SetBounds(PlanOpRecord):
    """Replace the bounds, all five."""

    op: Literal["set_bounds"] = "set_bounds"
    bounds: PlanBounds


class UnknownOp(PlanOpRecord):
    """An op of a kind that this version does not know; its fields are kept."""

    model_config = ConfigDict(frozen=True, from_attributes=True, extra="allow")

    op: str


PlanOp: TypeAlias = (
    AddNode
    | RemoveNode
    | SetNodeField
    | SetNodeDefinition
    | SetNodePhase
    | AddEdge
    | RemoveEdge
    | SetBounds
    | UnknownOp
)

#: By what `op` says; all other kinds are an `UnknownOp`.
OP_CLASSES: Final[Mapping[str, type[Any]]] = {
    kind.model_fields["op"].default: kind
    for kind in (
        AddNode,
        RemoveNode,
        SetNodeField,
        SetNodeDefinition,
        SetNodePhase,
        AddEdge,
        RemoveEdge,
        SetBounds,
    )
}
