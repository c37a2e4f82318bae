"""Correct browser runners do what the contract says, each in its own way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from agentports.ports import AbortController
from agentports.runners import ManagedBrowserRunner
from agentports.sim import SimulatedBrowsers, SimulatedScreen
from portproof.catalogue import invariants_of
from portproof.errors import UsageProblem
from portproof.ports.loading import look_at
from portproof.running.outcome import CheckResult
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .browsers import CORRECT
from .unusual_browsers import UNUSUAL, InMemory

SUBJECTS: dict[str, Any] = {"the reference": ManagedBrowserRunner, **CORRECT}
RULES = [rule.id for rule in invariants_of("browser-runner")]
Story = Callable[[Any, SimulatedBrowsers], Awaitable[None]]


@asynccontextmanager
async def built(factory: Any, browsers: SimulatedBrowsers) -> AsyncIterator[Any]:
    """The runner of a factory, which may be a context manager."""
    async with AsyncExitStack() as stack:
        runner = factory(backend=browsers)
        yield await stack.enter_async_context(runner) if hasattr(runner, "__aenter__") else runner


async def opened(runner: Any, browsers: SimulatedBrowsers, key: str) -> tuple[Any, SimulatedScreen]:
    """A session that has been used, so that its browser is open, and what it shows."""
    before = set(browsers.screens)
    session = await runner.start(key=key)
    await session.screenshot()
    [handle] = set(browsers.screens) - before
    return session, browsers.screens[handle]


@pytest.fixture(params=[*SUBJECTS])
def tell(request: pytest.FixtureRequest) -> Callable[[Story], SimulatedBrowsers]:
    """Play a story with one of the runners; give the service as it is afterwards."""

    def tell_of(story: Story) -> SimulatedBrowsers:
        browsers = SimulatedBrowsers()

        async def whole() -> None:
            async with built(SUBJECTS[request.param], browsers) as runner:
                await story(runner, browsers)

        asyncio.run(whole())
        return browsers

    return tell_of


def test_input_reaches_the_browser_that_it_is_meant_for(tell: Callable[[Story], SimulatedBrowsers]) -> None:
    """Text as it is, clicks and keys as often as said, however many events that takes."""

    async def story(runner: Any, browsers: SimulatedBrowsers) -> None:
        one, shown = await opened(runner, browsers, "a")
        other, elsewhere = await opened(runner, browsers, "A")
        await one.type("a+b{\n}")
        await one.type("")
        await other.type("other")
        assert (shown.field, elsewhere.field) == ("a+b{\n}", "other")
        await one.click(x=3, y=4, button="right", clicks=2)
        await one.press(key="Tab", times=3)
        assert sum(event["clicks"] for event in shown.events if event["kind"] == "click") == 2
        assert sum(event["times"] for event in shown.events if event["kind"] == "key" and event["key"] == "Tab") == 3

    tell(story)


def test_what_no_mouse_can_do_is_refused(tell: Callable[[Story], SimulatedBrowsers]) -> None:
    """With an exception, and without an event."""

    async def story(runner: Any, browsers: SimulatedBrowsers) -> None:
        session, shown = await opened(runner, browsers, "a")
        for wrong in ({"button": "thumb"}, {"clicks": 0}, {"x": float("inf")}):
            with pytest.raises(Exception, match=r".+"):
                await session.click(**{"x": 1, "y": 2, **wrong})
        assert shown.events == []

    tell(story)


def test_a_person_may_take_over_where_that_is_offered(tell: Callable[[Story], SimulatedBrowsers]) -> None:
    """The agent's input is refused until the controls are back; the page stays."""

    async def story(runner: Any, browsers: SimulatedBrowsers) -> None:
        session, shown = await opened(runner, browsers, "a")
        if not hasattr(session, "hand_control_to"):
            return
        await session.hand_control_to("person")
        with pytest.raises(Exception, match=r".+"):
            await session.type("agent")
        shown.type("person")
        await session.screenshot()
        with pytest.raises(Exception, match="robot"):
            await session.hand_control_to("robot")
        await session.hand_control_to("agent")
        await session.type("!")
        assert (shown.field, shown.drivers) == ("person!", ["person", "agent"])

    tell(story)


def test_a_stopped_session_stays_stopped(tell: Callable[[Story], SimulatedBrowsers]) -> None:
    """Stopping again is fine, using it is not."""

    async def story(runner: Any, browsers: SimulatedBrowsers) -> None:
        session, _ = await opened(runner, browsers, "a")
        await asyncio.gather(session.stop(), session.stop())
        await session.stop()
        for used in (session.type("a"), session.press(key="a"), session.click(x=1, y=2), session.screenshot()):
            with pytest.raises(Exception, match=r".+"):
                await used

    assert tell(story).alive == []


def test_a_stop_that_fails_says_so(tell: Callable[[Story], SimulatedBrowsers]) -> None:
    """Unless the browser is gone already."""

    async def story(runner: Any, browsers: SimulatedBrowsers) -> None:
        reaped, shown = await opened(runner, browsers, "a")
        shown.alive = False
        await reaped.stop()
        session, _ = await opened(runner, browsers, "b")
        browsers.faults.fail("close", "access_denied")
        with pytest.raises(Exception, match=r".+"):
            await session.stop()

    tell(story)


def test_an_aborted_start_leaves_nothing_open(tell: Callable[[Story], SimulatedBrowsers]) -> None:
    """Whether the abort came before or, where a start waits for its browser, meanwhile."""

    async def story(runner: Any, browsers: SimulatedBrowsers) -> None:
        controller, slow = AbortController(), browsers.faults.hold("open")
        starting = asyncio.ensure_future(runner.start(key="a", signal=controller.signal))
        await asyncio.sleep(0.01)
        returned = starting.done()
        controller.abort()
        slow.set()
        if not returned:
            assert isinstance((await asyncio.gather(starting, return_exceptions=True))[0], BaseException)
        late = asyncio.ensure_future(runner.start(key="b", signal=controller.signal))
        assert isinstance((await asyncio.gather(late, return_exceptions=True))[0], BaseException)

    assert tell(story).alive == []


def results(name: str, factory: Any) -> dict[str, CheckResult]:
    """What every rule says of a subject whose port was not stated."""
    subject = look_at(name, factory, None, None, {})
    assert subject.port == "browser-runner"
    return {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in invariants_of(subject.port)}


@pytest.mark.parametrize("name", [*SUBJECTS, *UNUSUAL])
def test_a_correct_runner_on_the_simulated_browser_passes_every_rule(name: str) -> None:
    """But for those on a member that it does not have."""
    found = results(name, {**SUBJECTS, **UNUSUAL}[name])
    left = {rule for rule, result in found.items() if result.outcome != "passed"}
    assert {result.outcome for rule, result in found.items() if rule in left} <= {"not_applicable"}
    optional = {"BRW-ENDPOINT-PER-SESSION", *(rule for rule in RULES if rule.startswith("BRW-HANDOVER"))}
    assert left <= (optional if name in ("thin", "at first use", "converting") else set())


def test_what_is_not_seen_does_not_apply_to_a_runner_on_no_service() -> None:
    """The rest is shown, and holds."""
    found = results("in memory", InMemory)
    assert {result.outcome for result in found.values()} == {"passed", "not_applicable"}
    shown = {rule for rule, result in found.items() if result.outcome == "passed"}
    assert shown == {
        *("BRW-ID", "BRW-SESSION-ID", "BRW-START-ABORTED", "BRW-ENDPOINTS-ABSENT", "BRW-TYPE-EMPTY"),
        *("BRW-SHOT-FORMAT", "BRW-STOP-IDEMPOTENT", "BRW-AFTER-STOP"),
    }


def test_a_backend_of_the_users_own_is_not_taken_for_the_simulated_one() -> None:
    """Only what holds for any runner is asked, and the runner gets what was given."""
    subject = look_at("own", ManagedBrowserRunner, None, None, {"backend": SimulatedBrowsers()})
    outcomes = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0).outcome for rule in invariants_of(subject.port)}
    assert outcomes["BRW-HANDOVER-ABSENT"] == "passed"
    assert outcomes["BRW-CLICK"] == "not_applicable"
    assert set(outcomes.values()) == {"passed", "not_applicable"}


def test_sessions_without_a_required_member_are_a_usage_error() -> None:
    """The message names the member."""

    class Keyless(InMemory):
        async def start(self, *, key: str, signal: Any = None) -> Any:
            return SimpleNamespace(click=print, type=print, screenshot=print, stop=print)

    with pytest.raises(UsageProblem, match=r"it has no method press\. It has click"):
        look_at("keyless", Keyless, None, None, {})
