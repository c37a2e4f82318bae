"""HTTP clients that somebody makes for himself: one for each event loop, closed with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable

import httpx

__all__ = ["Clients"]


class Clients:
    """The clients that a provider made for itself, one for each event loop, closed when their loop shuts down."""

    def __init__(self, make: Callable[[], httpx.AsyncClient]) -> None:
        self._make = make
        self._held: dict[asyncio.AbstractEventLoop, tuple[AsyncGenerator[httpx.AsyncClient, None], httpx.AsyncClient]]
        self._held = {}

    async def get(self) -> httpx.AsyncClient:
        """Return the client of the running loop, made at its first use."""
        loop = asyncio.get_running_loop()
        held = self._held.get(loop)
        if held is None:
            self._held = {other: value for other, value in self._held.items() if not other.is_closed()}
            keeper = _keep(self._make)
            held = self._held[loop] = (keeper, await anext(keeper))
        return held[1]

    async def aclose(self) -> None:
        """Close the client of the running loop. A later call makes a new one."""
        held = self._held.pop(asyncio.get_running_loop(), None)
        if held is not None:
            await held[0].aclose()


async def _keep(make: Callable[[], httpx.AsyncClient]) -> AsyncGenerator[httpx.AsyncClient, None]:
    """Hold a client in an asynchronous generator: a loop that shuts down closes every generator begun on it."""
    client = make()
    try:
        yield client
    finally:
        await client.aclose()
