"""Routes that are nearly the same, so that a careless key takes one for another (document 30, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import BranchId, EdgeSegment, JoinSegment, RouteSegment
from portproof.strategies.plans.references import route_ids

__all__ = ["near_routes", "route_text", "segments"]


@cache
def segments() -> SearchStrategy[RouteSegment]:
    """One step of a route."""
    of = st.lists(route_ids(), max_size=3)
    return st.builds(EdgeSegment, route_ids()) | st.builds(JoinSegment, route_ids(), of)


def near_routes(steps: Sequence[RouteSegment]) -> list[BranchId]:
    """The route of these steps, and what becomes of it by moving a border or disguising one step as another."""
    routes = [BranchId(steps), BranchId()]
    for place, step in enumerate(steps):
        before, after = steps[:place], steps[place + 1 :]
        routes += [BranchId([*before, *changed, *after]) for change in _CHANGES for changed in change(step)]
        routes += [BranchId([*before, merged, *after[1:]]) for merged in _merged(step, *after[:1])]
    return routes


def route_text(steps: Sequence[RouteSegment]) -> str:
    """The key of such a route, by the grammar."""
    return "".join(
        f"e{len(step.edge)}:{step.edge}"
        if isinstance(step, EdgeSegment)
        else f"j{len(step.join)}:{step.join}({route_text([EdgeSegment(edge) for edge in step.of])})"
        for step in steps
    )


def _split(step: RouteSegment) -> Iterator[Sequence[RouteSegment]]:
    """Two steps of one."""
    if isinstance(step, EdgeSegment):
        yield from ([EdgeSegment(step.edge[:n]), EdgeSegment(step.edge[n:])] for n in range(len(step.edge)))
    else:
        of = step.of
        for n in range(len(of)):
            yield [JoinSegment(step.join, of[:n]), *(EdgeSegment(edge) for edge in of[n:])]


def _disguised(step: RouteSegment) -> Iterator[Sequence[RouteSegment]]:
    """An edge whose id is the text of the step, or of all but its beginning."""
    text = route_text([step])
    yield from ([EdgeSegment(text[n:])] for n in range(4))


def _regrouped(step: RouteSegment) -> Iterator[Sequence[RouteSegment]]:
    """Joins whose name and edges share the letters otherwise; with an edge less or more."""
    if isinstance(step, EdgeSegment):
        yield from ([JoinSegment(step.edge[:n], [step.edge[n:]])] for n in range(len(step.edge)))
        return
    whole = "".join(step.of)
    yield from ([JoinSegment(step.join, [whole[:n], whole[n:]])] for n in range(len(whole)))
    for of in (step.of[:-1], [*step.of, ""], [*step.of, *step.of], [*step.of, "e"]):
        yield [JoinSegment(step.join, of)]
    yield [JoinSegment(step.join + "".join(step.of[:1]), step.of[1:])]


def _longer(step: RouteSegment) -> Iterator[Sequence[RouteSegment]]:
    """Ids that begin or end alike."""
    for more in ("e", "ejej", "0", " ", "xxxxxxxxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxxxxxxxy"):
        if isinstance(step, EdgeSegment):
            yield from ([EdgeSegment(name)] for name in (step.edge + more, more + step.edge))
        else:
            yield [JoinSegment(step.join + more, step.of)]


def _merged(step: RouteSegment, following: RouteSegment | None = None) -> Iterator[RouteSegment]:
    """Two edges as one, with whatever may stand between them."""
    if isinstance(step, EdgeSegment) and isinstance(following, EdgeSegment):
        yield from (EdgeSegment(f"{step.edge}{between}{following.edge}") for between in _BETWEEN)


_BETWEEN = ("", "e", ":", "e:", ">", ",", ".", "/", "|", "-", "e1:", "\0", "\n")
_CHANGES: list[Callable[[RouteSegment], Iterator[Sequence[RouteSegment]]]] = [_split, _disguised, _regrouped, _longer]
