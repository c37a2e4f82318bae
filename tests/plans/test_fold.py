"""What a log of ops amounts to, whatever order it arrives in."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.plans import fold_ops, plan_digest
from agentports.ports import (
    DEFAULT_PLAN_BOUNDS,
    CloneProvenance,
    NodeRef,
    PlanNode,
    PlanOp,
    TemplateProvenance,
)
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
from portproof.strategies.plans.op_logs import op_logs
from portproof.strategies.plans.ops import stamped


def _codes(ops: list[PlanOp]) -> list[tuple[str, str | None]]:
    return [(issue.code, issue.node_id or issue.edge_id) for issue in fold_ops("p", ops).issues]


def test_an_empty_log_is_a_plan_without_nodes_and_with_the_default_bounds() -> None:
    """Its digest is that of document 30."""
    view, issues = fold_ops("p", [])
    assert (view.revision, view.nodes, view.edges, view.bounds, issues) == (0, [], [], DEFAULT_PLAN_BOUNDS, [])
    assert view.digest == "261fe1acb64a695a9a551363519136d52a9334f26693ba717055607df2d95825"


def test_digests_are_those_of_the_document() -> None:
    """One node in two plans, and a clone of the second."""
    ops = log(add_node("entry", {"input": []}, kind="entry"))
    assert fold_ops("p", ops).view.digest == "0a1120021ac01aa5cd7492ace8da80be451d6c3362dd3e341e7d131e954b58cf"
    parent = fold_ops("q", ops).view.digest
    assert parent == "02e91d41df44fcf50c31374e27640a9b7ae3a9ac1db1437dbd7e6867986dba76"
    clone = CloneProvenance(parent="q", parent_digest=parent, parent_revision=1, completed_at_clone=[])
    digest = fold_ops("p", ops, clone).view.digest
    assert digest == "aea845d24ed7421220dce20959ddb726c161106fa1b54ff23ebf6e395bf6b862"


@settings(max_examples=60, database=None, deadline=None)
@given(op_logs(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(ops: list[PlanOp], chance: random.Random) -> None:
    """Neither the view nor the issues; and the digest is that of the view."""
    shuffled = [*ops]
    chance.shuffle(shuffled)
    folded = fold_ops("p", ops)
    assert fold_ops("p", shuffled) == folded
    assert plan_digest(folded.view) == folded.view.digest


@settings(max_examples=60, database=None, deadline=None)
@given(op_logs(), st.data())
def test_repeats_count_and_change_nothing_else(ops: list[PlanOp], data: st.DataObject) -> None:
    """Wherever they arrive, and whether they are the same objects or copies."""
    repeats = data.draw(st.lists(st.sampled_from(ops), max_size=4))
    once, again = fold_ops("p", ops), fold_ops("p", [*(op.model_copy(deep=True) for op in repeats), *ops, *repeats])
    assert again.view.revision == len(ops) + 2 * len(repeats)
    assert (again.view.nodes, again.view.edges, again.view.bounds) == (
        once.view.nodes,
        once.view.edges,
        once.view.bounds,
    )
    assert again.issues == once.issues


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ((9, "z", "z"), (10, "a", "a")),
        ((2**70, "z", "z"), (2**70 + 1, "a", "a")),
        ((1, "B", "z"), (1, "a", "a")),
        ((1, "a", "z"), (1, "é", "a")),
        ((1, "a", "o10"), (1, "a", "o2")),
    ],
)
def test_the_key_is_lamport_then_actor_then_op(lower: tuple[int, str, str], higher: tuple[int, str, str]) -> None:
    """Lamports as numbers, ids by code point."""
    ops = [
        stamped(add_node("a"), 0),
        stamped(set_field("a", "x", "higher"), *higher),
        stamped(set_field("a", "x", "lower"), *lower),
    ]
    for arrival in (ops, ops[::-1]):
        assert fold_ops("p", arrival).view.nodes[0].definition == {"x": "higher"}


def test_different_ops_with_one_key_fold_to_one_view() -> None:
    """Even where `==` does not tell them apart, and where one is repeated."""
    first, second = (stamped(set_field("a", "x", value), 1) for value in (1, True))
    node = stamped(add_node("a"), 0)
    views = [fold_ops("p", [node, *arrival]).view for arrival in ([first, second], [second, first])]
    repeated = [fold_ops("p", [node, *arrival]).view for arrival in ([first, second, first], [second, first, first])]
    assert len({view.digest for view in views}) == len({view.digest for view in repeated}) == 1
    assert repr(views[0].nodes) == repr(repeated[0].nodes)


def test_a_replaced_node_keeps_its_place_and_nothing_else() -> None:
    """What is removed and added again moves to the end."""
    ops = log(
        add_node("a", {"x": 1}, phase="plan"),
        add_node("b"),
        add_node("c"),
        set_field("a", "y", 2),
        add_node("a", {"z": 3}, kind="join"),
        remove_node("b"),
        add_node("b"),
    )
    nodes = fold_ops("p", ops).view.nodes
    assert [node.id for node in nodes] == ["a", "c", "b"]
    assert nodes[0] == PlanNode(id="a", kind="join", definition={"z": 3})


def test_edits_of_a_node_that_is_not_there_yet_are_lost() -> None:
    """Once it is there, nothing is said of them."""
    ops = log(set_field("a", "x", 1), set_definition("a", {"y": 1}), set_phase("a", "plan"), add_node("a", {"z": 1}))
    view, issues = fold_ops("p", ops)
    assert view.nodes == [PlanNode(id="a", kind="call", definition={"z": 1})]
    assert issues == []


def test_an_unknown_node_is_named_once() -> None:
    """For edits that never met it, and for edits of what was removed."""
    ops = log(
        set_field("gone", "x", 1), add_node("b"), set_phase("b", "plan"), set_phase("gone", None), remove_node("b")
    )
    assert _codes(ops) == [("unknown_node", "gone"), ("unknown_node", "b")]


def test_a_whole_definition_replaces_edits_before_it_and_takes_those_after_it() -> None:
    """Kind and phase stay."""
    ops = log(
        add_node("a", phase="plan"),
        set_field("a", "old", 1),
        set_definition("a", {"x": 1}),
        set_field("a", "y", 2),
    )
    assert fold_ops("p", ops).view.nodes == [
        PlanNode(id="a", kind="call", definition={"x": 1, "y": 2}, phase="plan"),
    ]


def test_a_cleared_phase_is_none_at_all() -> None:
    """The digest is that of a plan that never had one."""
    cleared = fold_ops("p", log(add_node("a"), set_phase("a", "plan"), set_phase("a", None)))
    never = fold_ops("p", log(add_node("a"), set_phase("a", None), set_phase("a", None)))
    assert cleared == never


def test_edges_without_an_endpoint_are_left_out_and_told() -> None:
    """Those that were removed are not told."""
    ops = log(
        add_node("a"),
        add_node("b"),
        add_edge("e1", "ab"),
        add_edge("e2", "bc"),
        add_edge("e3", "ca"),
        add_edge("e4", "ca"),
        remove_edge("e4"),
        add_edge("e5", "aa"),
    )
    assert [edge.id for edge in fold_ops("p", ops).view.edges] == ["e1", "e5"]
    assert _codes(ops) == [("dangling_edge", "e2"), ("dangling_edge", "e3")]


def test_a_removed_node_takes_the_listed_edges_and_they_can_come_back() -> None:
    """A removal is no ban."""
    ops = log(add_node("a"), add_node("b"), add_edge("e", "ab"), remove_node("a", "e", "never"))
    assert fold_ops("p", ops).view.edges == []
    assert _codes(ops) == []
    ops += log(add_node("a"), add_edge("e", "ba"), start=9)
    assert [(edge.from_, edge.to) for edge in fold_ops("p", ops).view.edges] == [("b", "a")]


def test_two_edges_with_one_id_are_reported_with_their_ends() -> None:
    """The higher key stays."""
    ops = log(add_node("a"), add_node("b"), add_edge("e", "ab"), add_edge("e", "ba"))
    view, issues = fold_ops("p", ops)
    assert [(edge.from_, edge.to) for edge in view.edges] == [("b", "a")]
    assert [(issue.code, issue.edge_id, issue.severity) for issue in issues] == [("duplicate_edge_id", "e", "advisory")]
    assert "'a' to 'b'" in issues[0].message
    assert "'b' to 'a'" in issues[0].message


@pytest.mark.parametrize(
    "rest",
    [
        [add_edge("e", "ab")],
        [remove_edge("e"), add_edge("e", "ba")],
        [add_edge("e", "ba"), remove_edge("e")],
        [add_edge("e", "ba"), remove_node("a", "e"), add_node("a"), add_edge("e", "ab", "error")],
    ],
)
def test_a_repeat_or_a_removal_is_no_collision(rest: list[object]) -> None:
    """Removing the edge is the way out of one."""
    ops = log(add_node("a"), add_node("b"), add_edge("e", "ab"), *rest)  # type: ignore[arg-type]
    assert _codes(ops) == []


def test_an_op_of_unknown_kind_counts_and_is_told() -> None:
    """It changes nothing."""
    ops = log(add_node("a"), {"op": "rename_node", "node_id": "a", "name": "b"})
    view, issues = fold_ops("p", ops)
    assert (view.revision, [node.id for node in view.nodes]) == (2, ["a"])
    assert [issue.code for issue in issues] == ["unknown_op"]


def test_no_container_of_a_view_is_that_of_an_op_or_of_the_provenance() -> None:
    """Nor that of the next view."""
    args, completed = {"x": [1, {2}, ({"deep": []},)]}, ["a"]
    ops = log(add_node("a", {"args": args}), set_field("a", "more", [args]), add_node("b", {"args": args}))
    origin = TemplateProvenance(template="t", args=args)
    clone = CloneProvenance(parent="q", parent_digest="0" * 64, parent_revision=1, completed_at_clone=completed)
    before = fold_ops("p", ops, origin)
    for node in fold_ops("p", ops, origin).view.nodes:
        node.definition["args"]["x"][1].add(3)
        node.definition["args"]["x"][2][0]["deep"].append(1)
    fold_ops("p", ops, origin).view.provenance.args.clear()  # type: ignore[union-attr]
    fold_ops("p", ops, clone).view.provenance.completed_at_clone.clear()  # type: ignore[union-attr]
    assert (args, completed) == ({"x": [1, {2}, ({"deep": []},)]}, ["a"])
    assert fold_ops("p", ops, origin) == before


def test_references_stay_references() -> None:
    """In whatever they stand."""
    reference = NodeRef("a", {"index": 1})
    ops = log(add_node("a", {"args": {"x": reference}}), set_field("a", "args.y", [reference]))
    assert fold_ops("p", ops).view.nodes[0].definition == {"args": {"x": reference, "y": [reference]}}
