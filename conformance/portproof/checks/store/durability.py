"""What was acknowledged outlives the store and its process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from agentports.ports.plans import PlanOp
from portproof.benches.plans.crashing import Lines, Said, own_files, process
from portproof.benches.plans.store_calls import StoreCalls
from portproof.benches.plans.store_records import entered, settled
from portproof.benches.plans.stores import StoreBench
from portproof.benches.plans.telling import Telling, told
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies.plans.op_logs import op_logs
from portproof.strategies.plans.stories import (
    PLANS,
    Append,
    Claim,
    Clone,
    Create,
    Move,
    Record,
    Step,
    stories,
)


@check("STO-DURABLE-REOPEN", story=stories(), after=st.integers(1, 14), at_most=10)
async def what_was_acknowledged_is_there_after_reopening(bench: StoreBench, story: list[Step], after: int) -> None:
    async for _ in told(bench, story[:after]):
        pass
    runs = {name: await bench.attempt("read_run_events", bench.id(name)) for name in PLANS}
    before = await _everything(bench)
    await bench.reopen()
    expect_equal(await _everything(bench), before, "what the store says after it was reopened")
    for name in PLANS:
        if not isinstance(runs[name], Exception):
            (await bench.claim(name)).refused("a fresh claim after the store was reopened", "run_already_claimed")


async def _everything(calls: StoreCalls) -> dict[str, Any]:
    listed = await calls.listed()
    return {name: await calls.snapshot(name) for name in PLANS if calls.id(name) in listed}


def _career(ops: list[PlanOp]) -> list[Step]:
    """A plan's way through everything that writes."""
    return [
        Create("p", "label"),
        Append("p", ops),
        Move("p", "editable", "reviewable"),
        Move("p", "reviewable", "executable"),
        Claim("p"),
        Record("p", [entered("a"), settled("a"), entered("b")]),
        Clone("p", "q"),
    ]


#: Each of the calls is killed at so many places, evenly apart.
_PLACES = 4


@check("STO-CRASH-CONSISTENT", ops=op_logs(2, 3), shift=st.floats(0, 0.99), at_most=1)
async def a_crash_leaves_each_call_whole_or_undone(bench: StoreBench, ops: list[PlanOp], shift: float) -> None:
    career = _career(ops)
    files = own_files(bench.store, bench.subject.target)
    undisturbed = _process(bench, await bench.another(), career, files)
    states = [line.split()[1:] for line in undisturbed.lines if line.startswith("state ")]
    if undisturbed.problem is not None or len(states) != len(career) + 1:
        raise Violation(f"a process cannot work with the store: {undisturbed.problem or 'a call was refused'}")
    counts = [int(count) for _, count in states]
    for call in range(len(career)):
        lines = counts[call + 1] - counts[call]
        for kill_at in sorted({counts[call] + 1 + int((k + shift) * lines / _PLACES) for k in range(_PLACES)}):
            await _expect_whole(bench, career, files, kill_at, [text for text, _ in states])


async def _expect_whole(
    bench: StoreBench, career: list[Step], files: frozenset[str], kill_at: int, states: list[str]
) -> None:
    store = await bench.another()
    said = _process(bench, store, career, files, kill_at)
    done = sum(line.startswith("state ") for line in said.lines) - 1
    again = await bench.built_again(store)
    now = await _state(again)
    in_flight = career[done] if 0 <= done < len(career) else None
    expect(
        now in states[max(done, 0) : done + 2],
        f"after a crash in {type(in_flight).__name__.lower()} the store stands between before and after that call",
        killed_at_line=kill_at,
        stands=plain(await _everything(again)),
    )


def _process(
    bench: StoreBench, store: StoreCalls, career: list[Step], files: frozenset[str], kill_at: int | None = None
) -> Said:
    """A process that does all this over the store's place, and says state and count of lines after each call."""
    lines = Lines(files, kill_at)

    async def state(calls: StoreCalls) -> str:
        count = lines.count
        seen = await _state(calls) if kill_at is None else "-"
        lines.count = count
        return f"state {seen} {count}"

    async def work(say: Callable[[str], None]) -> None:
        lines.watch()
        mine = await bench.built_again(store)
        telling = Telling(mine)
        say(await state(mine))
        for step in career:
            await telling.tell(step)
            if not telling.granted:
                return
            say(await state(mine))

    return process(work)


async def _state(calls: StoreCalls) -> str:
    """What the store says, but for times."""
    everything = {name: {**said, "updated_at": None} for name, said in (await _everything(calls)).items()}
    return hashlib.sha256(json.dumps(plain(everything)).encode()).hexdigest()
