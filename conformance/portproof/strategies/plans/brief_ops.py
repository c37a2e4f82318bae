"""Ops in a few words, for logs that are written out."""

from __future__ import annotations

from typing import Any

from agentports.ports import PlanBounds, PlanEdge, PlanNode, PlanOp
from portproof.strategies.plans.ops import Content, stamped

__all__ = [
    "add_edge",
    "add_node",
    "log",
    "remove_edge",
    "remove_node",
    "set_bounds",
    "set_definition",
    "set_field",
    "set_phase",
]


def log(*contents: Content, start: int = 1) -> list[PlanOp]:
    """Ops whose keys ascend, from this lamport on."""
    return [stamped(content, lamport) for lamport, content in enumerate(contents, start)]


def add_node(name: str, definition: Any = None, *, kind: str = "call", phase: str | None = None) -> Content:
    """Without a definition: an empty one."""
    definition = {} if definition is None else definition
    return {"op": "add_node", "node": PlanNode(id=name, kind=kind, definition=definition, phase=phase)}


def remove_node(name: str, *edges: str) -> Content:
    """With the edges that its author saw."""
    return {"op": "remove_node", "node_id": name, "incident_edge_ids": [*edges]}


def set_field(name: str, path: str, value: Any) -> Content:
    """One field of one node."""
    return {"op": "set_node_field", "node_id": name, "path": path, "value": value}


def set_definition(name: str, definition: Any) -> Content:
    """The whole definition of one node."""
    return {"op": "set_node_definition", "node_id": name, "definition": definition}


def set_phase(name: str, phase: str | None) -> Content:
    """The phase of one node."""
    return {"op": "set_node_phase", "node_id": name, "phase": phase}


def add_edge(name: str, ends: str, handle: str = "always") -> Content:
    """From the first letter to the second."""
    return {"op": "add_edge", "edge": PlanEdge(id=name, from_=ends[0], to=ends[1], handle=handle)}


def remove_edge(name: str) -> Content:
    """By its id."""
    return {"op": "remove_edge", "edge_id": name}


def set_bounds(bounds: PlanBounds) -> Content:
    """All of them."""
    return {"op": "set_bounds", "bounds": bounds}
