"""Routes that are nearly the same, so that a careless key takes one for the other (document 30, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import BranchId, EdgeSegment, JoinSegment, RouteSegment
from portproof.strategies.plans.references import route_ids, routes

__all__ = ["route_pairs", "route_text", "segments"]


@cache
def segments() -> SearchStrategy[RouteSegment]:
    """One step of a route."""
    of = st.lists(route_ids(), max_size=3)
    return st.builds(EdgeSegment, route_ids()) | st.builds(JoinSegment, route_ids(), of)


@cache
def route_pairs() -> SearchStrategy[tuple[BranchId, BranchId]]:
    """Two routes, most often one and what became of it by moving a border or disguising a step as another."""
    lists = st.lists(segments(), min_size=1, max_size=3)
    altered = st.builds(_altered, lists, st.integers(0, 2), st.sampled_from(_CHANGES), st.integers(0, 6))
    return altered | st.tuples(routes(), routes())


def route_text(steps: Sequence[RouteSegment]) -> str:
    """The key of such a route, by the grammar."""
    return "".join(
        f"e{len(step.edge)}:{step.edge}"
        if isinstance(step, EdgeSegment)
        else f"j{len(step.join)}:{step.join}({route_text([EdgeSegment(edge) for edge in step.of])})"
        for step in steps
    )


_Change = Callable[[RouteSegment, int], list[RouteSegment]]


def _altered(steps: list[RouteSegment], place: int, change: _Change, border: int) -> tuple[BranchId, BranchId]:
    place %= len(steps)
    return BranchId(steps), BranchId([*steps[:place], *change(steps[place], border), *steps[place + 1 :]])


def _split(step: RouteSegment, border: int) -> list[RouteSegment]:
    """Two steps of one."""
    if isinstance(step, EdgeSegment):
        return [EdgeSegment(step.edge[:border]), EdgeSegment(step.edge[border:])]
    return [JoinSegment(step.join, step.of[:border]), *map(EdgeSegment, step.of[border:])]


def _disguised(step: RouteSegment, border: int) -> list[RouteSegment]:
    """An edge whose id is the text of a step, or of all but its beginning."""
    text = route_text([step])
    return [EdgeSegment(text if border % 2 else text[1:])]


def _regrouped(step: RouteSegment, border: int) -> list[RouteSegment]:
    """A join of the same letters, or with none."""
    if isinstance(step, EdgeSegment):
        return [JoinSegment(step.edge[:border], [step.edge[border:]])]
    whole = "".join(step.of)
    return [JoinSegment(step.join, [whole[:border], whole[border:]])]


def _moved(step: RouteSegment, border: int) -> list[RouteSegment]:
    """A join whose name and edges share their letters otherwise; an edge with a longer id."""
    if isinstance(step, EdgeSegment):
        return [EdgeSegment(step.edge + step.edge[:border])]
    return [JoinSegment(step.join + "".join(step.of[:1]), step.of[1:])]


_CHANGES: list[_Change] = [_split, _disguised, _regrouped, _moved]
