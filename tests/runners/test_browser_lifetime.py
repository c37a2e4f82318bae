"""Managed browsers from start to stop: each its own, none left open."""

from __future__ import annotations

import asyncio

import pytest

from agentports.ports import AbortController, AbortError, BrowserSession, ServiceError, SharedBrowserSession
from agentports.runners import ManagedBrowserRunner
from agentports.sim import SimulatedBrowsers, SimulatedScreen

from .conftest import Run

KEYS = ["t=a/p=b/r=1", "T=A/P=B/R=1", "t=a-p=b-r=1", "t=a/p=b/r=1 ", "é", "e\u0301", "k" * 300, "k" * 301, "\ud800"]


def test_sessions_of_whatever_keys_share_nothing(run: Run, browsers: SimulatedBrowsers) -> None:
    """Two keys, however alike, have two browsers, ids and addresses, and so have two starts under one key."""
    runner = ManagedBrowserRunner(browsers)
    sessions: list[BrowserSession] = [run(runner.start(key=key)) for key in [*KEYS, KEYS[0]]]
    assert len({session.id for session in sessions}) == len(sessions) == len(browsers.alive)
    assert len({session.automation_endpoint for session in sessions}) == len(sessions)
    for number, session in enumerate(sessions):
        run(session.type(str(number)))
    assert [screen.field for screen in browsers.alive] == [str(number) for number in range(len(sessions))]


def test_stopping_one_session_leaves_the_others(run: Run, browsers: SimulatedBrowsers) -> None:
    """Only its own browser ends."""
    runner = ManagedBrowserRunner(browsers)
    one, other = run(runner.start(key="a")), run(runner.start(key="a"))
    run(one.stop())
    run(other.type("still here"))
    assert [screen.field for screen in browsers.alive] == ["still here"]


def test_the_service_is_told_a_digest_of_the_key(run: Run, browsers: SimulatedBrowsers) -> None:
    """Neither tenant nor user are in the label, and equal keys have equal labels."""
    runner = ManagedBrowserRunner(browsers)
    for key in ("t=acme/p=ann", "k", "k"):
        run(runner.start(key=key))
    tenant, *equal = [call.arguments["label"] for call in browsers.calls]
    assert tenant == "af-1cf6825aefc9"
    assert equal[0] == equal[1] != tenant


@pytest.mark.parametrize("offered", [True, False])
def test_an_address_that_the_service_does_not_offer_is_none(run: Run, offered: bool) -> None:
    """Both addresses are URLs, or absent."""
    session: BrowserSession = run(ManagedBrowserRunner(SimulatedBrowsers(endpoints=offered)).start(key="k"))
    addresses = [session.automation_endpoint, session.live_view_endpoint]
    assert [address is not None and "://" in address for address in addresses] == [offered, offered]


def test_an_empty_address_is_none(run: Run, browsers: SimulatedBrowsers) -> None:
    """A service that says it with an empty text offers nothing either."""
    browsers.answer_open({"handle": "h", "automation_endpoint": "", "live_view_endpoint": None})
    session: BrowserSession = run(ManagedBrowserRunner(browsers).start(key="k"))
    assert session.automation_endpoint is session.live_view_endpoint is None


def test_a_browser_without_a_handle_is_an_error(run: Run, browsers: SimulatedBrowsers) -> None:
    """What could be neither used nor stopped is not handed out."""
    browsers.answer_open({"automation_endpoint": "ws://browsers.example/1"})
    with pytest.raises(RuntimeError, match="no handle"):
        run(ManagedBrowserRunner(browsers).start(key="k"))


def test_what_the_service_refuses_is_raised_under_its_name(run: Run, browsers: SimulatedBrowsers) -> None:
    """A throttled start raises."""
    browsers.faults.fail("open", "throttled")
    with pytest.raises(ServiceError, match="throttled"):
        run(ManagedBrowserRunner(browsers).start(key="k"))


def test_an_aborted_start_opens_nothing(run: Run, browsers: SimulatedBrowsers) -> None:
    """The service is not asked."""
    controller = AbortController()
    controller.abort()
    with pytest.raises(AbortError):
        run(ManagedBrowserRunner(browsers).start(key="k", signal=controller.signal))
    assert browsers.calls == []


@pytest.mark.parametrize("how", ["abort", "cancel"])
@pytest.mark.parametrize("answer", ["opened", "refused"])
def test_a_caller_who_gives_up_during_start_leaves_nothing_open(
    run: Run, browsers: SimulatedBrowsers, how: str, answer: str
) -> None:
    """A browser that opens all the same is closed before the abort or the cancellation is raised."""
    controller = AbortController()

    async def give_up() -> None:
        slow = browsers.faults.hold("open")
        if answer == "refused":
            browsers.faults.fail("open", "throttled")
        starting = asyncio.ensure_future(ManagedBrowserRunner(browsers).start(key="k", signal=controller.signal))
        await asyncio.sleep(0)
        starting.cancel() if how == "cancel" else controller.abort(AbortError("no more"))
        slow.set()
        await starting

    refused = how == "abort" and answer == "refused"
    expected = asyncio.CancelledError if how == "cancel" else ServiceError if refused else AbortError
    with pytest.raises(expected):
        run(give_up())
    assert browsers.alive == []
    assert len(browsers.screens) == (answer == "opened")


def test_a_second_cancellation_ends_even_an_opening_that_hangs(run: Run, browsers: SimulatedBrowsers) -> None:
    """Nobody has to wait for a service that never answers."""

    async def give_up_twice() -> None:
        browsers.faults.hold("open")
        starting = asyncio.ensure_future(ManagedBrowserRunner(browsers).start(key="k"))
        for _ in range(2):
            await asyncio.sleep(0)
            starting.cancel()
        await asyncio.wait_for(starting, 5)

    with pytest.raises(asyncio.CancelledError):
        run(give_up_twice())
    assert browsers.calls[0].outcome == "cancelled"


def test_stop_may_be_called_again_and_at_once(
    run: Run, browsers: SimulatedBrowsers, session: SharedBrowserSession
) -> None:
    """The browser is closed once."""

    async def stop_often() -> None:
        slow = browsers.faults.hold("close")
        stopping = asyncio.gather(session.stop(), session.stop(), session.stop())
        await asyncio.sleep(0)
        slow.set()
        await stopping
        await session.stop()

    run(stop_often())
    assert [call.operation for call in browsers.calls] == ["open", "close"]


@pytest.mark.parametrize("error", ["not_found", "already_terminated"])
def test_stopping_a_browser_that_is_gone_is_success(
    run: Run, browsers: SimulatedBrowsers, session: SharedBrowserSession, error: str
) -> None:
    """Idle time-outs of the service are normal."""
    browsers.faults.fail_always("close", error)
    run(session.stop())


def test_a_reaped_browser_says_so_and_stops(run: Run, session: SharedBrowserSession, screen: SimulatedScreen) -> None:
    """Input raises what the service says; stop does not."""
    screen.alive = False
    with pytest.raises(ServiceError, match="not_found"):
        run(session.type("a"))
    run(session.stop())


def test_a_stop_that_failed_is_told_and_may_be_tried_again(
    run: Run, browsers: SimulatedBrowsers, session: SharedBrowserSession, screen: SimulatedScreen
) -> None:
    """The browser may still be alive, so each try that fails raises."""
    browsers.faults.fail("close", "internal", "access_denied")
    for name in ("internal", "access_denied"):
        with pytest.raises(ServiceError, match=name):
            run(session.stop())
    assert screen.alive
    run(session.stop())
    assert not screen.alive


def test_stop_does_not_wait_for_input_that_hangs(
    run: Run, browsers: SimulatedBrowsers, session: SharedBrowserSession, screen: SimulatedScreen
) -> None:
    """The browser ends at once; the input then meets its end."""

    async def stop_while_typing() -> None:
        slow = browsers.faults.hold("send")
        typing = asyncio.ensure_future(session.type("late"))
        await asyncio.sleep(0)
        await asyncio.wait_for(session.stop(), 5)
        slow.set()
        await typing

    with pytest.raises(ServiceError, match="not_found"):
        run(stop_while_typing())
    assert (screen.alive, screen.field) == (False, "")
