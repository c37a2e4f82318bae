"""One plan, one run: claimed once, re-entered until it completed."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports.plans import PlanOp, RunEvent
from portproof.benches.plans.store_answers import Answer
from portproof.benches.plans.store_records import entered, settled, stopped
from portproof.benches.plans.stores import StoreBench
from portproof.checks.registry import check
from portproof.conditions.plan_stores import is_durable
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log
from portproof.strategies.plans.op_logs import op_logs

_ENDS = st.lists(st.sampled_from(["halted", "aborted", "entered"]), max_size=3)


async def _record(bench: StoreBench, run: str, ends: list[str]) -> None:
    for end in ends:
        await bench.record(run, [entered("a") if end == "entered" else stopped(end)])


@check("STO-CLAIM-ONCE", ops=op_logs(0, 2), ends=_ENDS, completes=st.booleans())
async def a_plan_is_claimed_once_for_ever(
    bench: StoreBench, ops: list[PlanOp], ends: list[str], completes: bool
) -> None:
    digest = await bench.plan_in("executable", ops)
    first = (await bench.claim(digest=digest)).granted("the first claim")
    expect_equal(first.said("resumed"), False, "resumed in the first claim")
    run = first.said("run_id")
    for end in [*ends, *(["completed"] if completes else [])]:
        refusal = (await bench.claim(digest=digest)).refused("another claim", "run_already_claimed")
        expect_equal(refusal.said("existing_run_id"), run, "the run in the refusal")
        await bench.record(run, [entered("a") if end == "entered" else stopped(end)])
    (await bench.claim(digest=digest)).refused("a claim after all that", "run_already_claimed")


@check("STO-CLAIM-NOT-EXECUTABLE", ops=op_logs(0, 2), state=st.sampled_from(["editable", "reviewable"]))
async def only_an_approved_plan_is_claimed(bench: StoreBench, ops: list[PlanOp], state: str) -> None:
    digest = await bench.plan_in(state, ops)
    for resume in ((), ("some-run",)):
        (await bench.claim("p", *resume, digest=digest)).refused(f"a claim on a {state} plan", "not_executable")
    if state == "editable":
        (await bench.freeze(digest=digest)).granted("freezing at the current digest")
    (await bench.approve(digest=digest)).granted("approving at the current digest")
    claimed = (await bench.claim(digest=digest)).granted("the first claim after approval")
    expect_equal(claimed.said("resumed"), False, "resumed in the first claim")


@check("STO-CLAIM-DIGEST", ops=op_logs(1, 3), garbage=st.text(max_size=4))
async def a_claim_for_another_digest_uses_nothing_up(bench: StoreBench, ops: list[PlanOp], garbage: str) -> None:
    await bench.plan()
    stale = (await bench.status()).digest
    digest = (await bench.append(ops)).granted("append_ops").said("digest")
    (await bench.freeze(digest=digest)).granted("freezing at the current digest")
    (await bench.approve(digest=digest)).granted("approving at the current digest")
    others = {stale, garbage, "", digest[:-1]} - {digest}
    for wrong in others:
        (await bench.claim(digest=wrong)).refused("a claim for another digest", "digest_mismatch")
    claimed = (await bench.claim(digest=digest)).granted("the first claim for the right digest")
    expect_equal(claimed.said("resumed"), False, "resumed in the first claim")
    for wrong in others:
        again = await bench.claim("p", claimed.said("run_id"), digest=wrong)
        again.refused("re-entering the run for another digest", "digest_mismatch")


@check("STO-CLAIM-RESUME", ops=op_logs(0, 2), batches=st.lists(st.booleans(), min_size=1, max_size=4))
async def a_run_is_re_entered_any_number_of_times(bench: StoreBench, ops: list[PlanOp], batches: list[bool]) -> None:
    run = await bench.running(ops)
    for i, recorded in enumerate(batches):
        if recorded:
            await bench.record(run, [entered(f"n{i}"), settled(f"n{i}")])
        events = await bench.events()
        again = (await bench.claim("p", run)).granted("re-entering the plan's run")
        expect_equal((again.said("run_id"), again.said("resumed")), (run, True), "run and resumed")
        expect_equal(await bench.events(), events, "the log of the run after it was re-entered")


@check("STO-CLAIM-RESUME-AFTER-STOP", end=st.sampled_from(["halted", "aborted"]), again=st.booleans())
async def a_run_that_stopped_short_is_resumed(bench: StoreBench, end: str, again: bool) -> None:
    run = await bench.running()
    await bench.record(run, [entered("a"), stopped(end)])
    (await bench.claim("p", run)).granted(f"re-entering a run that was {end}")
    if again:
        await bench.record(run, [stopped(end)])
        (await bench.claim("p", run)).granted(f"re-entering a run that was {end} twice")


@check("STO-CLAIM-RESUME-COMPLETED", before=_ENDS, around=st.sampled_from(["", "halted first", "followed"]))
async def a_completed_run_is_over(bench: StoreBench, before: list[str], around: str) -> None:
    run = await bench.running()
    await _record(bench, run, before)
    ended: list[RunEvent] = [settled("a"), stopped("completed")]
    batch = {"": ended, "halted first": [stopped("halted"), *ended], "followed": [*ended, entered("b")]}[around]
    answer = await bench.attempt("append_run_events", bench.id("p"), run, batch)
    if isinstance(answer, Exception):
        await bench.record(run, ended)
    refusal = (await bench.claim("p", run)).refused("re-entering a completed run", "run_already_settled")
    expect(refusal.said("run_id") is None, "the refusal gives a run", run=refusal.said("run_id"))


@check("STO-CLAIM-RESUME-UNKNOWN", named=st.text(max_size=4), other=st.booleans(), claimed=st.booleans())
async def a_run_that_the_plan_has_not_is_not_found(bench: StoreBench, named: str, other: bool, claimed: bool) -> None:
    wanted = await bench.running(name="q") if other else named
    digest = await bench.plan_in("executable", log(add_node("a")))
    run = (await bench.claim(digest=digest)).granted("the first claim").said("run_id") if claimed else None
    if wanted in (run, ""):
        return
    (await bench.claim("p", wanted, digest=digest)).refused("resuming a run of no such id", "run_not_found")
    after = await bench.claim(digest=digest)
    expect_equal(after.ok, not claimed, "whether a fresh claim succeeds afterwards")


@check("STO-CLAIM-RUN-IDS-UNIQUE", n=st.integers(2, 4))
async def run_ids_differ_between_plans(bench: StoreBench, n: int) -> None:
    runs = [await bench.running(name=f"p{i}") for i in range(n)]
    if is_durable(bench.subject):
        await bench.reopen()
        runs.append(await bench.running(name="later"))
    expect_equal(len({*runs}), len(runs), "different run ids")


@check("STO-CLAIM-EXISTING-ID", completes=st.booleans())
async def a_refusal_names_the_run_there_is(bench: StoreBench, completes: bool) -> None:
    run = await bench.running()
    refusals: list[Answer] = [await bench.claim(), await bench.claim("p", "no-such-run")]
    refusals.append(await bench.claim(digest="no digest"))
    if completes:
        await bench.record(run, [stopped("completed")])
        refusals.append(await bench.claim("p", run))
    for refusal in refusals:
        expect_equal(refusal.refused("the claim").said("existing_run_id"), run, f"existing_run_id ({refusal.reason})")
