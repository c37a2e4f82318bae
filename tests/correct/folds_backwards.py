"""A fold that reads the log from its end: what came before an element's current life is never built."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import groupby
from typing import Any

from agentports.plans import branch_key, encode, plan_digest
from agentports.ports import (
    DEFAULT_PLAN_BOUNDS,
    FoldResult,
    PlanIssue,
    PlanNode,
    PlanOp,
    PlanProvenance,
    RawPlanView,
)
from portproof.benches.plans.walking import copied

from ._plan_paths import RefusedPathError, with_path

__all__ = ["Backwards"]

_ABOUT_NODES = {"add_node", "remove_node", "set_node_field", "set_node_definition", "set_node_phase"}
_KINDS = {*_ABOUT_NODES, "add_edge", "remove_edge", "set_bounds"}


class Backwards:
    """Groups the ops by what they are about, and reads each group from its end."""

    branch_key = staticmethod(branch_key)
    plan_digest = staticmethod(plan_digest)

    def fold_ops(self, plan_id: str, ops: Sequence[PlanOp], provenance: PlanProvenance | None = None) -> FoldResult:
        ordered: list[Any] = _in_order(ops)
        nodes, edges = _lives(ordered)
        issues: list[PlanIssue] = []
        living = [_node(life, issues) for life in _by_first(nodes.values())]
        ids = {node.id for node in living}
        wires = [life[-1].edge for life in _by_first(edges.values())]
        issues += _about(ordered, ids, edges.values(), wires)
        bounds = next((op.bounds for op in reversed(ordered) if op.op == "set_bounds"), DEFAULT_PLAN_BOUNDS)
        view = RawPlanView(
            plan_id=plan_id,
            revision=len(ops),
            nodes=living,
            edges=[copy(edge) for edge in wires if {edge.from_, edge.to} <= ids],
            bounds=bounds,
            provenance=None if provenance is None else type(provenance).model_validate(copied(dict(provenance))),
        )
        return FoldResult(view.model_copy(update={"digest": plan_digest(view)}), issues)


def _in_order(ops: Sequence[PlanOp]) -> list[PlanOp]:
    def key(op: PlanOp) -> Any:
        return (op.lamport, op.actor_id, op.op_id)

    ordered: list[PlanOp] = []
    for _, tied in groupby(sorted(ops, key=key), key):
        by_text = {repr(encode(_told(op))): op for op in tied}
        ordered += [by_text[text] for text in sorted(by_text)]
    return ordered


def _told(op: PlanOp) -> dict[str, Any]:
    return {name: dict(value) if name in ("node", "edge", "bounds") else value for name, value in op}


def _lives(ordered: list[Any]) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """The ops of each living node and edge, from the first addition after its last removal on."""
    nodes: dict[str, list[Any]] = defaultdict(list)
    edges: dict[str, list[Any]] = defaultdict(list)
    ended: set[tuple[str, str]] = set()
    for op in reversed(ordered):
        for lives, name, is_end in _touched(op, nodes, edges):
            entry = ("node" if lives is nodes else "edge", name)
            if is_end:
                ended.add(entry)
            elif entry not in ended:
                lives[name].insert(0, op)
    return _begun(nodes, "add_node"), _begun(edges, "add_edge")


def _touched(op: Any, nodes: Any, edges: Any) -> Iterator[tuple[Any, str, bool]]:
    if op.op == "add_node":
        yield nodes, op.node.id, False
    elif op.op.startswith("set_node_"):
        yield nodes, op.node_id, False
    elif op.op == "remove_node":
        yield nodes, op.node_id, True
        yield from ((edges, edge, True) for edge in op.incident_edge_ids)
    elif op.op == "add_edge":
        yield edges, op.edge.id, False
    elif op.op == "remove_edge":
        yield edges, op.edge_id, True


def _begun(lives: dict[str, list[Any]], begin: str) -> dict[str, list[Any]]:
    """Without edits before the first addition, and without those that never were added."""
    kinds = {name: [op.op for op in life] for name, life in lives.items()}
    return {name: lives[name][said.index(begin) :] for name, said in kinds.items() if begin in said}


def _by_first(lives: Any) -> list[list[Any]]:
    """In the order in which they began."""
    return sorted(lives, key=lambda life: (life[0].lamport, life[0].actor_id, life[0].op_id, encode(_told(life[0]))))


def _node(life: list[Any], issues: list[PlanIssue]) -> PlanNode:
    """What the last whole node of a life and the edits after it amount to."""
    last = max(place for place, op in enumerate(life) if op.op == "add_node")
    node = life[last].node
    definition, phase = node.definition, node.phase
    for op in life[last + 1 :]:
        if op.op == "set_node_phase":
            phase = op.phase
        elif op.op == "set_node_definition":
            definition = op.definition
        else:
            try:
                definition = with_path(definition, op.path, op.value)
            except RefusedPathError:
                issues.append(_issue("invalid_field_path", f"{op.path} leads nowhere", node_id=node.id))
    return PlanNode(id=node.id, kind=node.kind, definition=copied(definition), phase=phase)


def _about(ordered: list[Any], ids: set[str], lives: Any, wires: list[Any]) -> Iterator[PlanIssue]:
    for op in ordered:
        if op.op not in _KINDS:
            yield _issue("unknown_op", f"nobody knows {op.op}")
    for name in {op.node_id for op in ordered if op.op.startswith("set_node_")} - ids:
        yield _issue("unknown_node", f"{name} is not there", node_id=name)
    for edge in wires:
        if not {edge.from_, edge.to} <= ids:
            yield _issue("dangling_edge", f"{edge.id} lacks an end", edge_id=edge.id)
    for life in lives:
        shapes = list(dict.fromkeys((op.edge.from_, op.edge.to, op.edge.handle) for op in life))
        if len(shapes) > 1:
            yield _issue("duplicate_edge_id", f"once {shapes}", edge_id=life[-1].edge.id)


def _issue(code: str, message: str, **about: str) -> PlanIssue:
    return PlanIssue(code=code, message=message, severity="advisory", **about)
