"""In what order ops arrive, how often, and what else they are accompanied by: nothing of it changes a plan."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import PlanOp
from portproof.benches.plans.fold_views import Folded, expect_same_content
from portproof.benches.plans.folds import FoldBench
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies.plans.brief_ops import add_edge, add_node, remove_edge, remove_node, set_field, set_phase
from portproof.strategies.plans.op_logs import Arrival, arrivals, logs_of, op_logs
from portproof.strategies.plans.ops import KEY, UNKNOWN_FIELDS, stamped, unknown_kinds


@check("OPS-ORDER-INDEPENDENT", arrival=arrivals(op_logs()))
async def every_order_of_arrival_gives_one_view(bench: FoldBench, arrival: Arrival) -> None:
    in_order = bench.fold(sorted(arrival.log, key=KEY))
    for ops, how in ((arrival.ops, "shuffled"), (arrival.ops[::-1], "shuffled and reversed")):
        _expect_same_view(bench.fold(ops), in_order, f"of the {how} log and of the log in key order")


#: Ops of which every other one is about what another one did.
_TANGLED = st.sampled_from(
    [
        add_edge("e", "ab"),
        add_edge("e", "ba"),
        remove_edge("e"),
        add_node("a"),
        add_node("b"),
        remove_node("a", "e"),
        set_field("a", "x", 1),
        set_phase("b", "plan"),
    ]
)


@check("OPS-ISSUES-ORDER-INDEPENDENT", arrival=arrivals(logs_of(_TANGLED, min_size=4)))
async def every_order_of_arrival_gives_the_same_issues(bench: FoldBench, arrival: Arrival) -> None:
    in_order = bench.fold(sorted(arrival.log, key=KEY)).issue_keys()
    expect_equal(bench.fold(arrival.ops).issue_keys(), in_order, "issues of the shuffled log")


@check("OPS-DUPLICATES-SAME-CONTENT", arrival=arrivals(op_logs(), repeats=True))
async def ops_that_arrive_again_change_nothing(bench: FoldBench, arrival: Arrival) -> None:
    once, again = bench.fold(arrival.log), bench.fold(arrival.ops)
    expect_same_content(again, once, "with repeated ops and without")
    expect_equal(again.issue_keys(), once.issue_keys(), "issues with repeated ops")


@check("OPS-REVISION-COUNTS-OPS", arrival=arrivals(op_logs(), repeats=True))
async def revision_is_the_number_of_ops_folded(bench: FoldBench, arrival: Arrival) -> None:
    for ops in (arrival.ops, arrival.log):
        expect_equal(bench.fold(ops).member("revision"), len(ops), f"revision after {len(ops)} ops")


@check("OPS-UNKNOWN-OP", arrival=arrivals(op_logs()), kind=unknown_kinds())
async def an_op_of_unknown_kind_is_reported_and_changes_nothing(bench: FoldBench, arrival: Arrival, kind: str) -> None:
    known = [*arrival.ops, stamped(add_node("a"), 4)]
    unknown = [
        stamped({"op": kind, **fields}, lamport, "zed")
        for lamport, fields in [(0, UNKNOWN_FIELDS[-1]), *enumerate(UNKNOWN_FIELDS, 5)]
    ]
    with_them, without = bench.fold([*unknown[::2], *known, *unknown[1::2]]), bench.fold(known)
    expect_same_content(with_them, without, "with ops of unknown kind and without")
    expect_equal(with_them.member("revision"), len(known) + len(unknown), "revision, with ops of unknown kind")
    others = [issue.key for issue in with_them.issues if issue.code != "unknown_op"]
    expect_equal(sorted(others), without.issue_keys(), "the other issues")
    with_them.expect_issue("unknown_op")


@check("OPS-PREFIX-STABLE", ops=op_logs(), later=op_logs(), end=st.integers(0, 12))
async def a_prefix_folds_as_before_after_the_log_has_grown(
    bench: FoldBench, ops: list[PlanOp], later: list[PlanOp], end: int
) -> None:
    before = bench.fold(ops[:end])
    bench.fold(ops)
    bench.fold([*ops, *later])
    _expect_same_view(bench.fold(ops[:end]), before, "of a prefix, before and after the whole log was folded,")


@check(
    "ENC-DIGEST-IGNORES-NON-CONTENT", ops=op_logs(), at=st.text("0123456789:", max_size=8), prefix=st.text(max_size=3)
)
async def ids_of_ops_and_actors_and_times_are_not_digested(
    bench: FoldBench, ops: list[PlanOp], at: str, prefix: str
) -> None:
    ids = sorted({name for op in ops for name in (op.actor_id, op.op_id)})
    new = {name: f"{prefix}{place:03}" for place, name in enumerate(ids)}
    renamed = [op.model_copy(update={"at": at, "actor_id": new[op.actor_id], "op_id": new[op.op_id]}) for op in ops]
    one, other = bench.fold(ops), bench.fold(renamed)
    expect_same_content(one, other, "of the log, and of the log with other ids of ops and actors in the same order,")
    expect_equal(other.member("digest"), one.member("digest"), "digest after ids of ops and actors, and times, changed")


def _expect_same_view(one: Folded, other: Folded, which: str) -> None:
    expect_same_content(one, other, which)
    for name in ("revision", "digest"):
        expect_equal(one.member(name), other.member(name), f"{name} of the view {which}")
