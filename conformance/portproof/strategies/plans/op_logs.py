"""Logs of ops, and the orders in which they arrive (document 31, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import PlanOp
from portproof.strategies.plans.ops import Content, op_contents, stamped, stamps

__all__ = ["Arrival", "arrivals", "logs_of", "op_logs"]


@dataclass
class Arrival:
    """A log, and the order in which its ops arrive: by their places in it, where one may come twice."""

    log: Sequence[PlanOp]
    order: list[int]

    @property
    def ops(self) -> list[PlanOp]:
        """The ops as they arrive."""
        return [self.log[place] for place in self.order]


@cache
def op_logs(min_size: int = 2, max_size: int = 12) -> SearchStrategy[list[PlanOp]]:
    """Logs of every kind of op in no particular order; no two ops have one key, many agree in one part or two."""
    return logs_of(op_contents(), min_size, max_size)


def logs_of(contents: SearchStrategy[Content], min_size: int = 2, max_size: int = 12) -> SearchStrategy[list[PlanOp]]:
    """Logs of such ops."""
    entries = st.tuples(contents, stamps())
    logs = st.lists(entries, min_size=min_size, max_size=max_size, unique_by=lambda entry: tuple(entry[1].values())[:3])
    return logs.map(lambda log: [stamped(content, **stamp) for content, stamp in log])


@st.composite
def arrivals(draw: st.DrawFn, logs: SearchStrategy[Sequence[PlanOp]], *, repeats: bool = False) -> Arrival:
    """A log in any order: reversed, shuffled, the halves of two replicas exchanged; with `repeats`, some ops again."""
    log = draw(logs)
    half = len(log) // 2
    places = [*range(len(log))]
    order = draw(st.sampled_from([places[::-1], places[half:] + places[:half]]) | st.permutations(places))
    for place in draw(st.lists(st.sampled_from(places), min_size=1, max_size=4)) if repeats else ():
        order.insert(draw(st.integers(0, len(order))), place)
    return Arrival(log, order)
