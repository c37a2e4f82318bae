"""The caller stops: by the request's signal, or by cancelling the task."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from itertools import product
from typing import Any

from hypothesis import strategies as st

from agentports.ports import AbortController
from agentports.sim import Answer, Hang, Play, RecordedRequest, Reply, Turn, wire_named
from portproof.benches.failures import is_abort
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal

_HELD = ("before the headers", "after the headers")
_REASONS = {"no reason": None, "a text": "the user pressed stop", "an exception": ValueError("the user left")}


@check("PRV-ABORT-BEFORE-CALL", any_answer=True)
async def an_aborted_request_is_not_sent(bench: ProviderBench) -> None:
    controller = bench.controller()
    controller.abort()
    for way in bench.ways:
        await _expect_abort(bench, way, controller)
    if bench.subject.talks:
        expect_equal(len(bench.requests), 0, "the number of requests that were sent")


@check("PRV-ABORT-DURING-CALL")
async def an_abort_ends_the_call_and_its_connection(bench: ProviderBench) -> None:
    for held in _HELD:
        bench.forget()
        controller = bench.controller()
        async with _under_way(bench, held, bench.attempt("complete", bench.request(signal=controller.signal))) as call:
            controller.abort()
            error = (await _result_after_abort(bench, call)).error
        expect(error is not None, f"complete answered although its signal was aborted {held}")
        expect(is_abort(error, controller.signal), f"an abort {held} surfaces as something else", raised=error)
        await _expect_disconnect(bench, f"an abort {held}")


@check("PRV-ABORT-IS-AN-ABORT", reason=st.sampled_from(list(_REASONS)))
async def an_abort_is_recognisable_and_has_no_status(bench: ProviderBench, reason: str) -> None:
    for way in bench.ways:
        controller = bench.controller()
        controller.abort(_REASONS[reason])
        await _expect_abort(bench, way, controller)
        if not bench.subject.synchronous:
            await _expect_abort_on_the_way(bench, way, _REASONS[reason])


@check("PRV-CANCEL-PROPAGATES")
async def a_cancelled_task_ends_cancelled_and_lets_go(bench: ProviderBench) -> None:
    for way, held in product(bench.ways, _HELD):
        bench.forget()
        async with _under_way(bench, held, bench.attempt(way)) as call:
            call.cancel()
            await _end_of(bench, call, f"its task was cancelled {held}")
        expect(call.cancelled(), f"{way}, cancelled {held}, did not let the cancellation out", got=_outcome(call))
        await _expect_disconnect(bench, f"a cancellation of {way} {held}")


async def _expect_abort(bench: ProviderBench, way: Way, controller: AbortController) -> None:
    error = await bench.error(way, bench.request(signal=controller.signal))
    expect(is_abort(error, controller.signal), f"what {way} raises is not recognisable as an abort", raised=error)
    expect(view(error, "status") is None, f"the abort has a status ({way})", raised=error)


async def _expect_abort_on_the_way(bench: ProviderBench, way: Way, reason: Any) -> None:
    controller = bench.controller()
    bench.forget()
    call = _expect_abort(bench, way, controller)
    async with _under_way(bench, "after the headers", call) as checked:
        controller.abort(reason)
        await _result_after_abort(bench, checked)


@asynccontextmanager
async def _under_way(
    bench: ProviderBench, held: str, call: Coroutine[Any, Any, Any]
) -> AsyncIterator[asyncio.Task[Any]]:
    """The call, once its request has arrived, while the vendor holds the rest of its answer back."""
    bench.upstream.decide(lambda request: _held_answer(bench, request, held))
    task = asyncio.create_task(call)
    try:
        await bench.settled(lambda: bench.requests or task.done(), within=bench.deadline / 2)
        await asyncio.sleep(0.002)
        yield task
    finally:
        task.cancel()
        await asyncio.wait({task}, timeout=0.1)


def _held_answer(bench: ProviderBench, request: RecordedRequest, held: str) -> Answer:
    if held == "before the headers":
        return Reply(head=False, steps=(Hang(),))
    if wire_named(bench.dialect.name).streams(request):
        return Play(Turn.of("one two three four"), edit=lambda events: [*events[:3], Hang()])
    return Reply(steps=(b"{", Hang()))


async def _end_of(bench: ProviderBench, call: asyncio.Task[Any], since: str) -> None:
    await asyncio.wait({call}, timeout=bench.deadline / 2)
    if not call.done():
        raise Violation(f"the call goes on although {since}")


async def _result_after_abort(bench: ProviderBench, call: asyncio.Task[Any]) -> Any:
    await _end_of(bench, call, "the signal was aborted")
    expect(not call.cancelled(), "the abort surfaces as CancelledError, which belongs to cancelled tasks")
    return call.result()


async def _expect_disconnect(bench: ProviderBench, after: str) -> None:
    if bench.dialect.sees_disconnects:
        ending = await bench.upstream.ending(within=bench.deadline / 2)
        expect_equal(ending, "client-closed", f"the end of the connection after {after}")


def _outcome(call: asyncio.Task[Any]) -> Any:
    attempt = None if call.cancelled() else call.result()
    return attempt and (attempt.error or (attempt.response and attempt.response.raw))
