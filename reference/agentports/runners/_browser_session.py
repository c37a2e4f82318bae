"""What every reference browser session does, whatever shows its page: the rules of document 21, section 3."""

from __future__ import annotations

import asyncio
from typing import Protocol

from agentports.ports import (
    BrowserDriver,
    BrowserEvent,
    BrowserShot,
    HandedOverError,
    SessionStoppedError,
    check_browser_driver,
    check_browser_event,
)

__all__ = ["GuardedSession", "Screen"]


class Screen(Protocol):
    """One open browser, as its backend has it. It is asked nothing more once `close` has returned."""

    async def send(self, event: BrowserEvent) -> None: ...

    async def capture(self) -> BrowserShot: ...

    async def give_to(self, driver: BrowserDriver) -> None: ...

    async def close(self) -> None:
        """End the browser; succeed when it is gone already."""


class GuardedSession:
    """A session over one screen.

    Input and hand-overs go out one at a time in the order of the calls, so that nothing the agent sent arrives after a
    person has taken over. Stopping and looking wait for nobody.
    """

    def __init__(
        self,
        session_id: str,
        screen: Screen,
        *,
        automation_endpoint: str | None = None,
        live_view_endpoint: str | None = None,
    ) -> None:
        self.id = session_id
        self.automation_endpoint = automation_endpoint
        self.live_view_endpoint = live_view_endpoint
        self._screen = screen
        self._driver: str = "agent"
        self._controls = asyncio.Lock()
        self._stopping = asyncio.Lock()
        self._stopped = self._closed = False

    async def click(self, *, x: float, y: float, button: str = "left", clicks: int = 1) -> None:
        """Press the button at a point of the screen. Raises `ValueError` for what no mouse can do."""
        await self._send({"kind": "click", "x": x, "y": y, "button": button, "clicks": clicks})

    async def type(self, text: str) -> None:
        """Enter exactly the text."""
        await self._send({"kind": "text", "text": text})

    async def press(self, *, key: str, times: int = 1) -> None:
        """Press the named key. Raises `ValueError` for less than one time."""
        await self._send({"kind": "key", "key": key, "times": times})

    async def screenshot(self) -> BrowserShot:
        """The screen as it is now, whoever drives."""
        self._refuse_when_stopped()
        return await self._screen.capture()

    async def hand_control_to(self, driver: str) -> None:
        """Give the controls to `agent` or `person`. Raises `ValueError` for anybody else, and then nothing changes."""
        check_browser_driver(driver)
        async with self._controls:
            self._refuse_when_stopped()
            await self._screen.give_to("person" if driver == "person" else "agent")
            self._driver = driver

    async def stop(self) -> None:
        """End the browser. A stop that failed may be tried again; after one that did not, further ones do nothing."""
        self._stopped = True
        async with self._stopping:
            if not self._closed:
                await self._screen.close()
                self._closed = True

    async def _send(self, event: BrowserEvent) -> None:
        check_browser_event(event)
        async with self._controls:
            self._refuse_when_stopped()
            if self._driver == "person":
                raise HandedOverError(self.id)
            if event.get("text") != "":
                await self._screen.send(event)

    def _refuse_when_stopped(self) -> None:
        if self._stopped:
            raise SessionStoppedError(self.id)
