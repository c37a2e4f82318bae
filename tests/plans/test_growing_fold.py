"""A fold that takes its log piece by piece."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.plans import Fold, _running_digest, fold_ops
from agentports.ports import PlanOp
from portproof.strategies.plans.brief_ops import add_edge, add_node, log, remove_node, set_field, set_phase
from portproof.strategies.plans.op_logs import op_logs


@settings(max_examples=80, database=None, deadline=None)
@given(op_logs(), st.data())
def test_it_is_the_fold_of_what_it_was_given(ops: list[PlanOp], data: st.DataObject) -> None:
    """In whatever portions and order, asked for its digest or not, with repeats or without."""
    given_ops = [*data.draw(st.permutations(ops)), *data.draw(st.lists(st.sampled_from(ops), max_size=3))]
    fold = Fold("p")
    taken = 0
    while taken < len(given_ops):
        portion = data.draw(st.integers(1, 4))
        fold.extend(given_ops[taken : taken + portion])
        taken = min(taken + portion, len(given_ops))
        if data.draw(st.booleans()):
            expected = fold_ops("p", given_ops[:taken])
            assert (fold.revision, fold.digest()) == (taken, expected.view.digest)
    assert fold.result() == fold_ops("p", given_ops)
    assert fold.node_count == len(fold.result().view.nodes)


def test_a_long_plan_has_the_digest_of_its_view_after_every_edit() -> None:
    """Also where edits lie far apart, edges lose and regain their ends, and nodes go and come back."""
    nodes = [add_node(f"n{number}", {"x": number}) for number in range(300)]
    fold = Fold("p", log(*nodes, *(add_edge(f"e{n}", "cd") for n in range(100)), start=0))
    edits = [
        set_field("n3", "x", "y"),
        set_field("n299", "x", 1),
        add_node("c"),
        add_node("d"),
        remove_node("n100", "e7"),
    ]
    edits += [set_phase("n150", "plan"), add_node("n100"), remove_node("d"), add_edge("e50", "cc"), add_node("d")]
    ops = log(*nodes, *(add_edge(f"e{n}", "cd") for n in range(100)), start=0)
    for op in log(*edits, start=1000):
        fold.extend([op])
        ops.append(op)
        assert fold.digest() == fold_ops("p", ops).view.digest


def test_an_edit_encodes_one_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """What did not change is not encoded again, however long the log is."""
    fold = Fold("p", log(*(add_node(f"n{number}") for number in range(500))))
    fold.digest()
    encoded: list[str] = []
    piece = _running_digest.node_piece

    def counted(node: Any) -> bytes:
        encoded.append(node.id)
        return piece(node)

    monkeypatch.setattr(_running_digest, "node_piece", counted)
    fold.extend(log(set_field("n7", "x", 1), set_field("n7", "y", 1), start=1000))
    fold.digest()
    fold.digest()
    assert encoded == ["n7"]


def test_results_share_nothing_with_each_other_or_with_the_fold() -> None:
    """A reader may do with his view what he likes."""
    fold = Fold("p", log(add_node("a", {"x": []}), set_field("a", "y", [1])))
    before = fold.result()
    fold.result().view.nodes[0].definition["y"].append(2)
    fold.result().view.nodes.clear()
    fold.result().issues.append(None)  # type: ignore[arg-type]
    assert fold.result() == before
