"""What the agent does with a session's mouse, keyboard and eyes reaches the browser as it was said."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentports.ports import (
    MOUSE_BUTTONS,
    BrowserRunner,
    BrowserShot,
    HandedOverError,
    ServiceError,
    SessionStoppedError,
    SharedBrowserSession,
)
from agentports.runners import ManagedBrowserRunner
from agentports.sim import SimulatedBrowsers, SimulatedScreen

from .conftest import Run

#: Every call by which the agent acts, as (method, positional arguments, named arguments).
INPUTS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("click", (), {"x": 1, "y": 2}),
    ("type", ("text",), {}),
    ("type", ("",), {}),
    ("press", (), {"key": "Enter"}),
]


def test_the_runner_is_one() -> None:
    """The runner has the members of the contract, and an id that stays."""
    runner = ManagedBrowserRunner(SimulatedBrowsers())
    assert isinstance(runner, BrowserRunner)
    assert runner.id == "managed-browser-runner" == ManagedBrowserRunner(SimulatedBrowsers()).id


@pytest.mark.parametrize("button", MOUSE_BUTTONS)
def test_a_click_lands_where_it_was_sent(
    run: Run, session: SharedBrowserSession, screen: SimulatedScreen, button: str
) -> None:
    """Point, button and count arrive as one event."""
    run(session.click(x=12.5, y=300, button=button, clicks=2))
    assert screen.events == [{"kind": "click", "x": 12.5, "y": 300, "button": button, "clicks": 2}]


def test_a_click_is_one_of_the_left_button_unless_said(
    run: Run, session: SharedBrowserSession, screen: SimulatedScreen
) -> None:
    """The defaults are left and one."""
    run(session.click(x=0, y=0))
    assert screen.events == [{"kind": "click", "x": 0, "y": 0, "button": "left", "clicks": 1}]


@pytest.mark.parametrize(
    "wrong",
    [
        {"button": "Left"},
        {"button": ""},
        {"clicks": 0},
        {"clicks": -1},
        {"clicks": 1.5},
        {"x": math.nan},
        {"y": math.inf},
        {"x": "7"},
    ],
)
def test_a_click_that_no_mouse_can_do_is_refused(
    run: Run, session: SharedBrowserSession, screen: SimulatedScreen, wrong: dict[str, Any]
) -> None:
    """The error names what is wrong, and nothing reaches the browser."""
    with pytest.raises(ValueError, match=next(iter(wrong))):
        run(session.click(**{"x": 1, "y": 2, **wrong}))
    assert screen.events == []


@given(text=st.text(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_field_holds_exactly_what_was_typed(
    run: Run, session: SharedBrowserSession, screen: SimulatedScreen, text: str
) -> None:
    """No character means anything but itself."""
    before = screen.field
    run(session.type(text))
    assert screen.field == before + text


def test_typing_nothing_does_nothing(run: Run, session: SharedBrowserSession, screen: SimulatedScreen) -> None:
    """The empty text succeeds without an event."""
    run(session.type(""))
    assert screen.events == []


def test_a_key_is_pressed_once_or_as_often_as_said(
    run: Run, session: SharedBrowserSession, screen: SimulatedScreen
) -> None:
    """`times` arrives; without it, one."""
    run(session.press(key="Tab"))
    run(session.press(key="+", times=3))
    assert screen.events == [{"kind": "key", "key": "Tab", "times": 1}, {"kind": "key", "key": "+", "times": 3}]


@pytest.mark.parametrize("wrong", [{"key": ""}, {"times": 0}])
def test_a_press_that_no_keyboard_can_do_is_refused(
    run: Run, session: SharedBrowserSession, screen: SimulatedScreen, wrong: dict[str, Any]
) -> None:
    """The error names what is wrong, and nothing reaches the browser."""
    with pytest.raises(ValueError, match=next(iter(wrong))):
        run(session.press(**{"key": "Enter", **wrong}))
    assert screen.events == []


def test_inputs_at_once_arrive_in_the_order_of_their_calls(
    run: Run, browsers: SimulatedBrowsers, session: SharedBrowserSession, screen: SimulatedScreen
) -> None:
    """The second waits for the first."""

    async def at_once() -> None:
        slow = browsers.faults.hold("send")
        typing = asyncio.gather(*(session.type(letter) for letter in "abc"))
        await asyncio.sleep(0)
        slow.set()
        await typing

    run(at_once())
    assert screen.field == "abc"


def test_a_screenshot_shows_the_screen_as_it_is_now(
    run: Run, session: SharedBrowserSession, screen: SimulatedScreen
) -> None:
    """Whoever changed it, the next shot differs."""
    shots: list[BrowserShot] = [run(session.screenshot())]
    run(session.type("a"))
    shots.append(run(session.screenshot()))
    screen.type("b")
    shots.append(run(session.screenshot()))
    assert len({shot.data for shot in shots}) == 3
    assert {shot.format for shot in shots} == {"png"}
    assert all(shot.data.startswith(b"\x89PNG\r\n\x1a\n") for shot in shots)


def test_the_page_stays_while_the_controls_go_to_a_person_and_back(
    run: Run, browsers: SimulatedBrowsers, session: SharedBrowserSession, screen: SimulatedScreen
) -> None:
    """The agent goes on where the person left off, in the same browser."""
    run(session.type("user "))
    run(session.hand_control_to("person"))
    screen.type("secret")
    run(session.hand_control_to("agent"))
    run(session.type("!"))
    assert (screen.field, screen.drivers) == ("user secret!", ["person", "agent"])
    assert browsers.alive == [screen]


@pytest.mark.parametrize(("method", "args", "named"), INPUTS)
def test_the_agent_may_only_look_while_a_person_drives(
    run: Run,
    session: SharedBrowserSession,
    screen: SimulatedScreen,
    method: str,
    args: tuple[Any, ...],
    named: dict[str, Any],
) -> None:
    """Input is refused and reaches nothing; a screenshot works."""
    run(session.hand_control_to("person"))
    with pytest.raises(HandedOverError, match=session.id):
        run(getattr(session, method)(*args, **named))
    assert screen.events == []
    assert run(session.screenshot()).data == screen.picture()


@pytest.mark.parametrize("driver", ["person", "agent"])
@pytest.mark.parametrize("stranger", ["Person", "", "robot", None])
def test_the_controls_go_to_nobody_else(
    run: Run, session: SharedBrowserSession, screen: SimulatedScreen, driver: str, stranger: Any
) -> None:
    """An unknown driver is refused and the one before goes on."""
    run(session.hand_control_to(driver))
    with pytest.raises(ValueError, match="driver"):
        run(session.hand_control_to(stranger))
    assert screen.drivers == [driver]


def test_the_driver_stays_when_the_service_refuses_to_change_it(
    run: Run, browsers: SimulatedBrowsers, session: SharedBrowserSession, screen: SimulatedScreen
) -> None:
    """The agent drives on after a hand-over that failed."""
    browsers.faults.fail("set_driver", "throttled")
    with pytest.raises(ServiceError, match="throttled"):
        run(session.hand_control_to("person"))
    run(session.type("a"))
    assert screen.field == "a"


def test_nothing_of_the_agent_arrives_after_the_hand_over(
    run: Run, browsers: SimulatedBrowsers, session: SharedBrowserSession, screen: SimulatedScreen
) -> None:
    """Input that was called during a hand-over is refused when the person has the controls."""

    async def racing() -> list[Any]:
        slow = browsers.faults.hold("set_driver")
        racers = asyncio.gather(session.hand_control_to("person"), session.type("late"), return_exceptions=True)
        await asyncio.sleep(0)
        slow.set()
        return list(await racers)

    handed, typed = run(racing())
    assert (handed, screen.field, screen.driver) == (None, "", "person")
    assert isinstance(typed, HandedOverError)


@pytest.mark.parametrize(
    ("method", "args", "named"), [*INPUTS, ("screenshot", (), {}), ("hand_control_to", ("agent",), {})]
)
def test_after_stop_every_call_raises_and_reaches_nothing(
    run: Run,
    browsers: SimulatedBrowsers,
    session: SharedBrowserSession,
    method: str,
    args: tuple[Any, ...],
    named: dict[str, Any],
) -> None:
    """The session does not open again."""
    run(session.stop())
    before = len(browsers.calls)
    with pytest.raises(SessionStoppedError, match=session.id):
        run(getattr(session, method)(*args, **named))
    assert len(browsers.calls) == before
