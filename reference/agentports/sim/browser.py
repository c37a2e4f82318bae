"""The simulated browser service: what stands behind a browser runner that names the parameter `backend`."""

from __future__ import annotations

import copy
import itertools
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

from agentports.ports import (
    BrowserDriver,
    BrowserEvent,
    OpenedBrowser,
    ServiceError,
    check_browser_driver,
    check_browser_event,
)
from agentports.sim.faults import Faults, ServiceCall
from agentports.sim.screens import SimulatedScreen

__all__ = ["SimulatedBrowsers"]


class SimulatedBrowsers:
    """Browsers in memory, one for each `open` (document 21, section 3).

    `screens` holds every browser that was ever opened, by its handle; `calls` each call that arrived; `faults` makes
    the operations fail or wait. The service takes whatever input it is sent, also while a person drives: to refuse
    that is the runner's part. Raises `ServiceError`: `not_found` for a handle that is closed, reaped or unknown,
    `invalid_request` for an event or a driver that there is not.
    """

    def __init__(self, *, endpoints: bool = True) -> None:
        self.screens: dict[str, SimulatedScreen] = {}
        self.calls: list[ServiceCall] = []
        self.faults = Faults()
        self._answers: deque[Mapping[str, Any]] = deque()
        self._endpoints = endpoints
        self._numbers = itertools.count(1)

    @property
    def alive(self) -> list[SimulatedScreen]:
        """The browsers that somebody still pays for."""
        return [screen for screen in self.screens.values() if screen.alive]

    def answer_open(self, *answers: Mapping[str, Any]) -> None:
        """Give the coming calls of `open` these answers, one each, and open nothing: `{}` is one without a handle."""
        self._answers.extend(answers)

    async def open(self, label: str) -> Mapping[str, Any]:
        """Open a browser on an empty page. A call that is cancelled while it waits opens none."""
        async with self._serving("open", label=label):
            if self._answers:
                return self._answers.popleft()
            handle = f"browser-{next(self._numbers)}"
            self.screens[handle] = SimulatedScreen(handle, label)
            return self._opened(handle)

    async def send(self, handle: str, event: BrowserEvent) -> None:
        """Take one event of the agent."""
        async with self._serving("send", handle=handle, event=event):
            screen = self._screen(handle)
            _or_invalid(check_browser_event, event)
            screen.events.append(copy.copy(event))
            screen.happen(event)

    async def capture(self, handle: str) -> Mapping[str, Any]:
        """The screen as it is now."""
        async with self._serving("capture", handle=handle):
            return {"data": self._screen(handle).picture(), "format": "png"}

    async def set_driver(self, handle: str, driver: BrowserDriver) -> None:
        """Give the controls away; the page stays as it is."""
        async with self._serving("set_driver", handle=handle, driver=driver):
            screen = self._screen(handle)
            _or_invalid(check_browser_driver, driver)
            screen.drivers.append(driver)

    async def close(self, handle: str) -> None:
        """End the browser."""
        async with self._serving("close", handle=handle):
            self._screen(handle).alive = False

    def _serving(self, operation: str, **arguments: Any) -> AbstractAsyncContextManager[None]:
        """Record a call, and meet what is in store for it."""
        call = ServiceCall(operation, arguments)
        self.calls.append(call)
        return self.faults.serving(call)

    def _screen(self, handle: str) -> SimulatedScreen:
        screen = self.screens.get(handle)
        if screen is None or not screen.alive:
            raise ServiceError("not_found", f"no browser {handle!r}")
        return screen

    def _opened(self, handle: str) -> OpenedBrowser:
        opened: OpenedBrowser = {"handle": handle}
        if self._endpoints:
            opened["automation_endpoint"] = f"ws://browsers.example/{handle}/automation"
            opened["live_view_endpoint"] = f"https://browsers.example/{handle}/view"
        return opened


def _or_invalid(check: Callable[[Any], None], value: object) -> None:
    try:
        check(value)
    except ValueError as error:
        raise ServiceError("invalid_request", str(error)) from error
