"""Correct browser runners over the simulated service, each of another make."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import math
from collections import namedtuple
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

__all__ = ["CORRECT", "AtFirstUse", "Piecemeal", "Thin", "attended"]

GONE = ("not_found", "already_terminated")


class Piecemeal:
    """Sends every click, key and character as an event of its own, a new line as the key `Enter`."""

    id = "piecemeal"

    def __init__(self, backend: Any) -> None:
        self.backend = backend

    async def start(self, *, key: str, signal: Any = None) -> Any:
        if signal is not None and signal.aborted:
            raise asyncio.CancelledError
        label = hashlib.blake2b(key.encode(errors="surrogatepass")).hexdigest()
        opened = await self.backend.open(label)
        session = _PiecemealSession(self.backend, opened)
        if signal is not None and signal.aborted:
            await session.stop()
            raise InterruptedError("the start was aborted")
        return session


class _PiecemealSession:
    def __init__(self, backend: Any, opened: Any) -> None:
        self._backend, self._handle = backend, opened["handle"]
        self.id = f"{Piecemeal.id}/{self._handle}"
        self.automation_endpoint = opened.get("automation_endpoint")
        self.live_view_endpoint = opened.get("live_view_endpoint")
        self._refused: str | None = None  # why the agent may not act
        self._over: asyncio.Task[None] | None = None

    async def click(self, x: float, y: float, button: str = "left", clicks: int = 1) -> None:
        if not (math.isfinite(x) and math.isfinite(y) and button in ("left", "middle", "right") and clicks > 0):
            raise AssertionError("no such click")
        for _ in range(clicks):
            await self._send(kind="click", x=x, y=y, button=button, clicks=1)

    async def type(self, text: str) -> None:
        self._look_whether_allowed()
        for character in text:
            if character == "\n":
                await self._send(kind="key", key="Enter", times=1)
            else:
                await self._send(kind="text", text=character)

    async def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            await self._send(kind="key", key=key, times=1)

    async def screenshot(self) -> Any:
        if self._over is not None:
            raise LookupError("stopped")
        return SimpleNamespace(**await self._backend.capture(self._handle))

    async def hand_control_to(self, driver: str) -> None:
        if self._over is not None or driver not in ("agent", "person"):
            raise LookupError(driver)
        await self._backend.set_driver(self._handle, driver)
        self._refused = "a person drives" if driver == "person" else None

    async def stop(self) -> None:
        if self._over is None:
            self._refused, self._over = "stopped", asyncio.create_task(self._end())
        await asyncio.shield(self._over)

    async def _end(self) -> None:
        try:
            await self._backend.close(self._handle)
        except Exception as error:
            if getattr(error, "name", "") not in GONE:
                raise

    async def _send(self, **event: Any) -> None:
        self._look_whether_allowed()
        await self._backend.send(self._handle, event)

    def _look_whether_allowed(self) -> None:
        if self._refused is not None:
            raise PermissionError(self._refused)


@dataclass
class Thin:
    """Leaves every refusal to the service; sessions are dataclasses that know neither addresses nor a person."""

    backend: Any

    @property
    def id(self) -> str:
        return "thin"

    async def start(self, key: str, signal: Any = None) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        opening = asyncio.ensure_future(self.backend.open("browser"))
        aborting = asyncio.ensure_future(signal.wait() if signal is not None else asyncio.Event().wait())
        try:
            await asyncio.wait([opening, aborting], return_when=asyncio.FIRST_COMPLETED)
            if not aborting.done():
                return _ThinSession(self.backend, (await opening)["handle"])
        finally:
            aborting.cancel()
            if not opening.done():
                opening.cancel()
        if opening.done() and not opening.cancelled():
            await self.backend.close(opening.result()["handle"])
        raise signal.reason


@dataclass(frozen=True, slots=True)
class _ThinSession:
    backend: Any = field(repr=False)
    id: str

    async def click(self, *, x: float, y: float, button: str = "left", clicks: int = 1) -> None:
        event = {"clicks": clicks, "button": button, "y": y, "x": x, "kind": "click"}
        await self.backend.send(self.id, event)

    async def type(self, text: str) -> None:
        await self.backend.send(self.id, {"kind": "text", "text": text})

    async def press(self, *, key: str, times: int = 1) -> None:
        await self.backend.send(self.id, {"kind": "key", "key": key, "times": times})

    async def screenshot(self) -> Any:
        return await self.backend.capture(self.id)

    async def stop(self) -> None:
        try:
            await self.backend.close(self.id)
        except Exception as error:
            if getattr(error, "name", "") not in GONE:
                raise RuntimeError("the browser may still be open") from error


class AtFirstUse:
    """Opens the browser when it is first used, so that it has no addresses to tell, and closes what it opened."""

    id = "at-first-use"

    def __init__(self, *, backend: Any) -> None:
        self._backend = backend
        self._numbers = itertools.count()

    async def start(self, *, key: str, signal: Any = None) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        return _SessionAtFirstUse(self._backend, f"number {next(self._numbers)}")


class _SessionAtFirstUse:
    automation_endpoint = live_view_endpoint = None

    def __init__(self, backend: Any, name: str) -> None:
        self.id = name
        self._backend = backend
        self._opening: Any = None
        self._driver: str | None = "agent"
        self._turn = asyncio.Lock()

    async def _handle(self) -> str:
        if self._opening is None or (self._opening.done() and self._opening.exception()):
            self._opening = asyncio.ensure_future(self._backend.open(self.id))
        return str((await self._opening)["handle"])

    async def _act(self, event: dict[str, Any]) -> None:
        async with self._turn:
            if self._driver != "agent":
                raise RuntimeError("the agent may not act now")
            await self._backend.send(await self._handle(), event)

    async def click(self, *, x: float, y: float, button: str = "left", clicks: int = 1) -> None:
        await self._act({"kind": "click", "x": x, "y": y, "button": button, "clicks": clicks})

    async def type(self, text: str) -> None:
        for start in range(0, len(text), 3) or [0]:
            await self._act({"kind": "text", "text": text[start : start + 3]})

    async def press(self, *, key: str, times: int = 1) -> None:
        await self._act({"kind": "key", "key": key, "times": times})

    async def screenshot(self) -> Any:
        if self._driver is None:
            raise RuntimeError("stopped")
        shot = await self._backend.capture(await self._handle())
        return Shot(**shot)

    async def hand_control_to(self, driver: str) -> None:
        async with self._turn:
            if self._driver is None or driver not in {"agent", "person"}:
                raise RuntimeError(f"{driver} cannot drive")
            await self._backend.set_driver(await self._handle(), driver)
            self._driver = driver

    async def stop(self) -> None:
        self._driver = None
        async with self._turn:
            if self._opening is not None and self._opening.exception() is None:
                await _close(self._backend, await self._handle())
            self._opening = None


Shot = namedtuple("Shot", ["data", "format"])


async def _close(backend: Any, handle: str) -> None:
    try:
        await backend.close(handle)
    except Exception as error:
        if str(getattr(error, "name", None)) not in GONE:
            raise


@asynccontextmanager
async def attended(backend: Any) -> AsyncIterator[Any]:
    """A factory that is a context manager: a namespace of closures, whose sessions it ends in the end."""
    inner = Piecemeal(backend)
    begun: list[Any] = []

    async def start(key: str, signal: Any = None) -> Any:
        begun.append(await inner.start(key=key, signal=signal))
        return begun[-1]

    try:
        yield SimpleNamespace(id="attended", start=start)
    finally:
        await asyncio.gather(*(session.stop() for session in begun), return_exceptions=True)


CORRECT: dict[str, Any] = {"piecemeal": Piecemeal, "thin": Thin, "at first use": AtFirstUse, "attended": attended}
