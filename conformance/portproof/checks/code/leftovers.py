"""What is there of a session that was stopped, after this check and after every other one of the run."""

from __future__ import annotations

import asyncio

from agentports.ports import CodeInput
from portproof.benches.code import CodeBench
from portproof.benches.leftovers import expect_nothing_left
from portproof.checks.registry import check


@check("CODE-STOP-LEAVES-NOTHING")
async def nothing_is_left_of_a_stopped_session(bench: CodeBench) -> None:
    if not bench.subject.sightings:
        before = bench.traces()
        await _use(bench)
        await bench.look_behind(before, lambda: _use(bench), "the check of CODE-STOP-LEAVES-NOTHING")
    expect_nothing_left(bench.subject, but="staged file")


async def _use(bench: CodeBench) -> None:
    """Use a session that is then stopped, and stop one whose code runs."""
    code = bench.code
    async with bench.session() as used:
        if bench.stages:
            await used.stage(CodeInput(name="input", data="x"))
        await used.run(code.emit("ran"))
        await used.stop()
    async with bench.session() as running:
        ending = asyncio.ensure_future(running.attempt(code.sleep(60)))
        await asyncio.sleep(0.2)
        await bench.bounded(running.stop(), "stop, while code runs")
        await bench.bounded(asyncio.wait({ending}), "an execute whose session was stopped")
