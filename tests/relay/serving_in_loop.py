"""An application on uvicorn in the loop of the test, so that everything about it can be counted."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import uvicorn

__all__ = ["ASKED", "serving", "settled"]

T = TypeVar("T")

#: A request without a body, for applications that need none.
ASKED = b"POST / HTTP/1.1\r\nhost: relay.test\r\ncontent-length: 0\r\n\r\n"


@contextlib.asynccontextmanager
async def serving(app: Any) -> AsyncIterator[int]:
    """Serve for the body; gives the port."""
    config = uvicorn.Config(app, log_level="error", lifespan="off", timeout_keep_alive=1)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:
        task = asyncio.ensure_future(server._serve([listening]))
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            await task


async def settled(measure: Callable[[], T], quiet_s: float = 0.3) -> T:
    """What is measured, once it has stayed the same for so long, in bounded time."""
    seen, since = measure(), 0.0
    for _ in range(200):
        await asyncio.sleep(0.05)
        now = measure()
        since = since + 0.05 if now == seen else 0.0
        seen = now
        if since >= quiet_s:
            break
    return seen
