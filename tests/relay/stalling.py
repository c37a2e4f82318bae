"""Clients that ask and then take nothing: how far the upstream calls are pulled, and what it costs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from typing import Any

import psutil
from starlette.responses import StreamingResponse

from agentports.ports import AbortController, AbortSignal
from agentports.ports.http import ProviderDelta, ProviderRequest
from agentports.relay.stream import RelayStream

from .serving_in_loop import ASKED, serving, settled

__all__ = ["Stalled", "stall"]

_DELTA = ProviderDelta(channel="content", text="x" * 1000)
_LINE = b'{"channel":"content","text":"%s"}\n' % (b"x" * 1000)
_RECEIVES = 4096


@dataclass(frozen=True)
class Stalled:
    """Deltas pulled when all had stalled and a while later; bytes of memory then, more than before; what was left."""

    pulled: int
    pulled_later: int
    memory: int
    memory_later: int
    left: int


class _Endless:
    """A provider that has always more to say."""

    def __init__(self) -> None:
        self.pulled = self.open = 0

    async def stream(
        self, messages: Any, signal: AbortSignal, tools: Any = None, options: Any = None
    ) -> AsyncIterator[Any]:
        """Deltas without end."""
        self.open += 1
        try:
            while True:
                self.pulled += 1
                if self.pulled % 16 == 0:
                    await asyncio.sleep(0)  # as one that waits for a network does
                yield _DELTA
        finally:
            self.open -= 1


async def stall(clients: int, later_s: float = 1.0, *, bare: bool = False) -> Stalled:
    """Let so many clients ask, wait until nothing moves, and look again after a while; then they go.

    `bare`: of a streaming response that writes the same bytes, in place of the relay.
    """
    provider, this, signal = _Endless(), psutil.Process(), AbortController().signal

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        if bare:
            await StreamingResponse(_lines(provider))(scope, receive, send)
            return
        await RelayStream(provider, ProviderRequest(messages=[]), signal).response(scope, receive, send)  # type: ignore[arg-type]

    async with serving(app) as port:
        before = this.memory_info().rss
        with contextlib.ExitStack() as open_:
            for _ in range(clients):
                await _ask(open_.enter_context(socket.socket()), port)
            pulled = await settled(lambda: provider.pulled, quiet_s=0.5)
            memory = this.memory_info().rss - before
            await asyncio.sleep(later_s)
            later, memory_later = provider.pulled, this.memory_info().rss - before
        left = await settled(lambda: provider.open + signal.listeners)
    return Stalled(pulled, later, memory, memory_later, left)


async def _lines(provider: _Endless) -> AsyncIterator[bytes]:
    async with contextlib.aclosing(provider.stream([], AbortController().signal)) as items:  # type: ignore[type-var]
        async for _ in items:
            yield _LINE


async def _ask(client: socket.socket, port: int) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVES)
    client.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(client, ("127.0.0.1", port))
    await loop.sock_sendall(client, ASKED)


if __name__ == "__main__":
    # In a process of its own, since one that has grown before tells little: `python -m tests.relay.stalling bare 200`.
    print(json.dumps(asdict(asyncio.run(stall(int(sys.argv[2]), bare=sys.argv[1] == "bare")))))
