"""The ops of plans: what they say, and the stamps that order them (document 31, section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from operator import attrgetter
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import (
    NodeRef,
    PlanBounds,
    PlanEdge,
    PlanNode,
    PlanOp,
    UnknownOp,
)
from agentports.ports.plans import OP_CLASSES

__all__ = [
    "KEY",
    "UNKNOWN_FIELDS",
    "Content",
    "actor_ids",
    "hostile_paths",
    "lamports",
    "op_contents",
    "stamped",
    "stamps",
    "unknown_kinds",
]

#: What orders a log: lamport, actor, op.
KEY: Final = attrgetter("lamport", "actor_id", "op_id")
#: An op without its stamp: `op`, and the fields of that kind.
Content = Mapping[str, Any]

#: Fields of ops of no known kind, such as known ones have.
UNKNOWN_FIELDS: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    {"node_id": "a", "path": "x", "value": 1},
    {"node_id": "a", "definition": {"x": 2}, "phase": "plan"},
    {"edge_id": "e1"},
    {"node_id": "a", "incident_edge_ids": []},
)


def stamped(content: Content, lamport: int, actor_id: str = "ann", op_id: str = "o", at: str = "") -> PlanOp:
    """The op that says this, at this place of the key order. An op of no known kind keeps its fields."""
    make = OP_CLASSES.get(content["op"], UnknownOp)
    op: PlanOp = make(**content, lamport=lamport, actor_id=actor_id, op_id=op_id, at=at)
    return op


@cache
def actor_ids() -> SearchStrategy[str]:
    """Ids, of ops as well, that collation, folding of case and length would order otherwise than code points do.

    None beyond U+FFFF, whose order differs where texts consist of UTF-16 units.
    """
    telling = st.sampled_from(["a", "B", "b", "Z", "10", "9", "é", "e\u0301", "z", "zz", "ä", "ﬀ", "ß", "ss"])
    return telling | st.text(st.characters(max_codepoint=0xD7FF, exclude_categories=["Cs"]), min_size=1, max_size=4)


@cache
def lamports() -> SearchStrategy[int]:
    """Clocks of any size; texts, floats and machine words would order them otherwise."""
    return st.integers(0, 20) | st.integers(0, 2**80) | st.sampled_from([2**53, 2**53 + 1, 2**63, 2**64])


@cache
def stamps() -> SearchStrategy[dict[str, Any]]:
    """Stamps of a few values, so that many clash in one part of the key or two."""
    every = product(range(4), ("ann", "bob", "Cy"), ("o1", "o10", "o2", "O3"), ("", "2026-07-02T09:00:00Z"))
    names = ("lamport", "actor_id", "op_id", "at")
    return st.sampled_from([dict(zip(names, parts, strict=True)) for parts in every])


@cache
def op_contents(*ops: str) -> SearchStrategy[Content]:
    """Ops on a few nodes and edges, without stamps: of every kind, or of these."""
    return st.sampled_from([content for content in _POOL if not ops or content["op"] in ops])


@cache
def unknown_kinds() -> SearchStrategy[str]:
    """Kinds of ops that there are not."""
    return st.sampled_from(["rename_node", "touch", "add_nodes", "ADD_NODE", "undo", "", "__init__", "remove"])


@cache
def hostile_paths() -> SearchStrategy[str]:
    """Paths with a segment that may be set nowhere, at any position (document 31, section 2)."""
    refused = st.sampled_from(
        ["", "__proto__", "prototype", "constructor", "__class__", "__dict__", "__init__", "__globals__", "__x__"]
    )
    around = st.lists(st.sampled_from(["args", "x", "ref", "0"]), max_size=2)
    return st.builds(lambda before, bad, after: ".".join([*before, bad, *after]), around, refused, around)


_NODES, _EDGES, _VALUES = ("a", "b", "c"), ("e1", "e2", "e3"), (0, 1, {"z": [1]}, NodeRef("a", "last"), None)
_PATHS = ("args.x", "args.y", "tool", "args", "args.x.z")


def _pool() -> list[Content]:
    """Ops of which each kind is about as frequent as it is telling."""
    definitions: tuple[Any, ...] = ({}, {"tool": "t", "args": {"x": 1}}, {"args": {"x": 0, "y": {"z": []}}, "l": [{}]})
    nodes = [
        PlanNode(id=node, kind=kind, definition=definition, phase=phase)
        for node, (definition, kind, phase) in product(
            _NODES, zip(definitions, ("join", "call", "call"), (None, None, "plan"), strict=True)
        )
    ]
    edges = [
        PlanEdge(id=edge, from_=ends[0], to=ends[1], handle=handle)
        for edge, ends, handle in product(_EDGES, ("ab", "bc", "aa"), ("always", "error"))
    ]
    return [
        *({"op": "add_node", "node": node} for node in (*nodes, *nodes)),
        *({"op": "add_edge", "edge": edge} for edge in edges),
        *({"op": "set_node_field", "node_id": "a", "path": p, "value": v} for p, v in product(_PATHS, _VALUES)),
        *({"op": "set_node_field", "node_id": n, "path": "args.x", "value": v} for n, v in product("bc", _VALUES)),
        *({"op": "set_node_definition", "node_id": n, "definition": d} for n, d in product(_NODES, definitions)),
        *({"op": "set_node_phase", "node_id": n, "phase": p} for n, p in product(_NODES, ("plan", "act", None))),
        *({"op": "remove_node", "node_id": n, "incident_edge_ids": [*e]} for n, e in product(_NODES, ((), _EDGES[:2]))),
        *({"op": "remove_edge", "edge_id": edge} for edge in _EDGES),
        *({"op": "set_bounds", "bounds": _bounds(limit)} for limit in (1, 2, 300)),
    ]


def _bounds(limit: int) -> PlanBounds:
    names = ("max_nodes", "max_edges", "max_steps", "max_concurrent_frames", "max_encoded_bytes")
    return PlanBounds(**{name: limit + place for place, name in enumerate(names)})


_POOL: Final = _pool()
