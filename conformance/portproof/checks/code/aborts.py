"""Callers that give up: by a signal, by a cancellation, before and while code runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

from portproof.benches.code import CodeBench
from portproof.benches.code_sessions import Ended, Session
from portproof.benches.failures import is_abort
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.running.plain import plain, told

#: What was started all the same has done something within so many seconds.
_LATE_S = 0.34


async def _aborted(bench: CodeBench, session: Session, beats: Path) -> tuple[Ended, object]:
    """Abort code that runs, and see how its execute ends."""
    controller = bench.controller()
    running = asyncio.ensure_future(session.attempt(bench.code.beat(beats), signal=controller.signal))
    await bench.settled(lambda: beats.exists() or running.done(), within=10)
    controller.abort()
    return await bench.bounded(_awaited(running), "an execute whose signal was aborted"), controller.signal


async def _awaited(running: asyncio.Future[Ended]) -> Ended:
    return await running


@check("CODE-ABORT-RAISES")
async def an_abort_ends_the_code(bench: CodeBench) -> None:
    beats = bench.note()
    async with bench.session() as session:
        ended, _ = await _aborted(bench, session, beats)
        expect(
            ended.error is not None, "an aborted execute gave a result", got=plain(ended.result and ended.result.raw)
        )
        expect(await bench.is_still(beats), "the code still runs after the abort was raised")


@check("CODE-ABORT-NOT-MISLABELLED")
async def an_abort_is_called_an_abort(bench: CodeBench) -> None:
    async with bench.session() as session:
        ended, signal = await _aborted(bench, session, bench.note())
    expect(ended.error is not None, "an aborted execute gave a result", got=plain(ended.result and ended.result.raw))
    assert ended.error is not None
    abort = isinstance(ended.error, asyncio.CancelledError) or is_abort(ended.error, signal)
    expect(abort, "an abort is reported as something else", raised=told(ended.error))


@check("CODE-ABORT-BEFORE")
async def an_aborted_signal_starts_nothing(bench: CodeBench) -> None:
    (code, ran), controller = bench.tracing(), bench.controller()
    controller.abort()
    async with bench.session() as session:
        await bench.bounded(
            session.raising(code, "its signal was aborted", signal=controller.signal),
            "an execute with an aborted signal",
        )
        started = await bench.settled(ran, within=_LATE_S if bench.sees_files else 0)
        expect(not started, "the code was run with a signal that was aborted before")


@check("CODE-CANCEL-CLEANS")
async def a_cancellation_ends_the_code(bench: CodeBench) -> None:
    beats = bench.note()
    async with bench.session() as session:
        running = asyncio.ensure_future(session.raw.execute(code=bench.code.beat(beats)))
        await bench.settled(lambda: beats.exists() or running.done(), within=10)
        running.cancel()
        done, _ = await asyncio.wait({running}, timeout=bench.deadline / 2)
        expect(done, "an execute whose task was cancelled does not end")
        expect(running.cancelled(), "the cancellation does not come out of execute", ended=repr(running))
        expect(await bench.is_still(beats), "the code still runs after its task was cancelled")


@check("CODE-START-ABORTED")
async def an_aborted_start_leaves_nothing_open(bench: CodeBench) -> None:
    async with bench.session(signal=bench.controller().signal):
        pass  # a start takes a signal
    await _start_aborted(bench, during=False)
    if bench.service is not None:
        await _start_aborted(bench, during=True)


async def _start_aborted(bench: CodeBench, *, during: bool) -> None:
    controller, service = bench.controller(), bench.service
    held = service.faults.hold("start_session") if service is not None and during else None
    if held is None:
        controller.abort()
    starting = asyncio.ensure_future(bench.runner.start(key="tenant/someone/aborted", signal=controller.signal))
    if held is not None:
        await bench.settled(lambda: starting.done() or (service is not None and service.calls))
        controller.abort()
        await asyncio.sleep(0)
        held.set()
    done, _ = await asyncio.wait({starting}, timeout=bench.deadline / 2)
    expect(done, "a start whose signal was aborted does not end")
    raised = starting.cancelled() or starting.exception() is not None
    if not raised:
        ended = await Session(starting.result()).attempt(bench.code.emit("ran"))
        await starting.result().stop()
        expect(during and ended.error is not None, "a start whose signal was aborted gave a usable session")
    if service is not None:
        closed = await bench.settled(lambda: not service.alive)
        expect(closed, "a session is left open after an aborted start", sessions=[s.id for s in service.alive])
