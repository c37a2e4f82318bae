"""Setting one field of a definition: what it changes, and what it never reaches (document 31, section 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from portproof.benches.plans.folds import FoldBench
from portproof.benches.plans.portraits import portrait
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.strategies.plans.arrays import typed_arrays
from portproof.strategies.plans.brief_ops import add_node, log, set_field
from portproof.strategies.plans.field_edits import FieldEdit, field_edits
from portproof.strategies.plans.op_logs import Arrival, arrivals, logs_of
from portproof.strategies.plans.ops import KEY, hostile_paths, stamped
from portproof.strategies.plans.patterns import patterns
from portproof.strategies.plans.references import node_refs, param_refs
from portproof.strategies.plans.times import durations, intervals, moments, timespans


@check("OPS-SET-FIELD", edit=field_edits())
async def an_edit_sets_the_field_and_no_other(bench: FoldBench, edit: FieldEdit) -> None:
    folded = bench.fold(log(add_node("a", edit.definition), set_field("a", edit.path, edit.value)))
    _expect_value(folded.node("a")["definition"], bench, edit.after, f"the definition after {edit.path} was set")


_AROUND: dict[str, Callable[[Any], Any]] = {
    "alone": lambda reference: reference,
    "in a list": lambda reference: [1, reference],
    "in a dict": lambda reference: {"of": {"it": reference}},
}


@check("OPS-SET-FIELD-ACCEPTS-REFS", reference=node_refs(), around=st.sampled_from(sorted(_AROUND)))
async def a_reference_that_is_set_stays_one(bench: FoldBench, reference: Any, around: str) -> None:
    value = _AROUND[around](reference)
    folded = bench.fold(log(add_node("a"), set_field("a", "args.x", value)))
    _expect_value(folded.node("a")["definition"], bench, {"args": {"x": value}}, "the definition")


_PATHS = ("tool", "args.x", "args.y", "deep.a.b")
_SETS = st.sampled_from([set_field("a", path, value) for path in _PATHS for value in (1, 2, "text")])


@check("OPS-SET-FIELD-LWW", arrival=arrivals(logs_of(_SETS)))
async def each_path_holds_what_was_set_last(bench: FoldBench, arrival: Arrival) -> None:
    node = stamped(add_node("a", {"kept": 0}), 0, "A", "A")
    definition = bench.fold([*arrival.ops, node]).node("a")["definition"]
    last: dict[str, Any] = {op.path: op.value for op in sorted(arrival.log, key=KEY)}  # type: ignore[union-attr]
    for path, value in last.items():
        expect_equal(_at(definition, path), value, f"what stands at {path}", definition=definition)
    expect_equal(_at(definition, "kept"), 0, "what no edit named")


@check("OPS-SET-FIELD-NO-ATTRIBUTES", path=hostile_paths(), reference=node_refs())
async def a_path_reaches_no_attributes(bench: FoldBench, path: str, reference: Any) -> None:
    definition = {"args": {"x": [{"ref": 1}], "ref": reference}, "ref": reference, "x": {}}
    before = _public_attributes(bench)
    await _expect_refused(bench, definition, path)
    expect_equal(_public_attributes(bench), before, "attributes of the classes")


_OPAQUE = st.one_of(
    node_refs(),
    param_refs(),
    moments(),
    timespans(),
    durations(st.integers(0, 9)),
    intervals(),
    patterns(),
    typed_arrays(),
    st.binary(max_size=3),
    st.sampled_from([{1}, frozenset({1}), (1, {"x": 2})]),
    st.sampled_from([{1: "x"}, {"x": 1, None: 2}]),
)


@check(
    "OPS-SET-FIELD-OPAQUE",
    value=_OPAQUE,
    below=st.sampled_from(["node", "x", "0", "1", "node.x", "0.y", "pattern", "year"]),
)
async def a_path_leads_through_dicts_and_lists_only(bench: FoldBench, value: Any, below: str) -> None:
    await _expect_refused(bench, {"args": {"value": value}}, f"args.value.{below}")


@check(
    "OPS-SET-FIELD-BAD-INDEX",
    items=st.lists(st.integers(0, 9), max_size=3),
    index=st.sampled_from(["-1", "01", "x", "1000000000", "00", "+0", " 0", "0 ", "0x0", "1_0", "length", "9" * 30]),
    below=st.sampled_from(["", ".x", ".0"]),
)
async def what_is_no_index_of_a_list_has_no_effect(bench: FoldBench, items: list[int], index: str, below: str) -> None:
    # One beyond the end comes first: who fills the gap up to a thousand million is not asked to.
    for segment in (str(len(items) + 1), index):
        await _expect_refused(bench, {"list": items}, f"list.{segment}{below}")


async def _expect_refused(bench: FoldBench, definition: dict[str, Any], path: str) -> None:
    """Expect the edit to change nothing, and an issue to say so."""
    folded = bench.fold(log(add_node("a", definition), set_field("a", path, "edited")))
    _expect_value(folded.node("a")["definition"], bench, definition, f"the definition after {path!r} was set")
    folded.expect_issue("invalid_field_path", node_id="a")


def _expect_value(held: Any, bench: FoldBench, expected: Any, what: str) -> None:
    if portrait(held, bench.carrier.classes) != portrait(expected):
        raise Violation(f"{what} is not what it should be", expected=repr(expected), got=repr(held))


def _at(definition: Any, path: str) -> Any:
    for segment in path.split("."):
        expect(isinstance(definition, dict) and segment in definition, f"nothing stands at {path}", got=definition)
        definition = definition[segment]
    return definition


def _public_attributes(bench: FoldBench) -> dict[str, Any]:
    """What the names that paths consist of are on classes of plans: nothing, and it must stay so."""
    classes = [kind for kind in vars(bench.carrier.classes).values() if isinstance(kind, type)]
    return {f"{kind.__name__}.{name}": getattr(kind, name, None) for kind in classes for name in ("args", "x", "ref")}
