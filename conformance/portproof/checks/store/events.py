"""The log of the run: whole batches, in order, of the one run, until it completed."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import strategies as st

from agentports.plans.artifacts import Artifact
from agentports.ports.plans import EdgeTaken, FrontierSnapshot, JoinArrival, JoinState, PendingFrame, RunEvent
from portproof.benches.plans.cancelling import cancelled_everywhere
from portproof.benches.plans.staggering import staggered
from portproof.benches.plans.store_answers import contract_event, event_portraits
from portproof.benches.plans.store_records import entered, frame, settled, started, stopped
from portproof.benches.plans.stores import StoreBench
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log
from portproof.strategies.plans.delays import delays
from portproof.strategies.plans.run_events import edges_taken, run_events

_BATCHES = st.lists(st.lists(run_events(), min_size=1, max_size=3), min_size=1, max_size=3)


#: More than a page of anything has.
_MANY: list[RunEvent] = [entered(f"n{i}") for i in range(120)]


@check(
    "STO-EVENTS-ROUND-TRIP", some=_BATCHES, edges=st.lists(edges_taken(), min_size=1, max_size=2), long=st.booleans()
)
async def events_are_read_back_as_they_were(
    bench: StoreBench, some: list[list[RunEvent]], edges: list[RunEvent], long: bool
) -> None:
    run = await bench.running()
    batches = [*some, edges, *([_MANY] if long else [])]
    for batch in batches:
        await bench.record(run, batch)
    expect_equal(await bench.events(), event_portraits([e for batch in batches for e in batch]), "the log of the run")


@check("STO-EVENTS-ATOMIC", sizes=st.lists(st.integers(2, 4), min_size=2, max_size=4), pauses=delays(), at_most=8)
async def no_reader_sees_part_of_a_batch(bench: StoreBench, sizes: list[int], pauses: list[int]) -> None:
    run = await bench.running()
    batches = [[entered(f"n{i}_{k}") for k in range(size)] for i, size in enumerate(sizes)]
    told = [event_portraits(batch) for batch in batches]
    writers = [asyncio.ensure_future(staggered(bench.record(run, b), pauses, i)) for i, b in enumerate(batches)]
    while not all(writer.done() for writer in writers):
        _expect_whole(await bench.events(), told)
        await asyncio.sleep(0)
    for writer in writers:
        await writer
    expect_equal(_expect_whole(await bench.events(), told), len(batches), "batches in the log")
    await _cancelled_batches_are_whole(bench)


async def _cancelled_batches_are_whole(bench: StoreBench) -> None:
    runs: dict[str, str] = {}
    batch: list[RunEvent] = [entered("a"), settled("a"), stopped("halted")]

    async def claimed(n: int) -> str:
        runs[f"c{n}"] = await bench.running(name=f"c{n}")
        return f"c{n}"

    async for name in cancelled_everywhere(claimed, lambda name: bench.record(runs[name], batch, name)):
        _expect_whole(await bench.events(name), [event_portraits(batch)])


def _expect_whole(seen: list[str], batches: list[list[str]]) -> int:
    """How many of the batches, each once, one after another, the log consists of."""
    left, rest, count = [*batches], seen, 0
    while rest:
        first = next((batch for batch in left if rest[: len(batch)] == batch), None)
        if first is None:
            raise Violation("the log is no sequence of whole batches", log=seen)
        left.remove(first)
        rest, count = rest[len(first) :], count + 1
    return count


@check("STO-EVENTS-WRONG-RUN", batch=st.lists(run_events(), min_size=1, max_size=2), claimed=st.booleans())
async def events_of_another_run_are_refused(bench: StoreBench, batch: list[RunEvent], claimed: bool) -> None:
    other = await bench.running(name="q")
    run = await bench.running() if claimed else None
    if not claimed:
        await bench.plan_in("executable", log(add_node("a")))
    before = await bench.snapshot()
    for wrong in (other, "no-such-run"):
        await bench.raises("append_run_events", "p", wrong, batch)
    await bench.raises("append_run_events", "unknown", other, batch)
    expect_equal(await bench.snapshot(), before, f"the plan, whose run is {run}, after events were refused")
    expect_equal(await bench.events("q"), [], "the log of the other plan's run")


@check("STO-EVENTS-AFTER-COMPLETED", batch=st.lists(run_events(), min_size=1, max_size=2))
async def nothing_is_added_to_a_finished_run(bench: StoreBench, batch: list[RunEvent]) -> None:
    run = await bench.running()
    await bench.record(run, [settled("a"), stopped("completed")])
    before = await bench.events()
    await bench.raises("append_run_events", "p", run, batch)
    expect_equal(await bench.events(), before, "the log of the finished run")
    await _expect_one_end(bench)


async def _expect_one_end(bench: StoreBench) -> None:
    run = await bench.running(name="raced")
    batches = [[entered(name), stopped("completed")] for name in "ab"]
    calls = (bench.attempt("append_run_events", bench.id("raced"), run, batch) for batch in batches)
    raised = sum(isinstance(answer, Exception) for answer in await asyncio.gather(*calls))
    expect_equal(raised, 1, "refusals of two batches that race to complete the run")
    expect_equal(len(await bench.events("raced")), 2, "events of the batch that was first")


@check("STO-EVENTS-READ", batch=st.lists(run_events(), max_size=2))
async def no_run_and_an_empty_run_are_different(bench: StoreBench, batch: list[RunEvent]) -> None:
    digest = await bench.plan_in("executable")
    await bench.raises("read_run_events", "p")
    await bench.raises("read_run_events", "p", "no-such-run")
    run = str((await bench.claim(digest=digest)).granted("the first claim").said("run_id"))
    for named in ((), (run,)):
        expect_equal(await bench.events("p", *named), [], "the log of a run without events")
    other = await bench.running(name="q")
    for wrong in ("no-such-run", other):
        await bench.raises("read_run_events", "p", wrong)
    await bench.record(run, batch)
    expect_equal(await bench.events("p", run), await bench.events(), "the log by its run's id, and without")


@check(
    "STO-EVENTS-ARTIFACTS",
    text=st.text(max_size=20),
    keys=st.lists(st.text("ab:0", max_size=4), max_size=3, unique=True),
)
async def artifacts_are_read_back_as_artifacts(bench: StoreBench, text: str, keys: list[str]) -> None:
    run = await bench.running()

    def texts(where: str) -> dict[str, str]:
        return {key: f"{text}{key}{where}" for key in ["a:", *keys]}

    def table(where: str) -> dict[str, Artifact]:
        return {key: Artifact.of_text(held) for key, held in texts(where).items()}

    ends: dict[str, Any] = {"from_": frame("a"), "to": frame("b", "e"), "edge_id": "e", "handle": "always"}
    pending = PendingFrame(frame=frame("b", "e"), outputs={}, artifacts=table("pending"))
    arrival = JoinArrival(branch=frame("b", "e").branch_id, edge_id="e", outputs={}, artifacts=table("arrival"))
    join = JoinState(node_id="j", correlation_key="k", arrivals=[arrival], required=["e"])
    given: list[RunEvent] = [
        started(run, "digest"),
        EdgeTaken(at="2026-07-02T09:00:00Z", outputs={}, artifacts=table("edge"), **ends),
        FrontierSnapshot(at="2026-07-02T09:00:00Z", frames=[pending], joins=[join]),
    ]
    await bench.record(run, given)
    seen = [contract_event(event) for event in await bench.call("read_run_events", bench.id("p"))]
    expect_equal(len(seen), 3, "events read back")
    edge, snapshot = seen[1], seen[2]
    assert isinstance(edge, EdgeTaken)
    assert isinstance(snapshot, FrontierSnapshot)
    arrived = snapshot.joins[0].arrivals[0].artifacts
    tables = {"edge": edge.artifacts, "pending": snapshot.frames[0].artifacts, "arrival": arrived}
    for where, artifacts in tables.items():
        read = {key: await _read(where, artifact) for key, artifact in artifacts.items()}
        expect_equal(read, texts(where), f"texts of the artifacts: {where}")


async def _read(where: str, artifact: object) -> str:
    read = getattr(artifact, "as_string", None)
    expect(callable(read), f"what stands in an artifact table ({where}) is no artifact", got=artifact)
    assert read is not None
    return str(await read())
