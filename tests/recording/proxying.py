"""A proxy before a simulated vendor, and what it kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from portproof.recording.exchanges import Asked, Exchange
from portproof.recording.proxy import Proxy


@dataclass
class Through:
    """The address to ask, and the exchanges that went through."""

    base_url: str = ""
    kept: list[Exchange] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    _over: asyncio.Queue[None] = field(default_factory=asyncio.Queue)

    def keep(self, exchange: Exchange) -> None:
        """Take an exchange."""
        self.kept.append(exchange)
        self._over.put_nowait(None)

    def fail(self, _: Asked, reason: str) -> None:
        """Take a request without an answer."""
        self.failed.append(reason)
        self._over.put_nowait(None)

    async def over(self, number: int = 1) -> list[Exchange]:
        """The exchanges, as soon as so many more are over."""
        async with asyncio.timeout(5):
            for _ in range(number):
                await self._over.get()
        return self.kept

    def client(self) -> httpx.AsyncClient:
        """A client of the proxy."""
        return httpx.AsyncClient(base_url=self.base_url, trust_env=False, timeout=5)


@asynccontextmanager
async def proxied(upstream: str) -> AsyncIterator[Through]:
    """Stand a proxy before an address."""
    through = Through()
    async with Proxy(httpx.URL(upstream), keep=through.keep, fail=through.fail) as proxy:
        through.base_url = proxy.base_url
        yield through


def pieces(exchange: Exchange) -> list[bytes]:
    """The chunks of an answer."""
    return [piece.data for piece in exchange.answer.pieces]
