"""Clones: the content of another plan at a revision, without its decisions, and from then on independent."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.plans import fold_ops
from agentports.ports import plans
from agentports.ports.plans import PlanOp, RunEvent, TemplateProvenance
from portproof.benches.plans.cancelling import cancelled_everywhere
from portproof.benches.plans.fold_views import Folded, expect_same_content
from portproof.benches.plans.store_answers import contract_op
from portproof.benches.plans.store_records import entered, failed, settled, skipped, stopped
from portproof.benches.plans.stores import StoreBench
from portproof.benches.plans.telling import told
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.op_logs import op_logs
from portproof.strategies.plans.stories import Step, stories

_STATES = st.sampled_from(["editable", "reviewable", "executable"])
_MADE = st.sampled_from([entered, settled, settled, failed, skipped])
_SOME_EVENTS = st.lists(st.builds(lambda make, node: make(node), _MADE, st.sampled_from("abc")), max_size=6)
_CAREERS = st.sampled_from(["editable", "reviewable", "executable", "claimed", "completed"])


async def _folded(bench: StoreBench, name: str, through: int | None = None) -> Folded:
    log = await bench.call("read_ops", bench.id(name), **({} if through is None else {"through_revision": through}))
    return Folded(fold_ops("any", [contract_op(op) for op in log]), plans)


@check("STO-CLONE-CONTENT", ops=op_logs(0, 5), state=_STATES, at_most=10)
async def a_clone_is_the_source_at_that_revision(bench: StoreBench, ops: list[PlanOp], state: str) -> None:
    await bench.plan_in(state, ops)
    for revision in (*range(len(ops) + 1), None):
        name = f"clone{revision}"
        at = () if revision is None else (revision,)
        made = (await bench.clone("p", name, *at)).granted(f"cloning revision {revision}")
        expected = len(ops) if revision is None else revision
        status = await bench.status(name)
        expect_equal((status.state, status.revision), ("editable", expected), f"the clone of revision {revision}")
        expect_equal(made.said("revision"), expected, "revision in the result")
        source, clone = await _folded(bench, "p", expected), await _folded(bench, name)
        expect_same_content(source, clone, f"of the source at revision {expected} and of its clone")
    await _expect_all_or_nothing(bench, ops)


async def _expect_all_or_nothing(bench: StoreBench, ops: list[PlanOp]) -> None:
    """Cancelled, it has made a whole clone or none."""

    async def named(n: int) -> str:
        return f"c{n}"

    async for name in cancelled_everywhere(named, lambda name: bench.clone("p", name)):
        if bench.id(name) in await bench.listed():
            expect_equal(await bench.log(name), bench.told(ops), "the log of a clone whose call was cancelled")


@check("STO-CLONE-COLD", ops=op_logs(0, 2), ran=_CAREERS)
async def a_clone_has_no_decision_and_no_run(bench: StoreBench, ops: list[PlanOp], ran: str) -> None:
    if ran in ("claimed", "completed"):
        run = await bench.running(ops)
        await bench.record(run, [stopped("completed")] if ran == "completed" else [entered("a")])
    else:
        await bench.plan_in(ran, ops)
    (await bench.clone("p", "q")).granted("cloning a plan")
    expect_equal(await bench.approval("q"), None, "approval of a clone")
    await bench.raises("read_run_events", "q")
    (await bench.freeze("q")).granted("freezing a clone")
    (await bench.approve("q")).granted("approving a clone")
    claimed = (await bench.claim("q")).granted("the first claim on a clone")
    expect_equal(claimed.said("resumed"), False, "resumed in the first claim on a clone")
    expect_equal(await bench.events("q"), [], "the log of a clone's run that was just claimed")
    (await bench.claim("q", claimed.said("run_id"))).granted("re-entering the run of a clone")


@check("STO-CLONE-PROVENANCE", ops=op_logs(1, 3), origin=st.sampled_from(["plain", "template", "clone"]))
async def a_clone_names_its_parent_as_it_was(bench: StoreBench, ops: list[PlanOp], origin: str) -> None:
    if origin == "clone":
        await bench.plan(name="root")
        (await bench.clone("root", "p")).granted("cloning a plan")
    else:
        await bench.create(provenance=TemplateProvenance(template="t", args={"x": 1}) if origin == "template" else None)
    digests = [(await bench.status()).digest]
    for op in ops:
        digests.append((await bench.append([op])).granted("append_ops").said("digest"))
    for revision, digest in enumerate(digests):
        name = f"clone{revision}"
        (await bench.clone("p", name, revision)).granted(f"cloning revision {revision}")
        lineage = await bench.call("read_provenance", bench.id(name))
        seen = [view(lineage, part) for part in ("kind", "parent", "parent_digest", "parent_revision")]
        expect_equal(seen, ["clone", bench.id("p"), digest, revision], f"provenance of a clone of revision {revision}")
    (await bench.clone("p", "now")).granted("cloning a plan")
    lineage = await bench.call("read_provenance", bench.id("now"))
    expect_equal(view(lineage, "parent_revision"), len(ops), "parent_revision of a clone of the present")


@check("STO-CLONE-COMPLETED", events=_SOME_EVENTS, later=_SOME_EVENTS, runs=st.booleans())
async def a_clone_lists_what_had_settled_well(
    bench: StoreBench, events: list[RunEvent], later: list[RunEvent], runs: bool
) -> None:
    if not runs:
        await bench.plan()
        (await bench.clone("p", "q")).granted("cloning a plan that never ran")
        expect_equal(await _completed(bench, "q"), [], "completed_at_clone of a plan that never ran")
        return
    run = await bench.running()
    events = [*events, settled("d", "e1"), failed("d")]
    await bench.record(run, events)
    (await bench.clone("p", "q")).granted("cloning a plan that runs")
    await bench.record(run, later)
    expect_equal({*await _completed(bench, "q")}, {*_settled_well(events)}, "the nodes in completed_at_clone")
    (await bench.clone("q", "r")).granted("cloning a clone that never ran")
    expect_equal(await _completed(bench, "r"), [], "completed_at_clone of a clone that never ran")


@check("STO-CLONE-COMPLETED-ORDER", events=_SOME_EVENTS)
async def completed_nodes_are_listed_once_in_order(bench: StoreBench, events: list[RunEvent]) -> None:
    run = await bench.running()
    await bench.record(run, [*events, settled("a", "e1"), settled("b", "e2"), settled("a", "e3")])
    (await bench.clone("p", "q")).granted("cloning a plan that runs")
    expected = list(dict.fromkeys([*_settled_well(events), "a", "b"]))
    expect_equal(await _completed(bench, "q"), expected, "completed_at_clone")


async def _completed(bench: StoreBench, name: str) -> list[str]:
    return list(view(await bench.call("read_provenance", bench.id(name)), "completed_at_clone") or ())


def _settled_well(events: list[RunEvent]) -> list[str]:
    outcomes = [(event.frame.node_id, event.outcome.status) for event in events if event.kind == "node_settled"]
    return [node for node, status in outcomes if status == "ok"]


@check("STO-CLONE-FREEZABLE", ops=op_logs(0, 3), origin=st.sampled_from(["plain", "template", "clone"]))
async def a_clone_goes_all_the_way(bench: StoreBench, ops: list[PlanOp], origin: str) -> None:
    lineage = TemplateProvenance(template="t", args={}) if origin == "template" else None
    await bench.plan(ops, provenance=lineage)
    source = "p"
    if origin == "clone":
        (await bench.clone("p", source := "parent")).granted("cloning a plan")
    told_ = (await bench.clone(source, "one")).granted("cloning a plan").said("digest")
    (await bench.freeze("one", digest=told_)).granted("freezing at the digest in the clone's result")
    (await bench.clone(source, "two")).granted("cloning a plan")
    (await bench.freeze("two")).granted("freezing at the digest that read_state reports")
    (await bench.approve("two")).granted("approving a clone")
    (await bench.claim("two")).granted("claiming a clone's run")


@check("STO-CLONE-REFUSALS", ops=op_logs(0, 2), beyond=st.sampled_from([-1, 1, 50]))
async def a_clone_that_cannot_be_is_refused(bench: StoreBench, ops: list[PlanOp], beyond: int) -> None:
    await bench.plan(ops)
    await bench.plan(name="taken")
    before = {name: await bench.snapshot(name) for name in ("p", "taken")}
    wrong = -1 if beyond < 0 else len(ops) + beyond
    (await bench.clone("nowhere", "new")).refused("cloning no plan", "source_missing")
    (await bench.clone("nowhere", "taken")).refused("cloning no plan to a taken id", "source_missing")
    (await bench.clone("p", "taken")).refused("cloning to a taken id", "duplicate_id")
    (await bench.clone("p", "p")).refused("cloning a plan to itself", "duplicate_id")
    missing: Any
    for missing in (wrong, 0.5):
        (await bench.clone("p", "new", missing)).refused(f"cloning revision {missing}", "revision_missing")
    expect(bench.id("new") not in await bench.listed(), "a refused clone made a plan")
    expect_equal({name: await bench.snapshot(name) for name in before}, before, "the plans after refused clones")


@check("STO-CLONE-INDEPENDENT", story=stories(10), ops=op_logs(1, 3))
async def what_happens_to_one_does_not_show_in_the_other(
    bench: StoreBench, story: list[Step], ops: list[PlanOp]
) -> None:
    await bench.plan(ops, "origin")
    (await bench.clone("origin", "left")).granted("cloning a plan")
    before = {name: await bench.snapshot(name) for name in ("origin", "left")}
    (await bench.clone("origin", "p")).granted("cloning a plan")
    async for telling in told(bench, story[1:], logs={"p": ops}):
        for name, then in before.items():
            now = await bench.snapshot(name)
            expect_equal(now, then, f"{name} after something happened to its clone", step=telling.step)
