"""What it costs to fold a plan's log, beside a CRDT of maps that replays the same edits and a bare loop over dicts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from agentports.plans import Fold, fold_ops, plan_digest
from agentports.ports import PlanOp
from portproof.strategies.plans.brief_ops import add_edge, add_node, set_field
from portproof.strategies.plans.ops import Content, stamped
from tests.benchmarks.appending import definition
from tests.benchmarks.measuring import in_turns

_ROUNDS = {1_000: 20, 10_000: 8, 100_000: 3}
_FIELDS = ("args.subject", "args.retries", "tool", "on_missing_value")


def _contents(length: int) -> list[Content]:
    """A tenth adds nodes, a tenth edges between them; the rest edits fields."""
    nodes = length // 10
    contents = [add_node(f"n{number}", definition(number)) for number in range(nodes)]
    contents += [_edge(number, nodes) for number in range(nodes)]
    return contents + [
        set_field(f"n{number * 7 % nodes}", _FIELDS[number % len(_FIELDS)], number)
        for number in range(length - 2 * nodes)
    ]


def _edge(number: int, nodes: int) -> Content:
    edge = add_edge(f"e{number}", "xx")["edge"]
    ends = {"from_": f"n{number}", "to": f"n{(number + 1) % nodes}"}
    return {"op": "add_edge", "edge": edge.model_copy(update=ends)}


def _log(length: int) -> list[PlanOp]:
    """Ops of two authors, whose clocks go side by side, in the order of a store's log."""
    return [
        stamped(content, number // 2, ("ann", "bob")[number % 2], f"op-{number:06}")
        for number, content in enumerate(_contents(length))
    ]


def _replayed(ops: list[Any], *, flat: bool) -> object:
    """The same edits of a CRDT's maps, in one transaction, and the plan read out of them.

    Definitions are maps in maps; `flat`: one map a node, whose keys are paths, which is less to do.
    """
    from pycrdt import Doc, Map

    def shared(value: Any) -> Any:
        return Map({key: shared(held) for key, held in value.items()}) if type(value) is dict else value

    document: Any = Doc()
    nodes, edges = document.get("nodes", type=Map), document.get("edges", type=Map)
    with document.transaction():
        for op in ops:
            if op.op == "add_node":
                fields = _flat(op.node.definition) if flat else op.node.definition
                nodes[op.node.id] = Map({"kind": op.node.kind, "definition": shared(fields)})
            elif op.op == "add_edge":
                edges[op.edge.id] = dict(op.edge)
            else:
                *ahead, last = [op.path] if flat else op.path.split(".")
                container = nodes[op.node_id]["definition"]
                for segment in ahead:
                    container = container[segment]
                container[last] = op.value
    return nodes.to_py(), edges.to_py()


def _flat(definition: dict[str, Any]) -> dict[str, Any]:
    args = {f"args.{name}": value for name, value in definition["args"].items()}
    return {**definition, **args, "args": None}


def _looped(ops: list[Any]) -> object:
    """The floor: dicts, the key order, and nothing else. No digest, no issues, no hostile paths."""
    nodes: dict[str, Any] = {}
    edges: dict[str, Any] = {}
    for op in sorted(ops, key=lambda op: (op.lamport, op.actor_id, op.op_id)):
        if op.op == "add_node":
            definition = {**op.node.definition, "args": {**op.node.definition["args"]}}
            nodes[op.node.id] = {"id": op.node.id, "kind": op.node.kind, "definition": definition}
        elif op.op == "add_edge":
            edges[op.edge.id] = op.edge
        else:
            *ahead, last = op.path.split(".")
            container = nodes[op.node_id]["definition"]
            for segment in ahead:
                container = container[segment]
            container[last] = op.value
    return nodes, edges


@pytest.mark.parametrize("length", _ROUNDS)
def test_folding_a_log(benchmark: Any, found: Callable[..., None], length: int) -> None:
    """Microseconds an op, the digest of the view included; and what part of it the digest is."""
    pytest.importorskip("pycrdt")
    ops = _log(length)
    view = fold_ops("p", ops).view
    ours, nested, flat, looped, digest = in_turns(
        partial(fold_ops, "p", ops),
        partial(_replayed, ops, flat=False),
        partial(_replayed, ops, flat=True),
        partial(_looped, ops),
        partial(plan_digest, view),
        rounds=_ROUNDS[length],
    )
    found(
        fold_us=ours / length * 1e6,
        digest_us=digest / length * 1e6,
        ratio_to_pycrdt=ours / nested,
        ratio_to_flat_pycrdt=ours / flat,
        ratio_to_bare_loop=ours / looped,
    )
    benchmark.pedantic(partial(fold_ops, "p", ops), rounds=1)


_LATER: dict[str, Callable[[int], Content]] = {
    "an edit": lambda number: set_field(f"n{number * 37 % 1000}", "args.retries", number),
    "a node": lambda number: add_node(f"late{number}", definition(number)),
    "an edge": lambda number: _edge(number + 5_000, 1_000),
}


@pytest.mark.parametrize("name", _LATER)
def test_appending_to_a_long_log(benchmark: Any, found: Callable[..., None], name: str) -> None:
    """Microseconds for one op more and the digest, after 10,000; beside folding all of it again."""
    log = _log(10_000)
    fold = Fold("p", log)
    fold.digest()
    later = iter([stamped(_LATER[name](number), 10_000 + number) for number in range(4_000)])

    def append() -> None:
        for _ in range(50):
            fold.extend([next(later)])
            fold.digest()

    appended, refolded = in_turns(append, partial(fold_ops, "p", log), rounds=8)
    found(append_us=appended / 50 * 1e6, refold_us=refolded * 1e6, ratio_to_refold=appended / 50 / refolded)
    benchmark.pedantic(append, rounds=1)
