"""Digests: one for a content, the same everywhere, and that of the fold."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from agentports.plans import fold_ops
from agentports.ports import plans
from agentports.ports.plans import PlanOp
from portproof.benches.plans.fold_views import Folded
from portproof.benches.plans.store_answers import Status, contract_op
from portproof.benches.plans.store_calls import StoreCalls
from portproof.benches.plans.store_records import contract_provenance
from portproof.benches.plans.stores import StoreBench
from portproof.benches.plans.telling import Telling, told
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_edge, add_node, log, set_bounds, set_field, set_phase
from portproof.strategies.plans.distinct import distinct_values
from portproof.strategies.plans.op_logs import op_logs
from portproof.strategies.plans.ops import Content
from portproof.strategies.plans.stories import Clone, Step, stories


@check("STO-DIGEST-IS-FOLD", story=stories())
async def a_digest_is_that_of_the_fold(bench: StoreBench, story: list[Step]) -> None:
    fold = getattr(bench.store, "fold_ops", None) or fold_ops
    async for telling in told(bench, story):
        for plan in telling.plans:
            ops = await bench.call("read_ops", bench.id(plan))
            lineage = await bench.call("read_provenance", bench.id(plan))
            if fold is fold_ops:
                ops, lineage = [contract_op(op) for op in ops], contract_provenance(lineage)
            folded = Folded(fold(bench.id(plan), ops, *(() if lineage is None else (lineage,))), plans)
            for where, digest in (await _digests(bench, telling, plan)).items():
                expect_equal(digest, folded.member("digest"), f"digest in {where}, and of the fold")
        await _expect_parents_digest(bench, telling)


async def _expect_parents_digest(bench: StoreBench, telling: Telling) -> None:
    if telling.granted and isinstance(telling.step, Clone) and telling.step.revision is None:
        lineage = await bench.call("read_provenance", bench.id(telling.step.plan))
        source = (await bench.status(telling.step.source)).digest
        expect_equal(view(lineage, "parent_digest"), source, "parent_digest, and the digest of the source")


async def _digests(bench: StoreBench, telling: Telling, plan: str) -> Mapping[str, Any]:
    """Where the digest of a plan is reported now."""
    listed = (await bench.listed()).get(bench.id(plan))
    seen = {"read_state": (await bench.status(plan)).digest, "list": view(listed, "digest")}
    answer = telling.answer
    if answer is not None and telling.plan == plan:
        in_result = answer.said("digest") if answer.ok else answer.actual.digest
        seen |= {f"the result of {type(telling.step).__name__.lower()}": in_result} if in_result is not None else {}
    return seen


@check("STO-DIGEST-CONSISTENT", story=stories())
async def every_member_reports_one_digest(bench: StoreBench, story: list[Step]) -> None:
    async for telling in told(bench, story):
        for plan in telling.plans:
            seen = await _digests(bench, telling, plan)
            expect_equal(len({*seen.values()}), 1, f"digests of one plan ({', '.join(seen)})", digests=seen)
    for plan in telling.plans:  # at the end of the story
        await _expect_accepted(bench, plan)
    await _expect_no_mixture(bench)


async def _expect_no_mixture(bench: StoreBench) -> None:
    """Who reads during an append hears the revision and the digest of one moment."""
    before = Status("editable", await bench.plan(log(add_node("a")), "m"), 1)
    append = bench.append(log(add_node("b"), start=5), "m")
    seen, appended, listed = await asyncio.gather(bench.status("m"), append, bench.listed())
    after = Status("editable", appended.granted("append_ops").said("digest"), 2)
    for status in (seen, Status.of(listed[bench.id("m")])):
        expect(status in (before, after), "revision and digest of different moments", seen=str(status))


async def _expect_accepted(bench: StoreBench, plan: str) -> None:
    """The digest is the token of the next transition or claim."""
    status = await bench.status(plan)
    if status.state == "editable":
        (await bench.freeze(plan, digest=status.digest)).granted("freezing at the digest that is reported")
        status = await bench.status(plan)
    if status.state == "reviewable":
        (await bench.approve(plan, digest=status.digest)).granted("approving at the digest that is reported")
    claimed = await bench.claim(plan, digest=status.digest)
    expect(claimed.ok or claimed.reason == "run_already_claimed", f"the claim was refused as {claimed.reason}")


_BOUNDS = plans.DEFAULT_PLAN_BOUNDS
#: Of each two, the contents differ in one leaf.
_NEAR: list[tuple[Content, Content]] = [
    (add_edge("e", "yz"), add_edge("e", "zy")),
    (add_edge("e", "yz"), add_edge("e", "yz", "success")),
    (add_edge("e", "yz"), add_edge("f", "yz")),
    (set_phase("y", "plan"), set_phase("y", None)),
    (add_node("x", kind="call"), add_node("x", kind="reason")),
    *(
        (set_bounds(_BOUNDS), set_bounds(_BOUNDS.model_copy(update={name: held + 1})))
        for name, held in _BOUNDS
        if isinstance(held, int | float)
    ),
]


_SOME_NEAR = st.permutations(_NEAR).map(lambda pairs: pairs[:4])


@check("STO-DIGEST-TELLS-APART", pair=distinct_values(), ops=op_logs(0, 2), near=_SOME_NEAR, at_most=10)
async def different_contents_have_different_digests(
    bench: StoreBench, pair: tuple[Any, Any], ops: list[PlanOp], near: list[tuple[Content, Content]]
) -> None:
    before = [*ops, *log(add_node("z", {"args": {}}), start=50)]
    one, other = pair
    here = [await bench.plan(before), await _set(bench, one), await _set(bench, other, 101), await _bound(bench)]
    expect_equal(len({*here}), len(here), "different digests at four moments of a plan", digests=here)
    elsewhere = await bench.another()
    there = [await elsewhere.plan(before), await _set(elsewhere, other)]
    expect(there[1] != here[1], "two contents of one plan at one revision have the same digest")
    again = [await bench.plan(before, "q"), await _set(bench, one, 100, "q"), await _bound(bench, "q")]
    same = [await elsewhere.plan(before, "q"), await _set(elsewhere, one, 100, "q"), await _bound(elsewhere, "q")]
    expect_equal(same, again, "digests of the same history in another store")
    for i, (left, right) in enumerate(near):
        digests = [await _near(bench, f"n{i}", left), await _near(elsewhere, f"n{i}", right)]
        expect(digests[0] != digests[1], "contents that differ in one leaf have one digest", left=left, right=right)


async def _near(calls: StoreCalls, plan: str, content: Content) -> Any:
    return await calls.plan(log(add_node("y"), add_node("z"), content), plan)


async def _set(calls: StoreCalls, value: Any, lamport: int = 100, plan: str = "p") -> Any:
    return await _appended(calls, log(set_field("z", "args.x", value), start=lamport), plan)


async def _bound(calls: StoreCalls, plan: str = "p") -> Any:
    limit = plans.DEFAULT_PLAN_BOUNDS.model_copy(update={"max_steps": 7})
    return await _appended(calls, log(set_bounds(limit), start=900), plan)


async def _appended(calls: StoreCalls, ops: list[PlanOp], plan: str) -> Any:
    return (await calls.append(ops, plan)).granted("append_ops").said("digest")
