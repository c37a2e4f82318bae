"""A fold over maps that nobody can change, whose answers are plain mappings and tuples."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from functools import reduce
from types import MappingProxyType
from typing import Any

from agentports.plans import branch_key, encode, plan_digest
from agentports.ports import DEFAULT_PLAN_BOUNDS
from portproof.benches.plans.walking import copied

from ._plan_paths import RefusedPathError, with_path

__all__ = ["Persistent"]

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_EMPTY = MappingProxyType(
    {"nodes": _NOTHING, "edges": _NOTHING, "bounds": dict(DEFAULT_PLAN_BOUNDS), "edited": (), "issues": ()}
)


class Persistent:
    """Each op gives a new plan. Ops are put into their place one by one, as they come."""

    branch_key = staticmethod(branch_key)

    def fold_ops(self, plan_id: str, ops: Sequence[Any], provenance: Any = None) -> dict[str, Any]:
        placed: list[tuple[Any, bytes, Any]] = []
        for op in ops:
            entry = ((op.lamport, op.actor_id, op.op_id), encode(_record(op)), op)
            place = bisect.bisect_left(placed, entry[:2], key=lambda known: known[:2])
            if place == len(placed) or placed[place][:2] != entry[:2]:
                placed.insert(place, entry)
        plan = reduce(_after, (op for *_, op in placed), _EMPTY)
        return _answer(plan, plan_id, len(ops), provenance)


def _record(op: Any) -> dict[str, Any]:
    return {name: dict(value) if name in ("node", "edge", "bounds") else value for name, value in op}


def _after(plan: Mapping[str, Any], op: Any) -> Mapping[str, Any]:
    change = _CHANGES.get(op.op)
    if change is None:
        return _noted(plan, "unknown_op")
    if op.op.startswith("set_node_"):
        plan = _with(plan, "edited", (*plan["edited"], op.node_id))
        if op.node_id not in plan["nodes"]:
            return plan
    return change(plan, op)


def _with(around: Mapping[str, Any], key: str, value: Any) -> Mapping[str, Any]:
    return MappingProxyType({**around, key: value})


def _without(around: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    return MappingProxyType({key: value for key, value in around.items() if key not in keys})


def _noted(plan: Mapping[str, Any], code: str, **about: Any) -> Mapping[str, Any]:
    issue = {"code": code, "message": f"{code}: {about}", "severity": "advisory", **about}
    return _with(plan, "issues", (*plan["issues"], issue))


def _add_node(plan: Mapping[str, Any], op: Any) -> Mapping[str, Any]:
    node = {"id": op.node.id, "kind": op.node.kind, "definition": op.node.definition}
    node |= {} if op.node.phase is None else {"phase": op.node.phase}
    return _with(plan, "nodes", _with(plan["nodes"], op.node.id, MappingProxyType(node)))


def _remove_node(plan: Mapping[str, Any], op: Any) -> Mapping[str, Any]:
    return _cut(_with(plan, "nodes", _without(plan["nodes"], op.node_id)), *op.incident_edge_ids)


def _edited(plan: Mapping[str, Any], op: Any, **fields: Any) -> Mapping[str, Any]:
    node = _without({**plan["nodes"][op.node_id], **fields}, *(name for name in fields if fields[name] is _GONE))
    return _with(plan, "nodes", _with(plan["nodes"], op.node_id, node))


_GONE = object()


def _set_field(plan: Mapping[str, Any], op: Any) -> Mapping[str, Any]:
    try:
        definition = with_path(plan["nodes"][op.node_id]["definition"], op.path, op.value)
    except RefusedPathError:
        return _noted(plan, "invalid_field_path", node_id=op.node_id)
    return _edited(plan, op, definition=definition)


def _cut(plan: Mapping[str, Any], *edges: str) -> Mapping[str, Any]:
    settled = [issue for issue in plan["issues"] if issue["code"] == "duplicate_edge_id" and issue["edge_id"] in edges]
    plan = _with(plan, "issues", tuple(issue for issue in plan["issues"] if issue not in settled))
    return _with(plan, "edges", _without(plan["edges"], *edges))


def _add_edge(plan: Mapping[str, Any], op: Any) -> Mapping[str, Any]:
    edge = {"id": op.edge.id, "from": op.edge.from_, "to": op.edge.to, "handle": op.edge.handle}
    before = plan["edges"].get(op.edge.id, edge)
    if before != edge:
        plan = _noted(plan, "duplicate_edge_id", edge_id=op.edge.id, edges=(before, edge))
    return _with(plan, "edges", _with(plan["edges"], op.edge.id, edge))


_CHANGES: dict[str, Any] = {
    "add_node": _add_node,
    "remove_node": _remove_node,
    "set_node_field": _set_field,
    "set_node_definition": lambda plan, op: _edited(plan, op, definition=op.definition),
    "set_node_phase": lambda plan, op: _edited(plan, op, phase=_GONE if op.phase is None else op.phase),
    "add_edge": _add_edge,
    "remove_edge": lambda plan, op: _cut(plan, op.edge_id),
    "set_bounds": lambda plan, op: _with(plan, "bounds", dict(op.bounds)),
}


def _answer(plan: Mapping[str, Any], plan_id: str, revision: int, provenance: Any) -> dict[str, Any]:
    nodes = tuple({**node, "definition": copied(node["definition"])} for node in plan["nodes"].values())
    whole = tuple(edge for edge in plan["edges"].values() if {edge["from"], edge["to"]} <= plan["nodes"].keys())
    for edge in plan["edges"].values():
        plan = plan if edge in whole else _noted(plan, "dangling_edge", edge_id=edge["id"])
    for name in dict.fromkeys(plan["edited"]):
        plan = plan if name in plan["nodes"] else _noted(plan, "unknown_node", node_id=name)
    view = {"plan_id": plan_id, "revision": revision, "nodes": nodes, "edges": whole, "bounds": {**plan["bounds"]}}
    view |= {} if provenance is None else {"provenance": copied(dict(provenance))}
    lists = {"nodes": [*nodes], "edges": [*whole]}
    return {"view": {**view, "digest": plan_digest({**view, **lists})}, "issues": plan["issues"]}
