"""Logs as they were: revisions are prefixes as appended, and stay what they were."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports.plans import PlanOp
from portproof.benches.plans.stores import StoreBench
from portproof.benches.plans.telling import told
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log, set_field
from portproof.strategies.plans.op_logs import op_logs
from portproof.strategies.plans.ops import stamped
from portproof.strategies.plans.stories import Step, stories


@check("STO-REVISION-IS-LOG-LENGTH", story=stories())
async def a_revision_counts_the_ops(bench: StoreBench, story: list[Step]) -> None:
    async for telling in told(bench, story):
        for plan in telling.plans:
            revision = (await bench.status(plan)).revision
            expect_equal(revision, len(await bench.log(plan)), "revision and length of the log")
            expect_equal(view((await bench.listed())[bench.id(plan)], "revision"), revision, "revision in the list")
        if telling.granted and telling.answer and telling.answer.said("revision") is not None:
            now = (await bench.status(telling.plan)).revision
            expect_equal(telling.answer.said("revision"), now, "revision in the result")


@check("STO-READ-OPS-PREFIX", story=stories())
async def a_revision_is_the_first_ops_as_appended(bench: StoreBench, story: list[Step]) -> None:
    async for telling in told(bench, story):
        for plan in {telling.plan} & {*telling.plans}:
            log = bench.told(telling.logs[plan])
            for n in range(len(log) + 1):
                expect_equal(await bench.log(plan, through_revision=n), log[:n], f"the ops through revision {n}")


@check("STO-HISTORY-STABLE", lamports=st.lists(st.integers(0, 9), min_size=2, max_size=6))
async def what_a_revision_was_does_not_change(bench: StoreBench, lamports: list[int]) -> None:
    await bench.plan()
    seen: list[list[str]] = []
    for i, lamport in enumerate(sorted(lamports, reverse=True)):
        content = add_node(f"n{i}") if i % 2 == 0 else set_field("n0", f"x{i}", i)
        (await bench.append([stamped(content, lamport, op_id=f"o{i}")])).granted("append_ops")
        seen.append(await bench.log(through_revision=i + 1))
    for n, then in enumerate(seen, 1):
        expect_equal(await bench.log(through_revision=n), then, f"revision {n} now, and when it was reached")


@check("STO-READ-OPS-UNREACHED", ops=op_logs(0, 4), beyond=st.sampled_from([1, 2, 1000]))
async def a_revision_that_was_not_reached_raises(bench: StoreBench, ops: list[PlanOp], beyond: int) -> None:
    await bench.plan(ops)
    before = await bench.snapshot()
    for wrong in (-1, len(ops) + beyond):
        await bench.raises("read_ops", "p", through_revision=wrong)
        await bench.raises("read_ops", "p", through_revision=wrong, since_lamport=0)
    expect_equal(await bench.snapshot(), before, "the plan after a revision was not reached")


@check("STO-READ-OPS-SINCE", ops=op_logs(0, 6), through=st.integers(0, 6))
async def later_ops_are_those_with_a_greater_lamport(bench: StoreBench, ops: list[PlanOp], through: int) -> None:
    ops = [*ops, *log(add_node("y"), add_node("z"), start=2**53)]  # which are one float
    await bench.plan(ops)
    through = min(through, len(ops))
    for since in {-1, 0, *(op.lamport + step for op in ops for step in (-1, 0, 1))}:
        later = bench.told([op for op in ops if op.lamport > since])
        expect_equal(await bench.log(since_lamport=since), later, f"the ops since lamport {since}")
        within = bench.told([op for op in ops[:through] if op.lamport > since])
        seen = await bench.log(since_lamport=since, through_revision=through)
        expect_equal(seen, within, f"those through revision {through}")


@check("STO-UNKNOWN-PLAN", name=st.text("pq/~", max_size=4))
async def a_plan_that_is_not_there_raises(bench: StoreBench, name: str) -> None:
    before = await bench.listed()
    for method, given in (
        ("append_ops", (log(add_node("a")),)),
        ("append_ops", ([],)),
        ("read_ops", ()),
        ("read_state", ()),
        ("claim_run", ("digest",)),
        ("claim_run", ("digest", "run")),
        ("append_run_events", ("run", [])),
        ("read_run_events", ()),
    ):
        await bench.raises(method, name, *given)
    answer = await bench.attempt("transition", bench.id(name), bench.request("editable", "reviewable", "digest"))
    expect(isinstance(answer, Exception), "transition did not raise", returned=answer)
    expect_equal(sorted(await bench.listed()), sorted(before), "the plans in the list afterwards")
