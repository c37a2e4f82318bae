"""Sessions from start to stop."""

from __future__ import annotations

import asyncio

from hypothesis import strategies as st

from agentports.ports import CodeInput
from portproof.benches.code import CodeBench
from portproof.benches.code_sessions import Ended, Session
from portproof.checks.code.staging import expect_contents
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import markers

TOKENS = st.lists(markers(), min_size=1, max_size=20, unique=True)


@check("CODE-ID")
async def the_runner_has_one_id(bench: CodeBench) -> None:
    seen = [bench.runner.id]
    async with bench.session():
        seen.append(bench.runner.id)
    seen.append(bench.runner.id)
    expect(isinstance(seen[0], str) and seen[0], "the id is no text, or an empty one", id=seen[0])
    expect_equal(seen, seen[:1] * 3, "id before, during and after a session")


@check("CODE-SESSION-ID", at_most=2, keys=st.lists(markers(), min_size=2, max_size=3, unique=True))
async def live_sessions_have_ids_of_their_own(bench: CodeBench, keys: list[str]) -> None:
    sessions = [await bench.start(key) for key in keys]
    try:
        ids = [session.raw.id for session in sessions]
        expect(all(isinstance(i, str) and i for i in ids), "a session's id is no text, or an empty one", ids=ids)
        expect_equal(len(set(ids)), len(ids), "different ids of live sessions", ids=ids)
    finally:
        for session in sessions:
            await session.stop()


@check("CODE-START-EXECUTE-STOP", at_most=2, tokens=TOKENS)
async def a_session_serves_any_number_of_executes(bench: CodeBench, tokens: list[str]) -> None:
    session = await bench.start()
    for token in tokens:
        expect_equal((await session.run(bench.code.emit(token))).text("stdout"), token, "stdout")
    await session.stop()


@check("CODE-CONCURRENT-CALLS", at_most=1, tokens=st.lists(markers(), min_size=2, max_size=3, unique=True))
async def calls_at_once_get_their_own_output(bench: CodeBench, tokens: list[str]) -> None:
    async with bench.session() as session:
        codes = [f"{bench.code.sleep(0.1 * n)}\n{bench.code.emit(token, token)}" for n, token in enumerate(tokens, 1)]
        results = await asyncio.gather(*(session.run(code) for code in codes))
    expect_equal(
        [(r.text("stdout"), r.text("stderr")) for r in results], [(t, t) for t in tokens], "outputs, call by call"
    )


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
    session, (code, ran) = await bench.start(), bench.tracing()
    await session.stop()
    await session.raising(code, "the session was stopped")
    expect(not ran(), "a stopped session raised, and ran the code all the same")


@check("CODE-STOP-ONLY-ITS-OWN", at_most=1, token=markers())
async def other_sessions_go_on(bench: CodeBench, token: str) -> None:
    async with bench.session() as other:
        session = await bench.start()
        for each in (session, other):
            await _use(bench, each, token)
        await session.stop()
        await _use(bench, other, token)


async def _use(bench: CodeBench, session: Session, token: str) -> None:
    if bench.stages:
        await session.stage(CodeInput(name="input", data=token))
        await expect_contents(bench, session, {"input": token})
    expect_equal((await session.run(bench.code.emit(token))).text("stdout"), token, "stdout")


@check("CODE-STOP-DURING-EXECUTE")
async def stop_ends_what_runs(bench: CodeBench) -> None:
    beats = bench.note()
    session = await bench.start()
    running = asyncio.ensure_future(session.attempt(bench.code.beat(beats)))
    await bench.settled(beats.exists, within=10)
    await bench.bounded(session.stop(), "stop, while code runs")
    await bench.bounded(_awaited(running), "an execute whose session was stopped")
    expect(await bench.is_still(beats), "the code still runs after its session was stopped")


async def _awaited(running: asyncio.Future[Ended]) -> None:
    await running
