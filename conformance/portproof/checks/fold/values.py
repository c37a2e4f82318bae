"""What a fold leaves alone: the values in ops, the ops themselves, and those who read its views (document 31, 2)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import UNDEFINED, PlanOp, PlanProvenance
from portproof.benches.plans.fold_views import expect_same_content, record_of
from portproof.benches.plans.folds import FoldBench
from portproof.benches.plans.portraits import portrait
from portproof.benches.plans.scribbling import scribble_over
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
)
from portproof.strategies.plans.near_misses import near_misses
from portproof.strategies.plans.op_logs import logs_of, op_logs
from portproof.strategies.plans.ops import Content, hostile_paths, op_contents
from portproof.strategies.plans.references import arg_values
from portproof.strategies.plans.values import encodable_values, exact_texts
from portproof.strategies.plans.views import provenances

#: What copying loses most often, beside every value.
_EASILY_LOST = {"none": None, "undefined": UNDEFINED, "empty": [{}, [], (), ""], "float": 1.0, "tuple": (1, [2])}


@check("OPS-VALUES-INTACT", drawn=arg_values() | near_misses())
async def values_pass_through_the_fold_as_they_are(bench: FoldBench, drawn: Any) -> None:
    value = {"drawn": drawn, **_EASILY_LOST}
    definition = {"args": {"x": value}}
    ways = {
        "add_node": [add_node("a", definition)],
        "set_node_definition": [add_node("a"), set_definition("a", definition)],
        "set_node_field": [add_node("a", {"args": {}}), set_field("a", "args.x", value)],
        "add_node, with a field beside it set": [add_node("a", definition), set_field("a", "args.y", 1)],
    }
    for way, contents in ways.items():
        held = bench.fold(log(*contents)).node("a")["definition"]["args"]["x"]
        same = portrait(held, bench.carrier.classes) == portrait(value)
        expect(same, f"a value in {way} is another one in the view", went_in=repr(value), came_out=repr(held))


@check("OPS-PURE", ops=op_logs(), end=st.integers(1, 8), provenance=provenances())
async def folding_changes_no_op(bench: FoldBench, ops: list[PlanOp], end: int, provenance: PlanProvenance) -> None:
    own, origin = bench.carrier.ops(ops), bench.carrier.fresh_provenance(provenance)
    before = _portraits(bench, own, ops)
    prefix = bench.fold_own(own[:end], "p", origin)
    bench.fold_own(own, "p", origin)
    again = bench.fold_own(own[:end], "p", origin)
    for op, was, is_ in zip(ops, before, _portraits(bench, own, ops), strict=True):
        expect_equal(is_, was, f"the op {op.op}, which was folded,")
    expect_same_content(again, prefix, "of a prefix, folded again,")
    expect_equal(again.member("digest"), prefix.member("digest"), "digest of a prefix, folded again")
    expect_equal(again.portrait(again.provenance), portrait(dict(provenance)), "provenance after three folds")


_NESTED = [
    add_node("deep", {"args": {"x": [1, {"k": [2]}], "y": ({"z": []},)}, "more": {"set": {3}, "map": {1: [4]}}}),
    set_field("deep", "args.w", {"list": [{"k": 1}]}),
    add_node("whole"),
    set_definition("whole", {"args": {"v": [[5]]}}),
    add_edge("loop", "aa"),
    add_node("a"),
]


@check("OPS-VIEW-NOT-ALIASED", ops=op_logs(), provenance=provenances())
async def changing_a_view_changes_neither_ops_nor_later_views(
    bench: FoldBench, ops: list[PlanOp], provenance: PlanProvenance
) -> None:
    ops = [*ops, *log(*_NESTED, start=5)]
    own, origin = bench.carrier.ops(ops), bench.carrier.fresh_provenance(provenance)
    folded = bench.fold_own(own, "p", origin)
    before, in_ops = folded.told(), _portraits(bench, own, ops)
    scribble_over(folded.parts())
    for op, was, is_ in zip(ops, in_ops, _portraits(bench, own, ops), strict=True):
        expect_equal(is_, was, f"the op {op.op}, after the view was changed,")
    expect_equal(bench.fold_own(own, "p", origin).told(), before, "the view, folded again after the first was changed,")


_NAMES = st.sampled_from(["a", "b", "c", "missing", "A b", "__class__", ""]) | exact_texts(4)
_PATHS = st.sampled_from(["args.x", "list.5", "x.y.0.1", ".", "a", " ", "0", "list." + "9" * 5000, "x." * 50 + "x"])
_CONTENTS: st.SearchStrategy[Content] = st.one_of(
    op_contents(),
    st.builds(add_node, _NAMES, encodable_values(4)),
    st.builds(set_field, _NAMES, _PATHS | hostile_paths() | exact_texts(), encodable_values(3)),
    st.builds(set_definition, _NAMES, encodable_values(4)),
    st.builds(remove_node, _NAMES, _NAMES),
    st.builds(add_edge, _NAMES, st.sampled_from(["aa", "ab", "xy"])),
    st.builds(remove_edge, _NAMES),
)


@check("OPS-NEVER-RAISES", ops=logs_of(_CONTENTS))
async def no_well_typed_op_makes_the_fold_raise(bench: FoldBench, ops: list[PlanOp]) -> None:
    folded = bench.fold(ops)
    expect(isinstance(folded.member("digest"), str), "the view has no digest", digest=folded.member("digest"))
    expect_equal(folded.member("revision"), len(ops), "revision")


def _portraits(bench: FoldBench, own: list[Any], ops: list[PlanOp]) -> list[str]:
    return [portrait(record_of(mine, op), bench.carrier.classes) for mine, op in zip(own, ops, strict=True)]
