"""What a store keeps to itself: plans apart, refusals without trace, values of its own, ids as they are."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import strategies as st

from agentports.ports.plans import PlanOp, TemplateProvenance
from portproof.benches.plans.scribbling import scribble_over
from portproof.benches.plans.store_records import approval, settled
from portproof.benches.plans.stores import StoreBench
from portproof.benches.plans.telling import Telling, told
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log
from portproof.strategies.plans.op_logs import op_logs
from portproof.strategies.plans.stories import PLANS, Step, stories


@check("STO-PLANS-ISOLATED", story=stories())
async def a_call_on_one_plan_changes_no_other(bench: StoreBench, story: list[Step]) -> None:
    async for telling, before, after in _watched(bench, story):
        for plan, then in before.items():
            if plan != telling.plan:
                expect_equal(after[plan], then, f"{plan} after a call on {telling.plan}", step=telling.step)


@check("STO-REFUSAL-CHANGES-NOTHING", story=stories())
async def a_refused_call_leaves_no_trace(bench: StoreBench, story: list[Step]) -> None:
    async for telling, before, after in _watched(bench, story):
        if not telling.granted:
            expect_equal(sorted(after), sorted(before), "the plans after a refused call", step=telling.step)
            expect_equal(after, before, "what the store says after a refused call", step=telling.step)


async def _watched(bench: StoreBench, story: list[Step]) -> Any:
    before: dict[str, Any] = {}
    async for telling in told(bench, story):
        after = await _everything(bench, telling)
        yield telling, before, after
        before = after


async def _everything(bench: StoreBench, telling: Telling) -> dict[str, Any]:
    listed = await bench.listed()
    return {name: await bench.snapshot(name) for name in PLANS if bench.id(name) in listed}


@check("STO-APPEND-ISOLATION", ops=op_logs(1, 3), x=st.integers())
async def the_store_has_copies_of_its_own(bench: StoreBench, ops: list[PlanOp], x: int) -> None:
    args: dict[str, Any] = {"x": [x], "y": {"z": {x}}}
    origin = TemplateProvenance(template="t", args=args)
    given = [op.model_copy(deep=True) for op in [*ops, *log(add_node("m", {"args": {"l": [x]}}), start=50)]]
    await bench.call("create_plan", bench.id("p"), provenance=origin)
    await bench.call("append_ops", bench.id("p"), given)
    before = await bench.snapshot()
    scribble_over([args, origin.args, given, *_containers(given)])
    expect_equal(await bench.snapshot(), before, "the plan after its author changed what was passed in")
    digest = (await bench.status()).digest
    (await bench.freeze()).granted("freezing at the current digest")
    decision = approval(bench.id("p"), digest)
    request = bench.request("reviewable", "executable", digest, approval=decision)
    await bench.call("transition", bench.id("p"), request)
    run = (await bench.claim()).granted("the first claim").said("run_id")
    output: dict[str, Any] = {"rows": [x], "more": {"k": {x}}}
    events = [settled("m", output=output)]
    await bench.call("append_run_events", bench.id("p"), run, events)
    before = await bench.snapshot()
    scribble_over([output, events, decision.authority])
    expect_equal(await bench.snapshot(), before, "the plan after what was passed in changed")
    await _scribble_over_reads(bench)
    expect_equal(await bench.snapshot(), before, "the plan after what was returned was changed")


async def _scribble_over_reads(bench: StoreBench) -> None:
    plan = bench.id("p")
    for method in ("read_ops", "read_provenance", "read_run_events", "read_approval"):
        returned = await bench.call(method, plan)
        scribble_over([returned, *_containers(returned if isinstance(returned, list) else [returned])])
    listed = await bench.call("list")
    scribble_over([listed, *_containers([*listed])])
    for record in [await bench.call("read_state", plan), await bench.call("read_approval", plan), *listed]:
        _overwrite(record)


def _overwrite(record: Any) -> None:
    """Set the members of a record to nothing, where it lets that be done."""
    for name in list(getattr(record, "__dict__", {})):
        with suppress(Exception):
            setattr(record, name, None)


def _containers(records: list[Any]) -> list[Any]:
    """The containers that records hold, however they hold them."""
    found, left = [], [*records]
    while left:
        record = left.pop()
        members = list(record.values()) if isinstance(record, dict) else list(getattr(record, "__dict__", {}).values())
        members += list(record) if isinstance(record, list | tuple | set) else []
        found += [member for member in members if isinstance(member, list | dict | set)]
        left += [member for member in members if hasattr(member, "__dict__") or isinstance(member, list | dict | tuple)]
    return found


_NEAR_IDS = (
    ("a", "A"),
    ("a b", "a_b"),
    ("a/b", "a%2Fb"),
    ("../x", "x"),
    ("a.", "a"),
    ("\u00e9", "e\u0301"),
    (" a", "a"),
    ("a\n", "a"),
    ("100%", "100%25"),
    ("n" * 300, "n" * 301),
    ("..", "."),
    ("ﬁ", "fi"),
)


@check("STO-IDS-VERBATIM", pair=st.sampled_from(_NEAR_IDS))
async def ids_are_kept_and_told_apart(bench: StoreBench, pair: tuple[str, str]) -> None:
    store = await bench.another()
    around = store.place.directory.parent if bench.subject.takes("tmp_path") else None
    one, other = pair
    for name, label in ((one, "one"), (other, "other")):
        made = await store.call("create_plan", name, label=label)
        expect(view(made, "ok"), f"the id {name!r} was refused as {view(made, 'reason')}")
    await store.call("append_ops", one, log(add_node("a")))
    labels = {view(summary, "plan_id"): view(summary, "label") for summary in await store.call("list")}
    expect_equal([labels.get(one), labels.get(other)], ["one", "other"], "labels of two plans in the list")
    revisions = [view(await store.call("read_state", name), "revision") for name in (one, other)]
    expect_equal(revisions, [1, 0], "revisions of two plans with ids that are nearly the same")
    if around is not None:
        stands = {entry.name for entry in around.iterdir()}
        expect_equal(stands, {store.place.directory.name}, "what stands where the directory was made")
