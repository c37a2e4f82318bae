"""The client goes: the upstream call is aborted and closed, and nothing more is written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from portproof.benches.relay.bench import MINIMAL, RelayBench
from portproof.benches.relay.in_process import AppBench, Request
from portproof.benches.relay.scripts import ANSWER, Fail, Hold, Say, Script, Settle, StopWith
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain

_MORE = Settle({"content": "a"})


async def _left(bench: AppBench) -> AsyncIterator[Request]:
    """Requests whose client goes: within the first step, within a later one, and while it takes nothing."""
    for deaf in (False, True):
        for before in ([], [Say("a")]):
            under_way = await bench.open([*before, Hold(deaf=deaf), _MORE])
            await bench.quiet()
            yield under_way
    under_way = await bench.open([Say("a"), Say("b"), Say("c"), _MORE])
    under_way.exchange.window = 1
    await bench.quiet()
    yield under_way


async def _each(bench: AppBench, then: Callable[[Request], None]) -> None:
    async for under_way in _left(bench):
        await under_way.leave()
        answer = await under_way.over()
        expect(answer.raised is None, "the application raised after a disconnect", raised=plain(answer.raised))
        then(under_way)


@check("RLY-DISCONNECT-ABORTS")
async def the_upstream_call_is_aborted_when_the_client_goes(bench: RelayBench) -> None:
    bench.needs_upstream()
    for before in ([], [Say("a")]):
        under_way = await bench.open([*before, Hold(), _MORE])
        await bench.comes_true(lambda: bench.calls)
        await under_way.lines(len(before))
        await under_way.leave()
        call = bench.call
        expect(await bench.comes_true(lambda call=call: call.is_stopped), "the upstream call goes on")  # type: ignore[misc]


@check("RLY-DISCONNECT-ORDER")
async def the_abort_comes_before_the_close(bench: AppBench) -> None:
    bench.needs_inside("the order of abort and close")

    def look(_: Request) -> None:
        closes = bench.call.closes
        expect(not closes or closes[0], "the iterator is closed before its signal is aborted")

    await _each(bench, look)
    bench.provider.closes_after_abort = True
    await _each(bench, look)


@check("RLY-DISCONNECT-CLOSES")
async def the_iterator_is_closed(bench: AppBench) -> None:
    bench.needs_inside("how the iterator is closed")
    await _each(bench, lambda _: expect_equal(bench.call.cleanups, 1, "how often the iterator cleaned up"))
    bench.provider.cleans_up_for = 0.05
    await _each(bench, lambda _: expect_equal(bench.call.cleanups, 1, "how often the iterator cleaned up to its end"))


@check("RLY-DISCONNECT-RUNNING")
async def a_step_that_ignores_its_signal_is_ended(bench: AppBench) -> None:
    bench.needs_inside("a step under way")
    under_way = await bench.open([Hold(deaf=True), _MORE])
    await bench.quiet()
    await under_way.leave()
    answer = await under_way.over()
    expect(answer.raised is None, "the application raised", raised=plain(answer.raised))
    expect_equal(bench.call.cleanups, 1, "how often the iterator cleaned up")


@check("RLY-DISCONNECT-SILENT")
async def nothing_is_sent_to_a_client_that_has_gone(bench: AppBench) -> None:
    bench.needs_inside("what is sent after a disconnect")
    async for under_way in _left(bench):
        await under_way.leave()
        await bench.quiet()
        bench.call.gate.set()
        await bench.quiet()
        expect_equal(under_way.exchange.late_sends, 0, "the number of sends after the disconnect")


@check("RLY-TASKS-RELEASED")
async def no_task_is_left(bench: AppBench) -> None:
    bench.needs_inside("tasks")
    before = asyncio.all_tasks()
    scripts: list[Script] = [ANSWER, [Say("a"), Fail()], [StopWith({"content": ""})], [Say("a")]]
    for script in scripts:
        await (await bench.open(script)).over()
        await _expect_none_left(bench, before, "an answer")
    for data, token in ((b"{", "portproof"), (b" " * bench.limit, "portproof"), (MINIMAL, "wrong")):
        await (await bench.open(ANSWER, data, token=token)).over()
        await _expect_none_left(bench, before, "a refusal")
    bench.provider.refusal = RuntimeError("cannot be constructed")
    await (await bench.open()).over()
    await _expect_none_left(bench, before, "502")
    bench.provider.refusal = None
    async for under_way in _left(bench):
        await under_way.leave()
        await under_way.over()
        await _expect_none_left(bench, before, "a disconnect")


async def _expect_none_left(bench: AppBench, before: set[asyncio.Task[object]], what: str) -> None:
    await bench.quiet()
    left = [task for task in asyncio.all_tasks() - before if not task.done()]
    expect(not left, f"tasks are left after {what}", tasks=[repr(task) for task in left])
