"""What one simulated browser shows: a page with a single text field, and everything that was done to it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from agentports.ports import MOUSE_BUTTONS, BrowserDriver, BrowserEvent
from agentports.sim.pictures import draw_screen

__all__ = ["SimulatedScreen"]


class SimulatedScreen:
    """One browser of the simulated service.

    `events` are those of the agent, as the service got them; `drivers` what the service was told of who drives, in
    order; `field` what the text field holds, to which texts, keys of one character and `Enter` add; `address` where the
    browser is. The methods are what a person does. A test may set `alive` to False: the service then has reaped it.
    """

    def __init__(self, handle: str, label: str) -> None:
        self.handle, self.label = handle, label
        self.alive = True
        self.address = "about:blank"
        self.field = ""
        self.events: list[BrowserEvent] = []
        self.drivers: list[BrowserDriver] = []
        self._marks: list[tuple[float, float, int]] = []
        self._past = 0

    @property
    def driver(self) -> BrowserDriver:
        """Who has the controls."""
        return self.drivers[-1] if self.drivers else "agent"

    def visit(self, address: str) -> None:
        """Go to another page, whose field is empty."""
        self.address, self.field = address, ""
        self._marks.clear()
        self._remember(address)

    def type(self, text: str) -> None:
        """Type as a person."""
        self.happen({"kind": "text", "text": text})

    def click(self, x: float, y: float) -> None:
        """Click as a person."""
        self.happen({"kind": "click", "x": x, "y": y, "button": "left", "clicks": 1})

    def happen(self, event: Mapping[str, Any]) -> None:
        """Let an event change the page, whoever caused it."""
        if event["kind"] == "text":
            self.field += event["text"]
        elif event["kind"] == "click":
            self._marks.append((event["x"], event["y"], MOUSE_BUTTONS.index(event["button"])))
        else:
            self.field += _entered_by(event["key"]) * event["times"]
        self._remember(event)

    def picture(self) -> bytes:
        """The screen as it is now, as a PNG. Screens with different pasts look different, even where nothing shows."""
        return draw_screen(f"{self._past:08x} {self.driver} {self.address}", self.field, self._marks)

    def _remember(self, event: object) -> None:
        self._past = zlib.crc32(repr(event).encode(), self._past)


def _entered_by(key: str) -> str:
    if key == "Enter":
        return "\n"
    return key if len(key) == 1 else ""
