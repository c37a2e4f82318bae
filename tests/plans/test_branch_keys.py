"""Routes as keys."""

from __future__ import annotations

import re
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.plans import branch_key
from agentports.ports import BranchId, EdgeSegment, JoinSegment
from portproof.strategies.plans import routes


def test_keys_are_written_as_the_grammar_says() -> None:
    """Lengths count code points, and nothing stands between segments."""
    route = BranchId([EdgeSegment("ab"), JoinSegment("j", ["ab", "c"])])
    assert branch_key(BranchId()) == ""
    assert branch_key(route) == "e2:abj1:j(e2:abe1:c)"
    assert branch_key(BranchId([EdgeSegment("\U0001f600é")])) == "e2:\U0001f600é"


@settings(deadline=None)
@given(st.lists(routes(), min_size=2, max_size=5))
def test_no_two_routes_have_one_key(drawn: list[BranchId]) -> None:
    """Whatever characters their ids are made of."""
    for one, other in combinations(drawn, 2):
        assert (branch_key(one) == branch_key(other)) == (one == other)


@settings(deadline=None)
@given(routes())
def test_a_route_can_be_read_back_from_its_key(route: BranchId) -> None:
    """Each id by its length, which is why no two share a key."""
    assert _read(branch_key(route)) == route


def _read(key: str) -> BranchId:
    segments: list[EdgeSegment | JoinSegment] = []
    while key:
        kind, name, key = _name(key)
        if kind == "e":
            segments.append(EdgeSegment(name))
            continue
        edges, key = [], key[1:]
        while key[0] != ")":
            _, edge, key = _name(key)
            edges.append(edge)
        segments.append(JoinSegment(name, edges))
        key = key[1:]
    return BranchId(segments)


def _name(key: str) -> tuple[str, str, str]:
    found = re.match(r"([ej])(\d+):", key)
    assert found is not None
    end = found.end() + int(found[2])
    return found[1], key[found.end() : end], key[end:]
