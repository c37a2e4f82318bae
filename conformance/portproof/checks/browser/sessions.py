"""Sessions: what they are called, whose they are, where they are reached."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from hypothesis import strategies as st

from agentports.ports import AbortController
from agentports.sim import SimulatedBrowsers
from portproof.benches.browser import BrowserBench
from portproof.benches.real_time import raised_by
from portproof.benches.views import view
from portproof.checks.code.isolation import LOOK_ALIKE_KEYS
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.strategies import markers

#: A scheme and what follows it; `localhost:9222` is a host and a port.
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d+(/|$)).+")


@check("BRW-ID")
async def the_runner_has_one_id(bench: BrowserBench) -> None:
    seen = [view(bench.built, "id")]
    async with bench.session():
        seen.append(view(bench.built, "id"))
    seen.append(view(bench.built, "id"))
    expect(isinstance(seen[0], str) and seen[0], "the id is no text, or an empty one", id=seen[0])
    expect_equal(seen, seen[:1] * 3, "id before, during and after a session")


@check("BRW-SESSION-ID", at_most=1, keys=st.lists(markers(), min_size=2, max_size=3, unique=True))
async def live_sessions_have_ids_of_their_own(bench: BrowserBench, keys: list[str]) -> None:
    async with AsyncExitStack() as opened:
        ids = [view((await opened.enter_async_context(bench.session(key))).raw, "id") for key in keys]
    expect(all(isinstance(i, str) and i for i in ids), "a session's id is no text, or an empty one", ids=ids)
    expect_equal(len(set(ids)), len(ids), "different ids of live sessions", ids=ids)


@check("BRW-KEY-NOT-WIDENED", keys=st.sampled_from(LOOK_ALIKE_KEYS))
async def keys_that_look_alike_are_different(bench: BrowserBench, keys: tuple[str, str]) -> None:
    async with bench.session(keys[0]) as one, bench.session(keys[1]) as other:
        handles = [(await session.screen()).handle for session in (one, other)]
    expect(handles[0] != handles[1], "sessions under different keys share a browser", handles=handles)


@check("BRW-SESSIONS-INDEPENDENT", texts=st.lists(markers(), min_size=2, max_size=2, unique=True))
async def sessions_do_not_touch_each_other(bench: BrowserBench, texts: list[str]) -> None:
    async with bench.session() as one, bench.session() as other:
        screens = [await one.screen(), await other.screen()]
        expect(screens[0] is not screens[1], "screenshots of two sessions show one browser")
        for session, text in ((one, texts[0]), (other, texts[1])):
            await session.do("type", text)
        expect_equal([screen.field for screen in screens], texts, "what the two pages hold")
        await one.do("stop")
        expect(await other.screen() is screens[1], "after the stop of another session a different browser is shown")
        await other.do("type", texts[0])
        expect_equal(screens[1].field, texts[1] + texts[0], "what the page of the session that goes on holds")


@check("BRW-START-ABORTED")
async def an_aborted_start_leaves_nothing_open(bench: BrowserBench) -> None:
    async with bench.session(signal=AbortController().signal) as session:
        if bench.simulated:
            await session.screen()  # so that browsers which a runner keeps in store are open already
    await bench.settled(lambda: not bench.opening)
    before = bench.alive
    for start in (_aborted_before, _aborted_meanwhile) if bench.simulated else (_aborted_before,):
        await _expect_aborted(bench, start)
        closed = await bench.settled(lambda: not bench.opening and bench.alive <= before)
        expect(closed, "a browser is left open after an aborted start", start=start.__name__.strip("_"))


async def _expect_aborted(bench: BrowserBench, start: Callable[[BrowserBench], Awaitable[Any]]) -> None:
    session = await start(bench)
    if session is not None:
        await raised_by(session.stop)
        raise Violation("a start whose signal was aborted gave a session", start=start.__name__.strip("_"))


async def _aborted_before(bench: BrowserBench) -> Any:
    controller = AbortController()
    controller.abort()
    return await _session_of(bench, asyncio.ensure_future(_start(bench, controller)))


async def _aborted_meanwhile(bench: BrowserBench) -> Any:
    controller, held = AbortController(), bench.service.faults.hold("open")
    starting = asyncio.ensure_future(_start(bench, controller))
    await bench.settled(lambda: starting.done() or bench.opening, within=1.0)
    begun = starting.done()
    controller.abort()
    held.set()
    session = await _session_of(bench, starting)
    if begun and session is not None:  # it opens its browser later, so there was nothing to abort
        await raised_by(session.stop)
        return None
    return session


async def _start(bench: BrowserBench, controller: AbortController) -> Any:
    return await bench.built.start(key="tenant/someone/aborted", signal=controller.signal)


async def _session_of(bench: BrowserBench, starting: asyncio.Future[Any]) -> Any:
    """The session that comes of a start, None when it raises."""
    error = await bench.ended(starting, "a start whose signal was aborted")
    return starting.result() if error is None else None


@check("BRW-ENDPOINTS-ABSENT")
async def endpoints_are_addresses_or_absent(bench: BrowserBench) -> None:
    await _expect_addresses_or_none(bench)
    if bench.simulated:
        await bench.use(SimulatedBrowsers(endpoints=False))
        await _expect_addresses_or_none(bench)


async def _expect_addresses_or_none(bench: BrowserBench) -> None:
    async with bench.session() as session:
        for used in (False, True):
            if used:
                await session.do("screenshot")
            for name in ("automation_endpoint", "live_view_endpoint"):
                address = view(session.raw, name)
                valid = address is None or (isinstance(address, str) and _URL.match(address))
                expect(valid, f"{name} is neither absent nor the URL of something", value=address)


@check("BRW-ENDPOINT-PER-SESSION")
async def live_sessions_are_reached_at_different_addresses(bench: BrowserBench) -> None:
    async with bench.session() as one, bench.session() as other:
        addresses: list[Any] = [view(session.raw, "automation_endpoint") for session in (one, other)]
    expect(not all(addresses) or addresses[0] != addresses[1], "two live sessions state one address", address=addresses)
