"""Batches of ops: whole, in order, while the plan is editable, and at the revision that the author expects."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import strategies as st

from agentports.ports.plans import ParamRef, PlanOp, UnknownOp
from portproof.benches.plans.cancelling import cancelled_everywhere
from portproof.benches.plans.staggering import staggered
from portproof.benches.plans.store_answers import Answer
from portproof.benches.plans.store_records import approval, approval_portrait, stopped
from portproof.benches.plans.stores import StoreBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log, set_field
from portproof.strategies.plans.delays import delays
from portproof.strategies.plans.near_misses import NEAR_MISSES
from portproof.strategies.plans.op_logs import logs_of, op_logs
from portproof.strategies.plans.references import arg_values

_BATCHES = st.lists(op_logs(1, 3), min_size=1, max_size=3)
_ARGUMENTS = logs_of(st.builds(set_field, st.just("a"), st.sampled_from(["args.x", "y"]), arg_values(6)), 1, 4)
_EASILY_BENT = [value for group in NEAR_MISSES for value in group if type(value) is not ParamRef]
#: A value of every kind, and more ops than a page of anything has.
_MANY = log(*(set_field("a", f"args.x{i}", value) for i, value in enumerate(_EASILY_BENT)))


@check(
    "STO-APPEND-KEEPS-ORDER",
    some=st.lists(op_logs(1, 3), min_size=1, max_size=2),
    values=_ARGUMENTS,
    long=st.booleans(),
)
async def the_log_is_the_batches_one_after_another(
    bench: StoreBench, some: list[list[PlanOp]], values: list[PlanOp], long: bool
) -> None:
    await bench.plan()
    batches = [*some, values, *([_MANY] if long else [])]
    for batch in batches:
        (await bench.append(batch)).granted("append_ops to an editable plan")
    expect_equal(await bench.log(), bench.told([op for batch in batches for op in batch]), "the log")


async def _refused_in(bench: StoreBench, state: str, batch: list[PlanOp]) -> None:
    before = await bench.snapshot()
    for expected in ({}, {"expected_revision": before["status"].revision}, {"expected_revision": 10**6}):
        refusal = (await bench.append(batch, **expected)).refused(f"append_ops to a {state} plan", "not_editable")
        expect_equal(refusal.actual.state, state, "state in the refusal")
        expect_equal(refusal.actual.revision, before["status"].revision, "revision in the refusal")
    expect_equal(await bench.snapshot(), before, f"a {state} plan after appends to it were refused")


@check("STO-APPEND-REVIEWABLE-REFUSED", ops=op_logs(0, 3), batch=op_logs(1, 3))
async def what_an_operator_reads_does_not_change(bench: StoreBench, ops: list[PlanOp], batch: list[PlanOp]) -> None:
    await bench.plan_in("reviewable", ops)
    await _refused_in(bench, "reviewable", batch)


@check("STO-APPEND-EXECUTABLE-REFUSED", ops=op_logs(0, 3), batch=op_logs(1, 3), ran=st.booleans())
async def what_was_approved_does_not_change(
    bench: StoreBench, ops: list[PlanOp], batch: list[PlanOp], ran: bool
) -> None:
    digest = await bench.plan_in("executable", ops)
    decision = approval_portrait(approval(bench.id("p"), digest))
    if ran:
        run = (await bench.claim(digest=digest)).granted("the first claim").said("run_id")
        await bench.record(run, [stopped("completed")])
    await _refused_in(bench, "executable", batch)
    expect_equal(await bench.approval(), decision, "the approval after the refusal")


@check("STO-APPEND-EXPECTED-REVISION", ops=op_logs(0, 4), off=st.sampled_from([-2, -1, 1, 2, 99]), batch=op_logs(1, 2))
async def a_batch_goes_on_the_revision_that_its_author_saw(
    bench: StoreBench, ops: list[PlanOp], off: int, batch: list[PlanOp]
) -> None:
    await bench.plan(ops)
    for wrong in {0, len(ops) + off} - {len(ops)}:
        refusal = (await bench.append(batch, expected_revision=wrong)).refused("a stale append", "revision_moved")
        expect_equal((refusal.actual.state, refusal.actual.revision), ("editable", len(ops)), "state in the refusal")
        expect_equal(await bench.log(), bench.told(ops), "the log after the refusal")
    (await bench.append(batch, expected_revision=len(ops))).granted("an append at the right revision")


@check("STO-APPEND-NO-EXPECTED", batches=st.lists(op_logs(1, 3), min_size=2, max_size=5), pauses=delays())
async def concurrent_writers_lose_nothing(bench: StoreBench, batches: list[list[PlanOp]], pauses: list[int]) -> None:
    await bench.plan()
    calls = [(await bench.client(i)).append(batch) for i, batch in enumerate(batches)]
    answers = await asyncio.gather(*(staggered(call, pauses, i) for i, call in enumerate(calls)))
    for answer in answers:
        answer.granted("append_ops without an expected revision")
    revisions = [answer.said("revision") for answer in answers]
    order = sorted(range(len(batches)), key=revisions.__getitem__)
    expect_equal(len(set(revisions)), len(batches), "different revisions in the results")
    expect_equal(await bench.log(), bench.told([op for i in order for op in batches[i]]), "the log")


@check("STO-APPEND-CAS-CONCURRENT", ops=op_logs(0, 2), n=st.integers(2, 6), pauses=delays())
async def of_several_appends_at_one_revision_one_succeeds(
    bench: StoreBench, ops: list[PlanOp], n: int, pauses: list[int]
) -> None:
    await bench.plan(ops)
    batches = [log(add_node(f"n{i}"), start=i + 1) for i in range(n)]
    calls = [(await bench.client(i)).append(b, expected_revision=len(ops)) for i, b in enumerate(batches)]
    answers = await asyncio.gather(*(staggered(call, pauses, i) for i, call in enumerate(calls)))
    winners = [i for i, answer in enumerate(answers) if answer.ok]
    expect_equal(len(winners), 1, "appends that succeeded")
    for answer in answers:
        expect(answer.ok or answer.reason == "revision_moved", f"an append was refused as {answer.reason}")
    expect_equal(await bench.log(), bench.told([*ops, *batches[winners[0]]]), "the log")


@check("STO-APPEND-ATOMIC", ops=op_logs(0, 2), batch=op_logs(2, 4), at_most=8)
async def a_batch_is_appended_whole_or_not_at_all(bench: StoreBench, ops: list[PlanOp], batch: list[PlanOp]) -> None:
    await bench.plan(ops)
    before, after = bench.told(ops), bench.told([*ops, *batch])

    async def again(n: int) -> str:
        await bench.plan(ops, f"p{n}")
        return f"p{n}"

    async for name in cancelled_everywhere(again, lambda name: bench.append(batch, name)):
        seen = [await bench.log(name) for _ in range(3)]
        for read in seen:
            expect(read in (before, after), "a cancelled append left part of its batch", log=read)
    if isinstance(await bench.attempt("append_ops", bench.id("p"), [*_copies(batch), {"op": "add_node"}]), Exception):
        expect_equal(await bench.log(), before, "the log after a batch whose last item is no op")


@check("STO-APPEND-EMPTY", ops=op_logs(0, 3))
async def an_empty_batch_changes_nothing(bench: StoreBench, ops: list[PlanOp]) -> None:
    digest = await bench.plan(ops)
    answer = (await bench.append([])).granted("append_ops of no ops")
    expect_equal((answer.said("revision"), answer.said("digest")), (len(ops), digest), "revision and digest")
    expect_equal((await bench.status()).revision, len(ops), "revision after an empty batch")


@check("STO-APPEND-REFUSAL-PRIORITY", state=st.sampled_from(["reviewable", "executable"]), off=st.integers(1, 3))
async def a_frozen_plan_is_refused_as_such(bench: StoreBench, state: str, off: int) -> None:
    await bench.plan_in(state, log(add_node("a")))
    answer = await bench.append(log(add_node("b")), expected_revision=1 + off)
    answer.refused("a stale append to a frozen plan", "not_editable")


_NOT_OPS = st.sampled_from(
    [
        {"op": "add_node"},
        {"op_id": "o", "actor_id": "a", "op": "remove_edge", "edge_id": "e"},
        {"op_id": "o", "lamport": 1, "op": "remove_edge", "edge_id": "e"},
        {"actor_id": "a", "lamport": 1, "op": "remove_edge", "edge_id": "e"},
        None,
        "remove_edge",
        7,
    ]
)


@check("STO-APPEND-MALFORMED", batch=op_logs(0, 3), item=_NOT_OPS, place=st.integers(0, 3))
async def an_item_without_identity_raises(bench: StoreBench, batch: list[PlanOp], item: Any, place: int) -> None:
    await bench.plan()
    given = _copies(batch)
    given.insert(place, item)
    await bench.raises("append_ops", "p", given)
    expect_equal(await bench.log(), [], "the log after a batch with an item that is no op")
    unknown = UnknownOp(op="rename_node", op_id="o", actor_id="a", lamport=9, at="")
    answer = await bench.attempt("append_ops", bench.id("p"), [*_copies(batch), unknown])
    stored = await bench.log()
    if isinstance(answer, Exception) or not Answer(answer).ok:
        expect_equal(stored, [], "the log after a batch with an unknown op was refused")
    else:
        expect_equal(len(stored), len(batch) + 1, "ops of the batch with an unknown one")


def _copies(batch: list[PlanOp]) -> list[Any]:
    return [op.model_copy() for op in batch]
