"""One request over httpx: its answer as bytes, and its connection released."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import lru_cache
from typing import cast

import httpx

from agentports.providers._abort import Unguarded

__all__ = ["DEFAULT_TIMEOUT", "Exchange", "is_event_stream", "make_client", "parsed_url"]

#: Models think for minutes between two bytes; a connection that cannot be made shows at once.
DEFAULT_TIMEOUT = httpx.Timeout(600.0, connect=10.0)

_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)  # a wrapper, not a pool, limits calls
_DRAIN_GRACE = 0.01  # seconds in which a finished body may still end, so that its connection can serve again


class Exchange:
    """One request and its answer. `failure` turns whatever the transport raises into the provider's exception."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        request: httpx.Request,
        guard: Unguarded,
        failure: Callable[[Exception], Exception],
    ) -> None:
        self._client = client
        self._request = request
        self._guard = guard
        self._failure = failure
        self._response: httpx.Response | None = None
        self._pieces: AsyncGenerator[bytes, None] | None = None
        self.finished = False  # the wire's own end was seen, whether or not the body has ended

    async def open(self) -> httpx.Response:
        """Send the request and return the answer as soon as its headers are there."""
        self._guard.release_with(self.aclose)
        return await self._guard.run(self._open)

    def read(self) -> Awaitable[bytes | None]:
        """Wait for the next bytes of the body, None at its end."""
        return self._guard.run(self._read)

    async def read_all(self) -> bytes:
        """Return the rest of the body."""
        pieces = []
        while (piece := await self.read()) is not None:
            pieces.append(piece)
        return b"".join(pieces)

    async def aclose(self) -> None:
        """Let go of the connection; it is kept for the next call when the body has ended."""
        response, pieces = self._response, self._pieces
        if response is None or pieces is None:
            return
        with contextlib.suppress(Exception):  # nothing that fails here concerns the answer
            if self.finished and not response.is_closed:
                await self._drain()
            await response.aclose()
            await pieces.aclose()

    # The exception is raised behind the handler: httpx's own holds the key, also as a mere context.

    async def _open(self) -> httpx.Response:
        try:
            response = await self._client.send(self._request, stream=True)
        except Exception as exc:
            failure = self._failure(exc)
        else:
            self._response, self._pieces = response, _pieces_of(response)
            return response
        raise failure

    async def _read(self) -> bytes | None:
        if self._pieces is None:
            raise RuntimeError("the exchange is not open")
        try:
            return await self._pieces.__anext__()
        except StopAsyncIteration:
            return None
        except Exception as exc:
            failure = self._failure(exc)
        raise failure

    async def _drain(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_GRACE):
                while await self._read() is not None:
                    pass


def _pieces_of(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    # httpx declares iterators but returns generators, which can be closed
    plain = "content-encoding" not in response.headers and not response.is_stream_consumed
    read = response.aiter_raw if plain else response.aiter_bytes
    return cast("AsyncGenerator[bytes, None]", read())


@lru_cache(maxsize=128)
def parsed_url(url: str) -> httpx.URL:
    """Parse an address. A provider asks a few, call for call, and parsing takes as long as many events."""
    return httpx.URL(url)


def is_event_stream(response: httpx.Response) -> bool:
    """Whether the answer may be a stream: anything but a whole JSON document or a page."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind != "text/html" and not kind.endswith(("/json", "+json"))


def make_client(url: httpx.URL, timeout: httpx.Timeout | float | None) -> httpx.AsyncClient:
    """Make a client for one host. Loading the trusted certificates takes long, and plain HTTP needs none."""
    return httpx.AsyncClient(
        verify=url.scheme == "https", timeout=DEFAULT_TIMEOUT if timeout is None else timeout, limits=_LIMITS
    )
