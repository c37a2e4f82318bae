"""Correct browser runners that open early, try again, convert, or stand on no service at all."""

from __future__ import annotations

import asyncio
import base64
from types import SimpleNamespace
from typing import Any

from agentports.ports import ServiceError
from agentports.runners import ManagedBrowserRunner

from .browsers import Piecemeal

__all__ = ["UNUSUAL", "InMemory"]


class InStore:
    """Keeps a browser open for the next start, under a label of its own; opens another in the background."""

    id = "in-store"

    def __init__(self, backend: Any) -> None:
        self._backend = backend
        self._next: asyncio.Future[Any] | None = None

    async def start(self, *, key: str, signal: Any = None) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        opened = await (self._next or self._backend.open("in store"))
        self._next = asyncio.ensure_future(self._backend.open("in store"))
        if signal is not None and signal.aborted:
            await self._backend.close(opened["handle"])
            signal.raise_if_aborted()
        return await ManagedBrowserRunner(_Opened(self._backend, opened)).start(key=key)


class _Opened:
    """The service, whose `open` gives what is open already."""

    def __init__(self, backend: Any, opened: Any) -> None:
        self._backend, self._opened = backend, opened

    def __getattr__(self, member: str) -> Any:
        return getattr(self._backend, member)

    async def open(self, label: str) -> Any:
        return self._opened


class Insistent:
    """Tries whatever failed twice more; a proxy in front of every session does it."""

    def __init__(self, backend: Any) -> None:
        self._inner = Piecemeal(backend)

    @property
    def id(self) -> str:
        return "insistent"

    async def start(self, *args: Any, key: str, **rest: Any) -> Any:
        return _Proxy(await self._inner.start(*args, key=key, **rest))


class _Proxy:
    def __init__(self, inner: Any) -> None:
        self.__dict__["_inner"] = inner

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._inner, name)
        return _insisting(member) if asyncio.iscoroutinefunction(member) else member


def _insisting(method: Any) -> Any:
    async def call(*given: Any, **stated: Any) -> Any:
        for left in (2, 1, 0):
            try:
                return await method(*given, **stated)
            except ServiceError:
                if not left:
                    raise
                await asyncio.sleep(0.001)
        return None

    return call


class Converting:
    """Gives pictures as JPEG, clicks on whole pixels, and does not say where the browser is; labels are cut keys."""

    id = "converting"

    def __init__(self, backend: Any) -> None:
        self._inner = ManagedBrowserRunner(backend)

    async def start(self, key: str, signal: Any = None) -> Any:
        inner: Any = await self._inner.start(key=key[:3], signal=signal)

        async def screenshot() -> Any:
            shot = await inner.screenshot()
            return SimpleNamespace(data=bytearray(b"\xff\xd8\xff\xe0" + base64.b64encode(shot.data)), format="jpg")

        async def click(x: float, y: float, button: str = "left", clicks: int = 1) -> None:
            await inner.click(x=round(x), y=round(y), button=button, clicks=clicks)

        members = ("id", "type", "press", "hand_control_to", "stop")
        return SimpleNamespace(**{name: getattr(inner, name) for name in members}, screenshot=screenshot, click=click)


class InMemory:
    """Needs no service: a session is a text. Knows no person, and has one address for what a session does not share."""

    id = "in-memory"

    async def start(self, *, key: str, signal: Any = None) -> Any:
        if signal is not None and signal.aborted:
            raise signal.reason
        return _Text(key)


class _Text:
    live_view_endpoint = "https://browsers.example/all"
    automation_endpoint = None

    def __init__(self, key: str) -> None:
        self.id = f"text of {key}"
        self._text: str | None = ""

    async def click(self, *, x: float, y: float, button: str = "left", clicks: int = 1) -> None:
        self._add("")

    async def type(self, text: str) -> None:
        self._add(text)

    async def press(self, *, key: str, times: int = 1) -> None:
        self._add(key * times)

    async def screenshot(self) -> Any:
        self._add("")
        return {"data": f"P1 1 1 {len(self._text or '') % 2}".encode(), "format": "pbm"}

    async def stop(self) -> None:
        self._text = None

    def _add(self, text: str) -> None:
        if self._text is None:
            raise LookupError(f"{self.id} was closed")
        self._text += text


UNUSUAL: dict[str, Any] = {
    "in store": InStore,
    "insistent": Insistent,
    "converting": Converting,
}
