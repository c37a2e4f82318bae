"""Nodes come, are edited, and go (document 31, section 2)."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.plans.folds import FoldBench
from portproof.checks.fold.model import model_of
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import (
    add_edge,
    add_node,
    log,
    remove_edge,
    remove_node,
    set_definition,
    set_field,
    set_phase,
)
from portproof.strategies.plans.op_logs import Arrival, arrivals, logs_of
from portproof.strategies.plans.ops import Content, op_contents, stamped

_ADDED = add_node("a", {"tool": "t", "args": {"x": 1}})
_EDITS = st.sampled_from(
    [
        *(set_field("a", path, value) for path in ("tool", "args.x", "new") for value in (1, None)),
        set_definition("a", {}),
        set_definition("a", {"args": {"y": 2}}),
        set_phase("a", "plan"),
    ]
)


@check(
    "OPS-ADD-REMOVE-LWW",
    nodes=arrivals(logs_of(st.sampled_from([add_node("n"), add_node("n", {"x": 1}), remove_node("n")]), 3, 6)),
    edges=arrivals(logs_of(st.sampled_from([add_edge("e", "ab"), remove_edge("e")]), 3, 6)),
)
async def the_highest_addition_or_removal_decides(bench: FoldBench, nodes: Arrival, edges: Arrival) -> None:
    ends = [stamped(add_node(end), 0, "A", end) for end in "ab"]
    folded, model = bench.fold([*nodes.ops, *ends, *edges.ops]), model_of([*nodes.log, *ends, *edges.log])
    expect_equal({node["id"] for node in folded.nodes}, set(model.nodes), "nodes of the view")
    expect_equal([edge["id"] for edge in folded.edges], list(model.edges), "edges of the view")


@check("OPS-ADD-NODE-REPLACES", edits=st.lists(_EDITS, min_size=1, max_size=4), second=st.sampled_from([{}, {"z": []}]))
async def adding_a_node_again_replaces_all_of_it(bench: FoldBench, edits: list[Content], second: object) -> None:
    folded = bench.fold(log(_ADDED, *edits, add_node("a", second, kind="join")))
    expect_equal(folded.nodes, [{"id": "a", "kind": "join", "definition": second}], "nodes after a was added again")


@check("OPS-SET-FIELD-ABSENT-NODE", edits=st.lists(_EDITS, min_size=1, max_size=4), removed=st.booleans())
async def edits_before_a_node_is_there_are_lost(bench: FoldBench, edits: list[Content], removed: bool) -> None:
    earlier = [add_node("a", {"old": 1}), remove_node("a")] if removed else []
    ops = log(*earlier, *edits, _ADDED)
    for arrival in (ops, ops[::-1]):
        nodes = bench.fold(arrival).nodes
        expect_equal(nodes, [{"id": "a", "kind": "call", "definition": _ADDED["node"].definition}], "nodes of the view")


_WHOLE = op_contents("add_node", "remove_node", "set_node_definition", "set_node_phase")


@check("OPS-UNKNOWN-NODE-ISSUE", arrival=arrivals(logs_of(_WHOLE)))
async def each_node_that_edits_miss_is_named_once(bench: FoldBench, arrival: Arrival) -> None:
    folded = bench.fold(arrival.ops)
    named = [node for _, node, _ in folded.issue_keys("unknown_node")]
    expect_equal(named, sorted(model_of(arrival.log).unknown), "the nodes named in issues unknown_node")
    for node in named:
        folded.expect_issue("unknown_node", node_id=node)


_TOP = st.sampled_from(
    [
        *(set_field("a", path, value) for path in ("x", "y") for value in (1, 2)),
        *(set_definition("a", definition) for definition in ({}, {"x": 0}, {"z": 3})),
    ]
)


@check("OPS-SET-DEFINITION", arrival=arrivals(logs_of(_TOP, max_size=8)))
async def a_whole_definition_replaces_what_was_and_takes_what_follows(bench: FoldBench, arrival: Arrival) -> None:
    node = stamped(add_node("a", {"w": 0}, phase="plan"), 0, "A", "A")
    expected = model_of([node, *arrival.log]).nodes["a"]
    expect_equal(bench.fold([*arrival.ops, node]).node("a"), expected, "the node")


_PHASES = st.sampled_from([set_phase("a", phase) for phase in ("plan", "act", None)])


@check(
    "OPS-SET-PHASE",
    arrival=arrivals(logs_of(_PHASES, min_size=1, max_size=6)),
    added_with=st.sampled_from([None, "plan"]),
)
async def the_highest_phase_stays_and_none_is_no_phase(
    bench: FoldBench, arrival: Arrival, added_with: str | None
) -> None:
    node = stamped(add_node("a", phase=added_with), 0, "A", "A")
    expected = model_of([node, *arrival.log]).nodes["a"]
    folded = bench.fold([node, *arrival.ops])
    expect_equal(folded.node("a").get("phase"), expected.get("phase"), "the phase")
    cleared = bench.fold(log(add_node("a"), set_phase("a", "plan"), set_phase("a", None)))
    never = bench.fold(log(add_node("a"), set_phase("a", None), set_phase("a", None)))
    expect("phase" not in cleared.node("a"), "a cleared phase is still there", node=cleared.node("a"))
    expect_equal(cleared.member("digest"), never.member("digest"), "digest of a plan whose phase was cleared")


_NODES = st.builds(add_node, st.sampled_from("abc")) | st.builds(remove_node, st.sampled_from("abc"))
_EDGES = st.builds(add_edge, st.sampled_from("efg"), st.just("xx")) | st.builds(remove_edge, st.sampled_from("efg"))


@check("OPS-VIEW-ORDER", nodes=arrivals(logs_of(_NODES, min_size=4)), edges=arrivals(logs_of(_EDGES, min_size=4)))
async def what_is_replaced_keeps_its_place_and_what_comes_back_is_last(
    bench: FoldBench, nodes: Arrival, edges: Arrival
) -> None:
    model = model_of([*nodes.log, *edges.log])
    folded = bench.fold([*nodes.ops, *edges.ops, stamped(add_node("x"), 9)])
    expect_equal([node["id"] for node in folded.nodes], [*model.nodes, "x"], "order of the nodes")
    expect_equal([edge["id"] for edge in folded.edges], [*model.edges], "order of the edges")
