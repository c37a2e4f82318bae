"""Browsers of a managed service."""

from __future__ import annotations

from agentports.ports import (
    ALREADY_GONE,
    AbortSignal,
    BrowserBackend,
    BrowserDriver,
    BrowserEvent,
    BrowserSession,
    BrowserShot,
    ServiceError,
)
from agentports.runners._browser_session import GuardedSession
from agentports.runners._labels import session_label
from agentports.runners._opening import open_session

__all__ = ["ManagedBrowserRunner"]


class ManagedBrowserRunner:
    """Opens one browser of the service for each start; the key reaches the service as a digest only.

    What the service refuses is raised as it says it, a `ServiceError`.
    """

    id = "managed-browser-runner"

    def __init__(self, backend: BrowserBackend) -> None:
        self._backend = backend

    async def start(self, *, key: str, signal: AbortSignal | None = None) -> BrowserSession:
        """Open a browser. Raises `ServiceError` and `RuntimeError` when the service gives none, and the abort."""
        return await open_session(lambda: self._open(session_label(key)), signal)

    async def _open(self, label: str) -> GuardedSession:
        opened = await self._backend.open(label)
        handle = opened.get("handle")
        if not handle:
            raise RuntimeError("the service opened a browser without saying which: there is no handle")
        return GuardedSession(
            handle,
            _RemoteScreen(self._backend, handle),
            automation_endpoint=opened.get("automation_endpoint") or None,
            live_view_endpoint=opened.get("live_view_endpoint") or None,
        )


class _RemoteScreen:
    def __init__(self, backend: BrowserBackend, handle: str) -> None:
        self._backend = backend
        self._handle = handle

    async def send(self, event: BrowserEvent) -> None:
        await self._backend.send(self._handle, event)

    async def capture(self) -> BrowserShot:
        shot = await self._backend.capture(self._handle)
        return BrowserShot(data=shot["data"], format=shot["format"].lower())

    async def give_to(self, driver: BrowserDriver) -> None:
        await self._backend.set_driver(self._handle, driver)

    async def close(self) -> None:
        try:
            await self._backend.close(self._handle)
        except ServiceError as error:
            if error.name not in ALREADY_GONE:
                raise
