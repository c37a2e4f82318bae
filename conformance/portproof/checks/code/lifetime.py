"""Sessions from start to stop."""

from __future__ import annotations

import asyncio

from hypothesis import strategies as st

from portproof.benches.code import CodeBench
from portproof.checks.registry import check
from portproof.running.outcome import expect


@check("CODE-STOP-IDEMPOTENT", at_most=4, times=st.integers(2, 5), at_once=st.booleans())
async def stop_may_be_called_again(bench: CodeBench, times: int, at_once: bool) -> None:
    session = await bench.start()
    if at_once:
        await asyncio.gather(*(session.stop() for _ in range(times)))
    else:
        for _ in range(times):
            await session.stop()
    expect(session.raw.id, "the session lost its id")


@check("CODE-STOP-REFUSES-EXECUTE")
async def a_stopped_session_runs_nothing(bench: CodeBench) -> None:
    session, note = await bench.start(), bench.note()
    await session.stop()
    await session.raising(bench.code.write(note, "ran"), "the session was stopped")
    expect(not note.exists(), "a stopped session raised, and ran the code all the same")
