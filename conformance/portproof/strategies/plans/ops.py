"""The ops of plans, and logs of them (document 31, section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import (
    AddEdge,
    AddNode,
    NodeRef,
    PlanBounds,
    PlanEdge,
    PlanNode,
    PlanOp,
    RemoveEdge,
    RemoveNode,
    SetBounds,
    SetNodeDefinition,
    SetNodeField,
    SetNodePhase,
    UnknownOp,
)

__all__ = ["Content", "actor_ids", "op_contents", "op_ids", "op_logs", "stamped", "stamps"]

#: An op without its stamp: `op`, and the fields of that kind.
Content = Mapping[str, Any]

_CLASSES: Final[Mapping[str, type[Any]]] = {
    "add_node": AddNode,
    "remove_node": RemoveNode,
    "set_node_field": SetNodeField,
    "set_node_definition": SetNodeDefinition,
    "set_node_phase": SetNodePhase,
    "add_edge": AddEdge,
    "remove_edge": RemoveEdge,
    "set_bounds": SetBounds,
}


def stamped(content: Content, lamport: int, actor_id: str = "ann", op_id: str = "o", at: str = "") -> PlanOp:
    """The op that says this, at this place of the key order. An op of no known kind keeps its fields."""
    make = _CLASSES.get(content["op"], UnknownOp)
    op: PlanOp = make(**content, lamport=lamport, actor_id=actor_id, op_id=op_id, at=at)
    return op


@cache
def actor_ids() -> SearchStrategy[str]:
    """Ids of actors that collation, folding of case and length would order otherwise than code points do.

    None beyond U+FFFF, whose order differs where texts consist of UTF-16 units.
    """
    telling = st.sampled_from(["a", "B", "b", "Z", "10", "9", "é", "e\u0301", "z", "zz", "", "ä", "ﬀ", "ß", "ss"])
    return telling | st.text(st.characters(max_codepoint=0xD7FF, exclude_categories=["Cs"]), max_size=4)


@cache
def op_ids() -> SearchStrategy[str]:
    """Ids of ops, of the same character."""
    return actor_ids()


@cache
def stamps() -> SearchStrategy[dict[str, Any]]:
    """Stamps of a few values, so that many clash in one part of the key or two."""
    every = product(range(4), ("ann", "bob", "Cy"), ("o1", "o10", "o2", "O3"), ("", "2026-07-02T09:00:00Z"))
    names = ("lamport", "actor_id", "op_id", "at")
    return st.sampled_from([dict(zip(names, parts, strict=True)) for parts in every])


@cache
def op_contents() -> SearchStrategy[Content]:
    """Ops of every kind on a few nodes and edges, without stamps; now and then one of no known kind."""
    return st.sampled_from(_contents())


@cache
def op_logs(min_size: int = 2, max_size: int = 12) -> SearchStrategy[list[PlanOp]]:
    """Logs of every kind of op in no particular order; no two ops have one key."""
    made = st.tuples(op_contents(), stamps())
    logs = st.lists(made, min_size=min_size, max_size=max_size, unique_by=lambda pair: tuple(pair[1].values())[:3])
    return logs.map(lambda pairs: [stamped(content, **stamp) for content, stamp in pairs])


_NODES, _EDGES, _VALUES = ("a", "b", "c"), ("e1", "e2", "e3"), (0, 1, {"z": [1]}, NodeRef("a", "last"), None)
_PATHS = ("args.x", "args.y", "tool", "args", "list.0", "list.1", "list.2", "args.x.deep", "list.x", "__class__", "a..b")


def _contents() -> list[Content]:
    """A pool, in which each kind is about as frequent as it is telling."""
    definitions = ({}, {"tool": "t", "args": {"x": 1}}, {"args": {"x": 0, "y": {"z": []}}, "list": [1, {"k": 2}]})
    nodes = [
        PlanNode(id=node, kind=kind, definition=definition, phase=phase)
        for node, (definition, kind, phase) in product(
            _NODES, zip((*definitions, None), ("join", "call", "call", "call"), (None, None, "plan", "act"), strict=True)
        )
    ]
    edges = [
        PlanEdge(id=edge, from_=ends[0], to=ends[1], handle=handle)
        for edge, ends, handle in product(_EDGES, ("ab", "bc", "aa"), ("always", "error"))
    ]
    known: list[Content] = [
        *({"op": "add_node", "node": node} for node in nodes),
        *({"op": "add_edge", "edge": edge} for edge in edges),
        *({"op": "set_node_field", "node_id": "a", "path": p, "value": v} for p, v in product(_PATHS, _VALUES[:3])),
        *({"op": "set_node_field", "node_id": n, "path": "args.x", "value": v} for n, v in product("bc", _VALUES)),
        *({"op": "set_node_definition", "node_id": n, "definition": d} for n, d in product(_NODES, definitions)),
        *({"op": "set_node_phase", "node_id": n, "phase": p} for n, p in product(_NODES, ("plan", "act", None))),
        *({"op": "remove_node", "node_id": n, "incident_edge_ids": [*e]} for n, e in product(_NODES, ((), _EDGES[:2]))),
        *({"op": "remove_edge", "edge_id": edge} for edge in _EDGES),
        *({"op": "set_bounds", "bounds": _bounds(limit)} for limit in (1, 2, 300)),
    ]
    return [*known, {"op": "rename_node", "node_id": "a", "name": "b"}, {"op": "touch"}]


def _bounds(limit: int) -> PlanBounds:
    names = ("max_nodes", "max_edges", "max_steps", "max_concurrent_frames", "max_encoded_bytes")
    return PlanBounds(**{name: limit + place for place, name in enumerate(names)})
