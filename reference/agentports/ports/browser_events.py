"""What is done to a browser: events at operating-system level, and who may cause them (document 21, section 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal, TypedDict, get_args

__all__ = [
    "BROWSER_DRIVERS",
    "MOUSE_BUTTONS",
    "BrowserDriver",
    "BrowserEvent",
    "ClickEvent",
    "KeyEvent",
    "MouseButton",
    "TextEvent",
    "check_browser_driver",
    "check_browser_event",
]

BrowserDriver = Literal["agent", "person"]
MouseButton = Literal["left", "middle", "right"]

#: Who may have the controls of a session.
BROWSER_DRIVERS: Final[tuple[BrowserDriver, ...]] = get_args(BrowserDriver)
#: What a mouse has.
MOUSE_BUTTONS: Final[tuple[MouseButton, ...]] = get_args(MouseButton)


class ClickEvent(TypedDict):
    """A button goes down and up at a point of the screen, `clicks` times in a row."""

    kind: Literal["click"]
    x: float
    y: float
    button: str
    clicks: int


class TextEvent(TypedDict):
    """Text is entered where the caret is."""

    kind: Literal["text"]
    text: str


class KeyEvent(TypedDict):
    """A key goes down and up, `times` times."""

    kind: Literal["key"]
    key: str
    times: int


BrowserEvent = ClickEvent | TextEvent | KeyEvent


def check_browser_event(event: Mapping[str, object]) -> None:
    """Raise `ValueError`, which says what is wrong, for an event that no screen can take (BRW-CLICK-INVALID)."""
    match event.get("kind"):
        case "click":
            _check("x", event.get("x"), _is_finite(event.get("x")), "a finite number")
            _check("y", event.get("y"), _is_finite(event.get("y")), "a finite number")
            _check("button", event.get("button"), event.get("button") in MOUSE_BUTTONS, f"one of {MOUSE_BUTTONS}")
            _check("clicks", event.get("clicks"), _is_count(event.get("clicks")), "a whole number from 1 on")
        case "text":
            _check("text", event.get("text"), isinstance(event.get("text"), str), "a str")
        case "key":
            _check("key", event.get("key"), _is_name(event.get("key")), "the name of a key")
            _check("times", event.get("times"), _is_count(event.get("times")), "a whole number from 1 on")
        case kind:
            _check("kind", kind, False, "click, text or key")


def check_browser_driver(driver: object) -> None:
    """Raise `ValueError` for a driver that there is not (BRW-HANDOVER-INVALID)."""
    _check("driver", driver, driver in BROWSER_DRIVERS, f"one of {BROWSER_DRIVERS}")


def _check(name: str, value: object, right: bool, wanted: str) -> None:
    if not right:
        raise ValueError(f"{name} is {value!r}, not {wanted}")


def _is_finite(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and value >= 1


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value != ""
