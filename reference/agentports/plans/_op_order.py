"""The order in which ops are folded, whatever order they arrived in (document 31, section 2)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter, lt
from typing import Any, Final

from agentports.plans.digest import edge_record, node_record
from agentports.plans.encoding import encode
from agentports.ports.plans import PlanBounds, PlanEdge, PlanNode, PlanOp

__all__ = ["KEY", "in_order", "is_same_op"]

#: `(lamport, actor_id, op_id)`. Python compares texts by code point.
KEY: Final = attrgetter("lamport", "actor_id", "op_id")


def in_order(ops: Iterable[PlanOp]) -> list[PlanOp]:
    """The ops by ascending key, each once.

    Different ops with one key are ordered by their encoding, so that arrival never decides (OPS-KEY-COLLISION-TOTAL).
    """
    given = [*ops]
    keys = [*map(KEY, given)]
    if all(map(lt, keys, keys[1:])):
        return given
    given.sort(key=KEY)
    if len(set(keys)) == len(keys):
        return given
    return [op for _, run in groupby(given, KEY) for op in _distinct([*run])]


def is_same_op(one: PlanOp, other: PlanOp) -> bool:
    """Whether one is a repeat of the other. `==` does not tell, as it takes 1 for True."""
    return one is other or _encoded(one) == _encoded(other)


def _distinct(run: list[PlanOp]) -> list[PlanOp]:
    if all(op is run[0] for op in run):
        return run[:1]
    by_text = {_encoded(op): op for op in run}
    return [by_text[text] for text in sorted(by_text)]


def _encoded(op: PlanOp) -> bytes:
    return encode({name: _record(value) for name, value in op})


def _record(value: Any) -> Any:
    if type(value) is PlanNode:
        return node_record(value)
    if type(value) is PlanEdge:
        return edge_record(value)
    return dict(value) if type(value) is PlanBounds else value
