"""The end of a session: once, for good, and honest about what went wrong."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import strategies as st

from portproof.benches.browser import BrowserBench, Session
from portproof.benches.leftovers import expect_nothing_left
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal


@check("BRW-STOP-IDEMPOTENT", at_most=2, times=st.integers(2, 5))
async def stop_may_be_called_again(bench: BrowserBench, times: int) -> None:
    async with bench.session() as session:
        if bench.simulated:
            await session.screen()
        held = bench.service.faults.hold("close") if bench.simulated else None
        stopping = asyncio.gather(*(session.do("stop") for _ in range(times)))
        await asyncio.sleep(0.01)  # so that all of them are under way
        if held is not None:
            held.set()
        await stopping
        for _ in range(times):
            await session.do("stop")


@check("BRW-STOP-ALREADY-GONE")
async def a_browser_that_is_gone_is_stopped(bench: BrowserBench) -> None:
    async with bench.session() as reaped, bench.session() as terminated:
        (await reaped.screen()).alive = False
        await reaped.do("stop")
        (await terminated.screen()).alive = False
        bench.service.faults.fail_always("close", "already_terminated")
        await terminated.do("stop")


@check("BRW-STOP-OTHER-ERRORS", name=st.sampled_from(["access_denied", "internal"]))
async def a_stop_that_failed_says_so(bench: BrowserBench, name: Any) -> None:
    async with bench.session() as session:
        await session.screen()
        bench.service.faults.fail_always("close", name)
        await session.refuses(f"the service answered {name}, and the browser is alive", "stop")


@check("BRW-AFTER-STOP")
async def a_stopped_session_is_of_no_use(bench: BrowserBench) -> None:
    async with bench.session() as fresh:
        await fresh.do("stop")
        await _expect_useless(bench, fresh)
    if bench.simulated:
        async with bench.session() as used:
            screen = await used.screen()
            await used.do("stop")
            expect(not screen.alive, "the browser is open after the stop")
            await _expect_useless(bench, used)
    await bench.look_behind(lambda: _use(bench), "the check of BRW-AFTER-STOP")
    expect_nothing_left(bench.subject)


async def _use(bench: BrowserBench) -> None:
    async with bench.session() as session:
        await session.do("screenshot")


async def _expect_useless(bench: BrowserBench, session: Session) -> None:
    await bench.settled(lambda: not bench.opening)
    alive, calls = bench.alive, len(bench.service.calls) if bench.simulated else 0
    for method, given, stated in _USES if bench.hands_over else _USES[:-2]:
        await session.refuses("the session was stopped", method, *given, **stated)
    if bench.simulated:
        served = [call.operation for call in bench.service.calls[calls:] if call.outcome == "served"]
        reached = [operation for operation in served if operation in ("send", "capture", "set_driver")]
        expect_equal(reached, [], "what reached a browser after the stop")
        expect_equal(bench.alive, alive, "browsers that are open after the stopped session was used")


_USES: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("click", (), {"x": 1, "y": 2}),
    ("type", ("text",), {}),
    ("press", (), {"key": "Enter"}),
    ("screenshot", (), {}),
    ("hand_control_to", ("person",), {}),
    ("hand_control_to", ("agent",), {}),
)
