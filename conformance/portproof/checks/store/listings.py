"""Lists: a summary of each plan, in step with everything else that the store says."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from hypothesis import strategies as st

from agentports.plans import fold_ops
from agentports.ports import plans
from portproof.benches.plans.fold_views import Folded
from portproof.benches.plans.store_answers import Status, contract_op
from portproof.benches.plans.store_records import provenance_portrait
from portproof.benches.plans.stores import StoreBench
from portproof.benches.plans.telling import told
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log, remove_node
from portproof.strategies.plans.stories import PLANS, Step, stories


@check("STO-LIST", story=stories())
async def a_list_says_what_the_plans_say(bench: StoreBench, story: list[Step]) -> None:
    await bench.plan(log(add_node("a"), add_node("b"), remove_node("a"), add_node("b")), "s")
    (await bench.clone("s", "t")).granted("cloning a plan")
    for plan in "st":
        await _expect_in_step(bench, plan, (await bench.listed())[bench.id(plan)])
    async for telling in told(bench, story):
        everything = await bench.listed()
        there = {name for name in PLANS if bench.id(name) in everything}
        expect_equal(there, {*telling.plans}, "the plans in the list")
        if telling.plan in telling.plans:
            await _expect_in_step(bench, telling.plan, everything[bench.id(telling.plan)])
    states = {plan: (await bench.status(plan)).state for plan in telling.plans}
    for state in ("editable", "reviewable", "executable"):
        listed = await bench.listed(state)
        seen = {plan for plan in states if bench.id(plan) in listed}
        expect_equal(seen, {plan for plan, held in states.items() if held == state}, f"the plans listed as {state}")


async def _expect_in_step(bench: StoreBench, plan: str, summary: Any) -> None:
    expect_equal(Status.of(summary), await bench.status(plan), f"summary and state of {plan}")
    log = [contract_op(op) for op in await bench.call("read_ops", bench.id(plan))]
    nodes = Folded(fold_ops("any", log), plans).nodes
    expect_equal(view(summary, "node_count"), len(nodes), f"node_count of {plan}, and nodes of its fold")
    lineage = provenance_portrait(view(summary, "provenance"))
    expect_equal(lineage, await bench.provenance(plan), f"provenance of {plan} in the list, and read by itself")


#: More plans than a page of a list is likely to have; and seconds that are spent on making them.
_PAGE, _A_WHILE_S = 101, 0.4


@check("STO-LIST-LABEL", label=st.none() | st.text("aé ", max_size=4))
async def labels_are_listed_as_they_were_given(bench: StoreBench, label: str | None) -> None:
    await bench.plan(label=label)
    (await bench.clone("p", "q")).granted("cloning a plan")
    (await bench.append(log(add_node("a")))).granted("append_ops to an editable plan")
    (await bench.freeze()).granted("freezing at the current digest")
    others = await _many_more(bench)
    listed = await bench.listed()
    for name in ("p", "q", *others):
        expect(bench.id(name) in listed, "a plan is not in the list", plans=len(listed))
        expected = label if name in ("p", "q") else name
        expect_equal(view(listed[bench.id(name)], "label"), expected, f"label of {name}")


async def _many_more(bench: StoreBench) -> list[str]:
    """Plans of this example, so that the store has more than a page of them, or what it makes in a while."""
    made: list[str] = []
    until = time.monotonic() + _A_WHILE_S
    missing = _PAGE - len(await bench.listed())
    while len(made) < missing and time.monotonic() < until:
        made.append(f"n{len(made)}")
        await bench.plan(name=made[-1], label=made[-1])
    return made


@check("STO-UPDATED-AT", story=stories())
async def the_time_of_a_change_never_goes_back(bench: StoreBench, story: list[Step]) -> None:
    before: dict[str, datetime] = {}
    async for telling in told(bench, story):
        listed = await bench.listed()
        for plan in telling.plans:
            moment = _moment(view(listed[bench.id(plan)], "updated_at"))
            expect(before.get(plan, moment) <= moment, "updated_at went back", before=before.get(plan), after=moment)
            before[plan] = moment


def _moment(text: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise Violation("updated_at is not ISO 8601", got=text) from None
    expect(moment.tzinfo is not None, "updated_at has no offset", got=text)
    return moment
