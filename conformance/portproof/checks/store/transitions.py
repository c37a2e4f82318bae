"""From editable over reviewable to executable: by request, for one digest, one way in the end."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports.plans import PlanOp
from portproof.benches.plans.store_answers import Answer, Status
from portproof.benches.plans.store_records import approval, entered, stopped
from portproof.benches.plans.stores import StoreBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log, set_field
from portproof.strategies.plans.op_logs import op_logs

STATES = ("editable", "reviewable", "executable")
LEGAL = {("editable", "reviewable"), ("reviewable", "editable"), ("reviewable", "executable")}
_STATES = st.sampled_from(STATES)
_PAIRS = st.sampled_from(sorted(LEGAL))


@check("STO-TRANSITION-FREEZE", ops=op_logs(0, 4))
async def freezing_moves_nothing_but_the_state(bench: StoreBench, ops: list[PlanOp]) -> None:
    digest = await bench.plan(ops)
    frozen = (await bench.freeze(digest=digest)).granted("freezing at the current digest")
    expect_equal(frozen.said("revision"), len(ops), "revision in the result")
    expect_equal(await bench.status(), Status("reviewable", digest, len(ops)), "the frozen plan")
    expect_equal(await bench.log(), bench.told(ops), "the log of the frozen plan")


@check("STO-TRANSITION-UNFREEZE", edits=st.lists(op_logs(1, 2), min_size=1, max_size=3))
async def a_reviewer_can_send_a_plan_back(bench: StoreBench, edits: list[list[PlanOp]]) -> None:
    await bench.plan()
    for edit in edits:
        (await bench.freeze()).granted("freezing at the current digest")
        (await bench.unfreeze()).granted("unfreezing at the current digest")
        expect_equal((await bench.status()).state, "editable", "state after unfreezing")
        (await bench.append(edit)).granted("append_ops after unfreezing")
    expect_equal(await bench.log(), bench.told([op for edit in edits for op in edit]), "the log")
    for _ in range(2):
        (await bench.freeze()).granted("freezing at the current digest")
        (await bench.unfreeze()).granted("unfreezing at the current digest")
    (await bench.freeze()).granted("freezing at a digest that was sent back before")
    (await bench.approve()).granted("approving at a digest that was sent back before")


@check("STO-TRANSITION-STATE-MISMATCH", state=_STATES, pair=_PAIRS, ops=op_logs(0, 2))
async def a_request_from_another_state_is_told_the_state(
    bench: StoreBench, state: str, pair: tuple[str, str], ops: list[PlanOp]
) -> None:
    digest = await bench.plan_in(state, ops)
    if pair[0] == state:
        return
    before = await bench.snapshot()
    answer = (await bench.move(*pair)).refused(f"a request from {pair[0]} on a {state} plan", "state_mismatch")
    expect_equal((answer.actual.state, answer.actual.digest), (state, digest), "state and digest in the refusal")
    expect_equal(await bench.snapshot(), before, "the plan after the refusal")


@check(
    "STO-TRANSITION-DIGEST-MISMATCH", pair=st.sampled_from(sorted(LEGAL)), ops=op_logs(1, 3), text=st.text(max_size=4)
)
async def a_request_for_another_digest_is_told_the_digest(
    bench: StoreBench, pair: tuple[str, str], ops: list[PlanOp], text: str
) -> None:
    await bench.plan()
    stale = (await bench.status()).digest
    digest = str((await bench.append(ops)).granted("append_ops").said("digest"))
    other = await bench.plan(ops, "q")
    if pair[0] == "reviewable":
        (await bench.freeze(digest=digest)).granted("freezing at the current digest")
    before = await bench.snapshot()
    for wrong in {stale, other, "", text, digest[:-1]} - {digest}:
        decision = approval(bench.id("p"), digest) if pair[1] == "executable" else None
        answer = await bench.move(*pair, digest=wrong, approval=decision)
        answer.refused("a stale request", "digest_mismatch")
        expect_equal((answer.actual.state, answer.actual.digest), (pair[0], digest), "state and digest in the refusal")
    expect_equal(await bench.snapshot(), before, "the plan after the refusals")


@check("STO-TRANSITION-ILLEGAL", ops=op_logs(0, 2), state=_STATES)
async def no_other_pair_is_a_transition(bench: StoreBench, ops: list[PlanOp], state: str) -> None:
    digest = await bench.plan_in(state, ops)
    before = await bench.snapshot()
    for to in STATES:
        if (state, to) not in LEGAL:
            decision = approval(bench.id("p"), digest)
            answer = (await bench.move(state, to, approval=decision)).refused(f"{state} to {to}", "illegal_transition")
            said = (answer.said("from_") or answer.said("from"), answer.said("to"))
            expect_equal(said, (state, to), "from and to in the refusal")
    made_up = await bench.attempt("transition", bench.id("p"), bench.request(state, "running", digest))
    expect(isinstance(made_up, Exception) or not Answer(made_up).ok, "a made-up state was granted", returned=made_up)
    expect_equal(await bench.snapshot(), before, "the plan after illegal requests")


@check("STO-EXECUTABLE-FINAL", ops=op_logs(0, 2), ran=st.sampled_from(["no", "begun", "completed"]))
async def nothing_leads_out_of_executable(bench: StoreBench, ops: list[PlanOp], ran: str) -> None:
    if ran == "no":
        await bench.plan_in("executable", ops)
    else:
        run = await bench.running(ops)
        await bench.record(run, [stopped("completed") if ran == "completed" else entered("a")])
    before = await bench.snapshot()
    for from_ in STATES:
        for to in STATES:
            (await bench.move(from_, to)).refused(f"{from_} to {to} on an executable plan")
    expect_equal(await bench.snapshot(), before, "the executable plan after requests")


@check("STO-TRANSITION-STALE-APPROVAL", ops=op_logs(0, 3), value=st.integers())
async def what_is_gone_cannot_be_approved(bench: StoreBench, ops: list[PlanOp], value: int) -> None:
    seen = await bench.plan_in("reviewable", [*ops, *log(add_node("z"), start=50)])
    (await bench.unfreeze()).granted("unfreezing at the current digest")
    (await bench.append(log(set_field("z", "x", value), start=60))).granted("append_ops after unfreezing")
    (await bench.freeze()).granted("freezing at the current digest")
    (await bench.approve(digest=seen)).refused("approving the digest before the edit", "digest_mismatch")
    expect_equal((await bench.status()).state, "reviewable", "state after the refusal")
    expect_equal(await bench.approval(), None, "approval after the refusal")
