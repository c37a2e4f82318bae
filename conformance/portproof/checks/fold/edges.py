"""Edges: what removes them, what they need, and two of one id (document 31, section 2)."""

from __future__ import annotations

from itertools import permutations

from hypothesis import strategies as st

from agentports.ports import PlanEdge, PlanOp
from portproof.benches.plans.folds import FoldBench
from portproof.checks.fold.model import model_of
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_edge, add_node, log, remove_edge, remove_node
from portproof.strategies.plans.op_logs import Arrival, arrivals, logs_of
from portproof.strategies.plans.ops import Content, op_contents, stamped

_ENDS = [add_node("a"), add_node("b"), add_node("c")]
_CHANGES = op_contents("add_node", "remove_node", "add_edge", "remove_edge")


@check("OPS-REMOVE-NODE-CASCADES", order=st.permutations(range(5)), again=st.booleans())
async def a_removed_node_takes_the_edges_that_are_listed_with_it(
    bench: FoldBench, order: list[int], again: bool
) -> None:
    ops = log(add_node("a"), add_node("b"), add_edge("e1", "ab"), add_edge("e2", "ba"), remove_node("a", "e1", "e2"))
    back = [stamped(add_node("a"), 9)] if again else []
    edges = bench.fold([*back, *(ops[place] for place in order)]).edges
    expect_equal(edges, [], f"edges after a was removed with them{' and added again' if again else ''}")


@check("OPS-CASCADE-BY-KEY", order=st.permutations(range(6)))
async def a_listed_edge_may_be_added_again_later(bench: FoldBench, order: list[int]) -> None:
    before = [add_node("a"), add_node("b"), add_edge("e1", "ab"), remove_node("a", "e1")]
    ops = log(*before, add_node("a"), add_edge("e1", "ba"))
    edges = [(edge["id"], edge["from"], edge["to"]) for edge in bench.fold([ops[place] for place in order]).edges]
    expect_equal(edges, [("e1", "b", "a")], "edges after a node was removed with its edge and both were added again")


@check("OPS-DANGLING-EDGE", arrival=arrivals(logs_of(_CHANGES)))
async def an_edge_without_an_end_is_left_out_and_reported(bench: FoldBench, arrival: Arrival) -> None:
    folded, model = bench.fold(arrival.ops), model_of(arrival.log)
    expect_equal({edge["id"] for edge in folded.edges}, {edge["id"] for edge in model.whole_edges}, "edges of the view")
    for edge in sorted(model.dangling):
        folded.expect_issue("dangling_edge", edge_id=edge)


@check("OPS-LISTED-EDGE-NO-ISSUE", arrival=arrivals(logs_of(_CHANGES)), also=st.booleans())
async def a_removed_edge_is_not_reported(bench: FoldBench, arrival: Arrival, also: bool) -> None:
    last = [remove_node("a", "e1", "e2"), remove_edge("e3")] if also else [remove_node("b", "e1", "e2", "e3")]
    ops = [*arrival.ops, *log(*last, start=9)]
    named = {edge for _, _, edge in bench.fold(ops).issue_keys("dangling_edge")}
    expect_equal(named - model_of(ops).dangling, set(), "removed edges that are reported as dangling")


@st.composite
def _rivals(draw: st.DrawFn) -> list[PlanEdge]:
    """Two edges of one id that differ in an end or in the handle."""
    node = st.sampled_from(["alpha", "beta", "gamma"])
    edges = st.builds(PlanEdge, id=st.just("e"), from_=node, to=node, handle=st.sampled_from(["always", "error"]))
    return draw(st.lists(edges, min_size=2, max_size=2, unique_by=lambda edge: (edge.from_, edge.to, edge.handle)))


@check("OPS-SAME-EDGE-ID", rivals=_rivals())
async def of_two_edges_with_one_id_the_higher_stays_and_both_are_told(bench: FoldBench, rivals: list[PlanEdge]) -> None:
    ends = log(*(add_node(name) for name in ("alpha", "beta", "gamma")))
    added: list[PlanOp] = [stamped({"op": "add_edge", "edge": edge}, 9 + place) for place, edge in enumerate(rivals)]
    for arrival in permutations([*added, ends]):
        ops = [op for part in arrival for op in (part if isinstance(part, list) else [part])]
        folded, kept = bench.fold(ops), rivals[1]
        expected = {"id": "e", "from": kept.from_, "to": kept.to, "handle": kept.handle}
        expect_equal(folded.edges, [expected], "edges of the view")
        message = folded.expect_issue("duplicate_edge_id", edge_id="e").message
        for end in {end for edge in rivals for end in (edge.from_, edge.to)}:
            expect(end in str(message), f"the issue does not name the end {end}", told=message)


@check("OPS-SAME-EDGE-IDENTICAL", ends=st.sampled_from(["ab", "aa", "ba"]), handle=st.sampled_from(["always", "error"]))
async def the_same_edge_twice_is_no_collision(bench: FoldBench, ends: str, handle: str) -> None:
    folded = bench.fold(log(*_ENDS, add_edge("e", ends, handle), add_edge("e", ends, handle)))
    expect_equal(len(folded.edges), 1, "number of edges")
    expect_equal(folded.issue_keys("duplicate_edge_id"), [], "issues about an edge that was added twice")


_WAYS_OUT: dict[str, list[Content]] = {
    "moved by removal and addition": [add_edge("e", "ab"), remove_edge("e"), add_edge("e", "bc")],
    "removed with its node, then added": [add_edge("e", "ab"), remove_node("a", "e"), add_edge("e", "bc")],
    "removed after a collision": [add_edge("e", "ab"), add_edge("e", "bc"), remove_edge("e")],
    "removed with its node after a collision": [add_edge("e", "ab"), add_edge("e", "bc"), remove_node("b", "e")],
}


@check("OPS-EDGE-ID-REUSE", way=st.sampled_from(sorted(_WAYS_OUT)), backwards=st.booleans())
async def an_edge_that_was_removed_leaves_its_id_free(bench: FoldBench, way: str, backwards: bool) -> None:
    ops = log(*_ENDS, *_WAYS_OUT[way])
    issues = bench.fold(ops[::-1] if backwards else ops).issue_keys("duplicate_edge_id")
    expect_equal(issues, [], f"issues about an edge that was {way}")
