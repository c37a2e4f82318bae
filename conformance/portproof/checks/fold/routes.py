"""Keys of routes (document 30, section 5)."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import BranchId, EdgeSegment, JoinSegment, RouteSegment
from portproof.benches.plans.folds import FoldBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.near_routes import near_routes, route_text, segments

_GOLDEN: list[tuple[list[RouteSegment], str]] = [
    ([], ""),
    ([EdgeSegment("ab")], "e2:ab"),
    ([EdgeSegment("a"), EdgeSegment("")], "e1:ae0:"),
    ([JoinSegment("j", ["ab", "c"])], "j1:j(e2:abe1:c)"),
    ([JoinSegment("", [])], "j0:()"),
    ([EdgeSegment("e1"), JoinSegment("merge", ["x"]), EdgeSegment("e1:a")], "e2:e1j5:merge(e1:x)e4:e1:a"),
]
_ASCII = st.text("abcejxyz019_-:()", max_size=12)
_ASCII_STEPS = st.builds(EdgeSegment, _ASCII) | st.builds(JoinSegment, _ASCII, st.lists(_ASCII, max_size=3).map(sorted))


@check("OPS-BRANCH-KEY-GRAMMAR", steps=st.lists(_ASCII_STEPS, max_size=5))
async def a_key_follows_the_grammar(bench: FoldBench, steps: list[RouteSegment]) -> None:
    for known, key in [*_GOLDEN, (steps, route_text(steps))]:
        expect_equal(bench.key(BranchId(known)), key, "the key of a route", route=known)


@check("OPS-BRANCH-KEY-INJECTIVE", steps=st.lists(segments(), min_size=1, max_size=3))
async def two_routes_never_share_a_key(bench: FoldBench, steps: list[RouteSegment]) -> None:
    by_key: dict[str, BranchId] = {}
    for route in near_routes(steps):
        other = by_key.setdefault(bench.key(route), route)
        expect(other == route, "two routes have one key", key=bench.key(route), one=other, two=route)


@check("OPS-BRANCH-KEY-ORDER-SENSITIVE", steps=st.lists(segments(), min_size=2, max_size=4, unique_by=repr))
async def the_order_of_steps_is_in_the_key(bench: FoldBench, steps: list[RouteSegment]) -> None:
    swapped = [steps[1], steps[0], *steps[2:]]
    expect(bench.key(BranchId(steps)) != bench.key(BranchId(swapped)), "two steps exchanged give the same key")
    there, back = (BranchId([JoinSegment("j", of)]) for of in (["b", "a"], ["a", "b"]))
    expect(bench.key(there) != bench.key(back), "the edges into a join are not rendered as given")


@check(
    "OPS-BRANCH-KEY-TOTAL", steps=st.lists(segments(), min_size=1, max_size=5), length=st.sampled_from([1, 100, 5000])
)
async def every_route_has_a_key(bench: FoldBench, steps: list[RouteSegment], length: int) -> None:
    route = [steps[place % len(steps)] for place in range(length)]
    for long in (route, [JoinSegment("", [])], [EdgeSegment("")], [JoinSegment("j", ["x"] * length)]):
        expect(bench.key(BranchId(long)), "a route of some steps has an empty key")
