"""The simulated browser service: what it shows, records and refuses."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentports.ports import BrowserEvent, ServiceError
from agentports.sim import SimulatedBrowsers, SimulatedScreen
from agentports.sim.pictures import HEIGHT, WIDTH, draw_screen

HELLO: BrowserEvent = {"kind": "text", "text": "hello"}
CLICK: BrowserEvent = {"kind": "click", "x": 1, "y": 2, "button": "right", "clicks": 1}


@pytest.fixture
def service() -> SimulatedBrowsers:
    """A service with one browser open."""
    service = SimulatedBrowsers()
    asyncio.run(service.open("af-1"))
    return service


@pytest.fixture
def screen(service: SimulatedBrowsers) -> SimulatedScreen:
    """What that browser shows."""
    return service.alive[0]


def name_of_failure(call: Coroutine[Any, Any, Any]) -> str:
    with pytest.raises(ServiceError) as raised:
        asyncio.run(call)
    return raised.value.name


def pixels(png: bytes) -> list[bytes]:
    """The lines of the image, one byte a pixel, after a look at every chunk's checksum."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    data, at = b"", 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        assert png[at + 8 + length : at + 12 + length] == struct.pack(">I", zlib.crc32(name + body))
        data += body if name == b"IDAT" else b""
        at += 12 + length
    lines = zlib.decompress(data)
    assert len(lines) == (WIDTH + 1) * HEIGHT
    return [lines[start + 1 : start + 1 + WIDTH] for start in range(0, len(lines), WIDTH + 1)]


def test_a_click_is_a_cross_where_it_happened() -> None:
    """The mark is centred on the point, and each button has its colour."""
    lines = pixels(draw_screen("", "", [(100.7, 200, 0), (300, 50, 2)]))
    assert [lines[200][96], lines[200][95], lines[196][100], lines[50][300]] == [2, 0, 2, 4]
    assert sum(map(bool, b"".join(lines))) == 2 * 17


def test_a_click_outside_the_screen_shows_nothing() -> None:
    """Points of whatever size are no error."""
    assert draw_screen("", "", [(-50, -1e300, 0), (10**400, 1e300, 1)]) == draw_screen("", "", [])


@given(one=st.text(max_size=30), other=st.text(max_size=30))
def test_different_texts_look_different(one: str, other: str) -> None:
    """Every character has a shape of its own; line ends and trailing null characters alone leave no ink."""
    visible = [text.rstrip("\n\0") for text in (one, other)]
    assert (draw_screen("", one, []) == draw_screen("", other, [])) <= (visible[0] == visible[1])


def test_a_long_text_shows_its_end() -> None:
    """As a terminal does."""
    assert draw_screen("", "head\n" + "x\n" * 30, []) == draw_screen("", "other head\n" + "x\n" * 30, [])


def test_the_screen_looks_different_after_anything_that_happened(
    service: SimulatedBrowsers, screen: SimulatedScreen
) -> None:
    """Even where nothing of it can be seen in the page."""
    shots = [screen.picture()]
    events: list[BrowserEvent] = [{"kind": "key", "key": "Shift", "times": 1}, {**CLICK, "x": -5}, CLICK, CLICK]
    for event in events:
        asyncio.run(service.send(screen.handle, event))
        shots.append(screen.picture())
    asyncio.run(service.set_driver(screen.handle, "person"))
    shots.append(screen.picture())
    screen.visit("https://elsewhere.example")
    shots.append(screen.picture())
    assert len(set(shots)) == len(shots)
    assert screen.picture() == shots[-1]


def test_text_and_keys_enter_the_field(service: SimulatedBrowsers, screen: SimulatedScreen) -> None:
    """A key of one character and `Enter` enter what they would in a text area; others enter nothing."""
    events: list[BrowserEvent] = [
        HELLO,
        {"kind": "key", "key": "Enter", "times": 2},
        {"kind": "key", "key": "ü", "times": 1},
        {"kind": "key", "key": "Tab", "times": 1},
    ]
    for event in events:
        asyncio.run(service.send(screen.handle, event))
    assert screen.field == "hello\n\nü"
    assert screen.events == events


def test_a_person_acts_without_the_service(service: SimulatedBrowsers, screen: SimulatedScreen) -> None:
    """The page changes, and what the agent sent is recorded apart."""
    screen.visit("https://login.example")
    screen.type("secret")
    screen.click(3, 4)
    assert (screen.address, screen.field, screen.events) == ("https://login.example", "secret", [])
    assert asyncio.run(service.capture(screen.handle)) == {"data": screen.picture(), "format": "png"}


def test_input_is_taken_while_a_person_drives(service: SimulatedBrowsers, screen: SimulatedScreen) -> None:
    """To refuse it is the runner's part, and the record shows whether it did."""
    asyncio.run(service.set_driver(screen.handle, "person"))
    asyncio.run(service.send(screen.handle, HELLO))
    assert (screen.driver, screen.drivers, screen.events) == ("person", ["person"], [HELLO])


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "scroll"},
        {"kind": "text"},
        {"kind": "key", "key": "Enter", "times": 0},
        {"kind": "key", "key": "", "times": 1},
        {**CLICK, "button": "thumb"},
        {**CLICK, "x": float("nan")},
        {**CLICK, "clicks": 0},
    ],
)
def test_an_event_that_there_is_not_is_refused(
    service: SimulatedBrowsers, screen: SimulatedScreen, event: BrowserEvent
) -> None:
    """Nothing happens and nothing is recorded as input."""
    assert name_of_failure(service.send(screen.handle, event)) == "invalid_request"
    assert (screen.events, screen.field) == ([], "")


def test_an_event_is_recorded_as_it_arrived(service: SimulatedBrowsers, screen: SimulatedScreen) -> None:
    """What the sender does with its dictionary later changes nothing."""
    event: BrowserEvent = {"kind": "text", "text": "a"}
    asyncio.run(service.send(screen.handle, event))
    event["text"] = "b"
    assert screen.events == [{"kind": "text", "text": "a"}]


def test_a_driver_that_there_is_not_is_refused(service: SimulatedBrowsers, screen: SimulatedScreen) -> None:
    """The one before goes on."""
    robot: Any = "robot"
    assert name_of_failure(service.set_driver(screen.handle, robot)) == "invalid_request"
    assert screen.driver == "agent"


@pytest.mark.parametrize("ended", ["closed", "reaped", "never opened"])
def test_a_handle_that_is_dead_is_not_found(service: SimulatedBrowsers, screen: SimulatedScreen, ended: str) -> None:
    """Whatever is asked of it, a second close too."""
    if ended == "closed":
        asyncio.run(service.close(screen.handle))
    screen.alive = False
    handle = "nobody's" if ended == "never opened" else screen.handle
    calls = [
        service.send(handle, HELLO),
        service.capture(handle),
        service.set_driver(handle, "agent"),
        service.close(handle),
    ]
    assert {name_of_failure(call) for call in calls} == {"not_found"}
    assert service.alive == []


def test_operations_fail_and_wait_as_they_are_told(service: SimulatedBrowsers, screen: SimulatedScreen) -> None:
    """Every call is recorded with its end."""
    service.faults.fail("open", "throttled")
    service.faults.fail_always("close", "internal")
    assert name_of_failure(service.open("af-2")) == "throttled"
    assert name_of_failure(service.close(screen.handle)) == "internal"

    async def give_up() -> None:
        service.faults.hold("open")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(service.open("af-3"), 0.01)

    asyncio.run(give_up())
    assert [(call.operation, call.outcome) for call in service.calls] == [
        ("open", "served"),
        ("open", "throttled"),
        ("close", "internal"),
        ("open", "cancelled"),
    ]
    assert service.alive == [screen]
