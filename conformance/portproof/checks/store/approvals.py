"""Decisions: kept with the transition, bound to its plan and digest, and never judged."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports.plans import AuthorityClaim, PlanOp
from portproof.benches.plans.cancelling import cancelled_everywhere
from portproof.benches.plans.store_answers import Answer
from portproof.benches.plans.store_records import approval, approval_portrait
from portproof.benches.plans.stores import StoreBench
from portproof.benches.plans.telling import told
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_edge, add_node, log, remove_node, set_definition
from portproof.strategies.plans.op_logs import op_logs
from portproof.strategies.plans.run_events import authority_claims
from portproof.strategies.plans.stories import Step, stories
from portproof.strategies.plans.values import exact_texts

_CLAIMS = st.lists(authority_claims(), max_size=3, unique_by=lambda claim: tuple(dict(claim).values()))


@check("STO-TRANSITION-APPROVE", ops=op_logs(0, 3), claims=_CLAIMS, by=exact_texts(), at_most=10)
async def a_decision_is_on_record_at_once(
    bench: StoreBench, ops: list[PlanOp], claims: list[AuthorityClaim], by: str
) -> None:
    digest = await bench.plan_in("reviewable", ops)
    decision = approval(bench.id("p"), digest, by, claims)
    (await bench.approve(digest=digest, approval=decision)).granted("approving at the current digest")
    expect_equal(await bench.approval(), approval_portrait(decision), "the approval read back")
    expect_equal((await bench.status()).state, "executable", "state after the approval")
    await _expect_in_one_commit(bench, ops)


async def _expect_in_one_commit(bench: StoreBench, ops: list[PlanOp]) -> None:
    """Who reads meanwhile, and after a cancellation, sees both or neither."""
    digests: dict[str, str] = {}

    async def prepared(n: int) -> str:
        digests[f"c{n}"] = await bench.plan_in("reviewable", ops, f"c{n}")
        return f"c{n}"

    async for name in cancelled_everywhere(prepared, lambda name: bench.approve(name, digest=digests[name])):
        state = (await bench.status(name)).state
        expect(state != "executable" or await bench.approval(name) is not None, "executable, and no approval on record")


@check("STO-APPROVAL-BOUND", ops=op_logs(1, 3), wrong=st.sampled_from(["stale digest", "other plan", "both"]))
async def a_decision_is_about_this_plan_and_digest(bench: StoreBench, ops: list[PlanOp], wrong: str) -> None:
    await bench.plan()
    stale = (await bench.status()).digest
    (await bench.append(ops)).granted("append_ops")
    digest = (await bench.status()).digest
    (await bench.freeze()).granted("freezing at the current digest")
    plan = bench.id("q") if wrong != "stale digest" else bench.id("p")
    decision = approval(plan, stale if wrong != "other plan" else digest)
    (await bench.approve(digest=digest, approval=decision)).refused(f"a decision on a {wrong}")
    expect_equal((await bench.status()).state, "reviewable", "state after the refusal")
    expect_equal(await bench.approval(), None, "approval after the refusal")


@check("STO-APPROVAL-REQUIRED", ops=op_logs(0, 2), absent=st.sampled_from(["None", "no field"]))
async def nothing_is_executable_without_a_decision(bench: StoreBench, ops: list[PlanOp], absent: str) -> None:
    digest = await bench.plan_in("reviewable", ops)
    request: Any = bench.request("reviewable", "executable", digest)
    if absent == "no field":
        request = type(request).model_construct(from_="reviewable", to="executable", expected_digest=digest)
        del request.__dict__["approval"]
    answer = await bench.attempt("transition", bench.id("p"), request)
    expect(isinstance(answer, Exception) or not Answer(answer).ok, "it was granted without an approval")
    expect_equal((await bench.status()).state, "reviewable", "state after the refusal")
    expect_equal(await bench.approval(), None, "approval after the refusal")


@check("STO-APPROVAL-AUTHORITY-NOT-JUDGED", claims=_CLAIMS)
async def claims_are_kept_as_they_are(bench: StoreBench, claims: list[AuthorityClaim]) -> None:
    digest = await bench.plan_in("reviewable", log(add_node("a", {"tool": "t"})))
    decision = approval(bench.id("p"), digest, claims=claims)
    (await bench.approve(digest=digest, approval=decision)).granted("a decision with any claims")
    kept = view(await bench.call("read_approval", bench.id("p")), "authority") or ()
    fields = AuthorityClaim.model_fields
    seen = sorted([view(claim, name) for name in fields] for claim in kept)
    expect_equal(seen, sorted([view(claim, name) for name in fields] for claim in claims), "the claims read back")


@check("STO-APPROVAL-ONLY-EXECUTABLE", story=stories())
async def only_an_executable_plan_has_a_decision(bench: StoreBench, story: list[Step]) -> None:
    digest = await bench.plan_in("reviewable", name="s")
    for wrong in ("no digest", digest[:-1]):
        await bench.approve("s", digest=wrong, approval=approval(bench.id("s"), wrong))
        await bench.approve("s", digest=digest, approval=approval(bench.id("s"), wrong))
        expect_equal(await bench.approval("s"), None, "approval of a reviewable plan after refused requests")
    async for telling in told(bench, story):
        for plan in telling.plans:
            status, decision = await bench.status(plan), await bench.approval(plan)
            expect_equal(decision is not None, status.state == "executable", f"an approval on a {status.state} plan")
            if decision is not None:
                record = await bench.call("read_approval", bench.id(plan))
                expect_equal(view(record, "digest"), status.digest, "digest in the approval")


_ODD = st.sampled_from(
    [
        log(add_node("A B!", {"tool": "no such tool"})),
        log(add_edge("e1", "xy")),
        log(add_node("a", {}, kind="branch"), add_edge("e1", "aa"), add_edge("e1", "ab")),
        log(add_node("a", 7, kind="no such kind"), set_definition("b", None)),
        log(remove_node("a")),
    ]
)


@check("STO-NO-POLICY", ops=_ODD | op_logs(0, 4))
async def a_store_commits_any_content(bench: StoreBench, ops: list[PlanOp]) -> None:
    await bench.plan_in("executable", ops)
    expect_equal((await bench.status()).state, "executable", "state of a plan that no validator would pass")
