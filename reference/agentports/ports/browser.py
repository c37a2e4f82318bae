"""Browsers on loan: opening, input at operating-system level, giving the controls away (document 21, section 3; BRW-*).

Not an automation API: work on the level of pages goes through a session's `automation_endpoint`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, Protocol, TypedDict, runtime_checkable

from pydantic import Field

from agentports.ports.browser_events import BrowserDriver, BrowserEvent
from agentports.ports.messages import Data
from agentports.ports.signals import AbortSignal

__all__ = [
    "BrowserBackend",
    "BrowserRunner",
    "BrowserSession",
    "BrowserShot",
    "HandedOverError",
    "OpenedBrowser",
    "SharedBrowserSession",
]


class HandedOverError(Exception):
    """The agent tried to click, type or press while a person drives (BRW-HANDOVER-INPUT-REFUSED)."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"a person drives session {session_id!r}; the agent may only look")
        self.session_id = session_id


class BrowserShot(Data):
    """The screen as it was: an image, and in lower case what kind of image, such as `png` (BRW-SHOT-FORMAT)."""

    data: bytes = Field(min_length=1)
    format: str = Field(pattern=r"^[^A-Z\s]+$")


class BrowserSession(Protocol):
    """One browser. After `stop` every call but `stop` raises.

    Points are pixels of what `screenshot` shows, from its upper left corner. An address that the backend does not
    offer is None.
    """

    @property
    def id(self) -> str: ...

    @property
    def automation_endpoint(self) -> str | None:
        """Where a page-level automation client attaches to this browser."""

    @property
    def live_view_endpoint(self) -> str | None:
        """Where a person looks at this browser, and drives it once it is handed over."""

    async def click(self, *, x: float, y: float, button: str = "left", clicks: int = 1) -> None: ...

    async def type(self, text: str) -> None:
        """Enter exactly the text, whatever it holds; the empty text succeeds and does nothing."""

    async def press(self, *, key: str, times: int = 1) -> None:
        """Press a key by its name, such as `Enter`."""

    async def screenshot(self) -> BrowserShot: ...

    async def stop(self) -> None:
        """End the browser, once, however often it is called. Raises when it may still be alive."""


class SharedBrowserSession(BrowserSession, Protocol):
    """A session whose backend can give the controls to a person and back; others leave this member out."""

    async def hand_control_to(self, driver: str) -> None:
        """Hand over to `agent` or `person`; the page stays. While the person drives, the agent may only look."""


@runtime_checkable
class BrowserRunner(Protocol):
    """Opens browsers. `key` isolates: two keys, however alike, never share a session (BRW-KEY-NOT-WIDENED)."""

    @property
    def id(self) -> str: ...

    async def start(self, *, key: str, signal: AbortSignal | None = None) -> BrowserSession: ...


class OpenedBrowser(TypedDict):
    """What a backend answers to `open`."""

    handle: str
    automation_endpoint: NotRequired[str]
    live_view_endpoint: NotRequired[str]


class BrowserBackend(Protocol):
    """A managed browser service, as its client in this process; the simulator has one. Fails with `ServiceError`."""

    async def open(self, label: str) -> Mapping[str, Any]:
        """Open a browser; answer an `OpenedBrowser`. The label is for operators and need not be unique."""

    async def send(self, handle: str, event: BrowserEvent) -> None: ...

    async def capture(self, handle: str) -> Mapping[str, Any]:
        """Answer `{"data": bytes, "format": str}`."""

    async def set_driver(self, handle: str, driver: BrowserDriver) -> None: ...

    async def close(self, handle: str) -> None: ...
