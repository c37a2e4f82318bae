"""The recording proxy: serves clients on loopback, passes their requests to one vendor, and keeps what went through."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Self

import h11
import httpx

from portproof.recording.clients import Client
from portproof.recording.exchanges import Answer, Asked, Exchange
from portproof.recording.vendor import Vendor

__all__ = ["Proxy"]

#: Seconds in which an answer may still end whose client has left: many clients leave at a stream's last event.
_GRACE = 1.0


class Proxy:
    """Stands for the vendor at `address` on a loopback port of its own.

    `keep` is given every exchange when it is over, `fail` a request that got no answer and the reason. Raises
    `OSError` for a port that is taken.

    >>> async with Proxy(httpx.URL("https://api.openai.com/v1"), keep=print, fail=print) as proxy:
    ...     proxy.base_url
    'http://127.0.0.1:40123/v1'
    """

    def __init__(
        self,
        address: httpx.URL,
        *,
        keep: Callable[[Exchange], object],
        fail: Callable[[Asked, str], object],
        port: int = 0,
    ) -> None:
        self._address, self._port = address, port
        self._keep, self._fail = keep, fail
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        self._vendor = Vendor(self._address)
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        """Take no more clients, and see what goes through to its end or to the end of the grace."""
        self._server.close()
        self._closing.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._vendor.aclose()

    @property
    def base_url(self) -> str:
        """What a client takes as base URL in place of the vendor's: the same path at another host."""
        path = self._address.raw_path.decode().rstrip("/")
        return f"http://127.0.0.1:{self._port}{path}"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        client = Client(reader, writer)
        try:
            await self._serve(client)
        finally:
            self._tasks.discard(task)
            await client.close(within=_GRACE)

    async def _serve(self, client: Client) -> None:
        with contextlib.suppress(h11.ProtocolError, ConnectionError):
            while (asked := await self._next(client)) is not None:
                await self._exchange(client, asked)
                if not client.stays:
                    return

    async def _next(self, client: Client) -> Asked | None:
        request = asyncio.create_task(client.request())
        await self._first_of(request)
        if request.done():
            return request.result()
        request.cancel()
        return None

    async def _exchange(self, client: Client, asked: Asked) -> None:
        came: list[Answer] = []
        passing = asyncio.create_task(self._pass_on(client, asked, came))
        leaving = asyncio.create_task(client.gone())
        try:
            await self._first_of(passing, leaving)
            await asyncio.wait({passing}, timeout=_GRACE if not passing.done() else None)
        finally:
            await _cancelled(passing, leaving)
        self._over(asked, came, passing)

    def _over(self, asked: Asked, came: list[Answer], passing: asyncio.Task[None]) -> None:
        failure = None if passing.cancelled() else passing.exception()
        if failure is not None:
            self._fail(asked, str(failure) or type(failure).__name__)
        elif came:
            self._keep(Exchange(asked, came[0]))
        else:
            self._fail(asked, "the client left before the vendor answered")

    async def _pass_on(self, client: Client, asked: Asked, came: list[Answer]) -> None:
        async with self._vendor.asked(asked) as (answer, pieces):
            came.append(answer)
            client.head(answer)
            async for piece in pieces:
                client.data(piece.data)
            if answer.ending == "finished":
                client.end()

    async def _first_of(self, *tasks: asyncio.Task[Any]) -> None:
        """Wait for one of these, or until the proxy closes."""
        closing = asyncio.create_task(self._closing.wait())
        await asyncio.wait({closing, *tasks}, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()


async def _cancelled(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
