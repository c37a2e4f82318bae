"""What was acknowledged outlives the store and its process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from agentports.ports.plans import PlanOp
from portproof.benches.checker import owed
from portproof.benches.plans.crashing import Lines, Said, own_code, process
from portproof.benches.plans.store_calls import StoreCalls
from portproof.benches.plans.store_records import entered, settled, stopped
from portproof.benches.plans.stores import StoreBench
from portproof.benches.plans.telling import Telling, told
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, Violation, expect, expect_equal
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
    over = await bench.running(name="over")
    await bench.record(over, [settled("a"), stopped("completed")], "over")
    await bench.reopen()
    expect_equal(await _everything(bench), before, "what the store says after it was reopened")
    for name in PLANS:
        if not isinstance(runs[name], Exception):
            (await bench.claim(name)).refused("a fresh claim after the store was reopened", "run_already_claimed")
    (await bench.claim("over", over)).refused("resuming what completed before the reopening", "run_already_settled")


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


#: Each of the calls is killed just after what it changes on disk, at so many places; where none show, evenly apart.
_MOST, _PLACES = 8, 4


@check("STO-CRASH-CONSISTENT", ops=op_logs(2, 3), shift=st.floats(0, 0.99), at_most=1)
async def a_crash_leaves_each_call_whole_or_undone(bench: StoreBench, ops: list[PlanOp], shift: float) -> None:
    if not bench.subject.takes("tmp_path") and not bench.subject.takes("dsn"):
        raise NotTested("another process cannot build the subject over the same place: it takes no tmp_path or dsn")
    career = _career(ops)
    is_own = own_code(bench.store, bench.subject.target, wide=bench.subject.takes("tmp_path"))
    undisturbed = _process(bench, await bench.another(), career, is_own)
    states = [line.split()[1:] for line in undisturbed.lines if line.startswith("state ")]
    if undisturbed.problem is not None or len(states) != len(career) + 1:
        raise Violation(f"a process cannot work with the store: {undisturbed.problem or 'a call was refused'}")
    counts = [int(count) for _, count in states]
    changed = [int(line) for text in undisturbed.lines if text.startswith("changed") for line in text.split()[1:]]
    for call in range(len(career)):
        for kill_at in _places(counts[call], counts[call + 1], changed, shift):
            await _expect_whole(bench, career, is_own, kill_at, [text for text, _ in states])


def _places(start: int, stop: int, changed: list[int], shift: float) -> list[int]:
    """Lines of a call at which to kill it; its first one shows whether the call before had written what it said."""
    telling = [line for line in changed if start < line <= stop]
    if not telling:
        telling = [start + 1 + int((k + shift) * (stop - start) / _PLACES) for k in range(_PLACES)]
    return sorted({start + 1, *telling[:: -(-len(telling) // _MOST)]})


async def _expect_whole(
    bench: StoreBench, career: list[Step], is_own: Callable[[str], bool], kill_at: int, states: list[str]
) -> None:
    store = await bench.another()
    said = _process(bench, store, career, is_own, kill_at)
    with owed("building the store again after a crash"):
        again = await bench.built_again(store)
    done = sum(line.startswith("state ") for line in said.lines) - 1
    now = await _state(again)
    in_flight = career[done] if 0 <= done < len(career) else None
    expect(
        now in states[max(done, 0) : done + 2],
        f"after a crash in {type(in_flight).__name__.lower()} the store stands between before and after that call",
        killed_at_line=kill_at,
        stands=plain(await _everything(again)),
    )


def _process(
    bench: StoreBench,
    store: StoreCalls,
    career: list[Step],
    is_own: Callable[[str], bool],
    kill_at: int | None = None,
) -> Said:
    """A process that does all this over the store's place, and says state and count of lines after each call."""
    lines = Lines(is_own, kill_at, store.place.directory if bench.subject.takes("tmp_path") else None)

    async def state(calls: StoreCalls) -> str:
        if kill_at is not None:
            return "state - -"
        with lines.uncounted():
            seen = await _state(calls)
        return f"state {seen} {lines.count}"

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
        say(f"changed {' '.join(map(str, lines.changed_before))}")

    return process(work)


async def _state(calls: StoreCalls) -> str:
    """What the store says, but for times."""
    everything = {name: {**said, "updated_at": None} for name, said in (await _everything(calls)).items()}
    return hashlib.sha256(json.dumps(plain(everything)).encode()).hexdigest()
