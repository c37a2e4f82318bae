"""What does not end is ended at the limit, with whatever it started."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from portproof.benches.code import CodeBench
from portproof.benches.code_sessions import Session
from portproof.checks.registry import check
from portproof.probes.processes import end, is_alive, shown
from portproof.running.outcome import NotTested, expect
from portproof.running.plain import told

SHORT_MS = 500


@check("CODE-TIMEOUT-RAISES", at_most=2, limit_ms=st.sampled_from([410, 730]))
async def a_timeout_is_raised_and_named(bench: CodeBench, limit_ms: int) -> None:
    async with bench.session() as session:
        running = session.raising(bench.code.sleep(60), "it exceeded its timeout", timeout_ms=limit_ms)
        said = told(await bench.bounded(running, "an execute beyond its timeout"))
    expect(
        str(limit_ms) in said or f"{limit_ms / 1000:g}" in said, "the exception does not name the limit", raised=said
    )


@check("CODE-TIMEOUT-KILLS")
async def after_a_timeout_the_code_does_not_run(bench: CodeBench) -> None:
    beats = bench.note()
    async with bench.session() as session:
        running = session.raising(bench.code.beat(beats), "it exceeded its timeout", timeout_ms=SHORT_MS)
        await bench.bounded(running, "an execute beyond its timeout")
        expect(await bench.is_still(beats), "the code still runs after the timeout was raised")


@check("CODE-TIMEOUT-KILLS-CHILDREN")
async def the_kill_reaches_children(bench: CodeBench) -> None:
    async with bench.session() as session:
        pid = await _child(bench, session)
        gone, process = await bench.settled(lambda: not is_alive(pid), within=1.5), shown(pid)
        end([pid])
        expect(gone, "a process that the code started outlives the timeout", process=process)


async def _child(bench: CodeBench, session: Session) -> int:
    """The process that code started before it was killed; a slow machine is given more time to start it."""
    for limit_ms in (700, 6_000):
        note: Path = bench.note()
        running = session.raising(bench.code.child(note), "it exceeded its timeout", timeout_ms=limit_ms)
        await bench.bounded(running, "an execute whose child holds its pipes, beyond its timeout", within=20)
        if note.exists() and note.read_text().isdecimal():
            return int(note.read_text())
    raise NotTested("the code did not come to start a process before the timeout")


@check("CODE-TIMEOUT-PER-CALL")
async def the_calls_timeout_wins(bench: CodeBench) -> None:
    async with bench.session() as session:
        running = session.raising(bench.code.sleep(60), "it exceeded the call's timeout", timeout_ms=SHORT_MS)
        await bench.bounded(running, "an execute beyond the call's timeout")
    if bench.subject.takes("timeout_ms"):
        async with bench.another(timeout_ms=SHORT_MS) as runner, bench.session(runner=runner) as session:
            running = session.raising(bench.code.sleep(60), "it exceeded the runner's timeout")
            await bench.bounded(running, "an execute beyond the runner's timeout")
            longer = await session.run(bench.code.sleep(1.2), timeout_ms=30_000)
            expect(longer.ok, "code within the call's timeout did not complete", ok=longer.ok)
