"""Many streams with clients that leave when they please, and what is left of it all: nothing, if all is well."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import psutil

from agentports.ports import AbortController, AbortSignal
from agentports.ports.http import ProviderDelta, ProviderRequest, ProviderResult
from agentports.relay.stream import RelayStream

from .serving_in_loop import ASKED, serving, settled

__all__ = ["Left", "churn"]

_AT_ONCE = 40
_RESETS = struct.pack("ii", 1, 0)
_DELTA = ProviderDelta(channel="content", text="x" * 200)


@dataclass(frozen=True)
class Left:
    """What there was more of afterwards than before; and how many streams there were, to their end and not."""

    tasks: int
    sockets: int
    listeners: int
    calls: int
    whole: int
    broken: int


class _Provider:
    """A provider that says a dozen things, taking its time now and then."""

    def __init__(self, chance: random.Random) -> None:
        self.open = 0
        self._chance = chance

    async def stream(
        self, messages: Any, signal: AbortSignal, tools: Any = None, options: Any = None
    ) -> AsyncIterator[Any]:
        """Deltas and a result."""
        self.open += 1
        try:
            for _ in range(12):
                await asyncio.sleep(self._chance.choice((0, 0, 0, 0.001, 0.003)))
                yield _DELTA
            yield ProviderResult(content="x")
        finally:
            self.open -= 1


async def churn(streams: int, seed: int = 0) -> Left:
    """Run so many streams on a real server, all under one signal."""
    chance, signal = random.Random(seed), AbortController().signal
    provider, this = _Provider(chance), psutil.Process()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await RelayStream(provider, ProviderRequest(messages=[]), signal).response(scope, receive, send)  # type: ignore[arg-type]

    async with serving(app) as port:
        await _client(port, chance)
        tasks, sockets = await settled(lambda: (len(asyncio.all_tasks()), len(this.net_connections())))
        room = asyncio.Semaphore(_AT_ONCE)
        ended = await asyncio.gather(*(_in(room, port, chance) for _ in range(streams)))
        tasks_after, sockets_after = await settled(lambda: (len(asyncio.all_tasks()), len(this.net_connections())))
    whole = sum(ended)
    left = (tasks_after - tasks, sockets_after - sockets, signal.listeners, provider.open)
    return Left(*left, whole, streams - whole)


async def _in(room: asyncio.Semaphore, port: int, chance: random.Random) -> bool:
    async with room:
        return await _client(port, chance)


async def _client(port: int, chance: random.Random) -> bool:
    """Ask, read some lines, and go, in one way or another; whether the answer was read to its end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = chance.choice((0, 0, 1, 2, 3, 5, 8, 1000))
    try:
        writer.write(ASKED)
        for _ in range(lines):
            line = await reader.readline()
            if line.startswith(b'{"channel":"result"'):
                return True
        if chance.random() < 0.5:
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESETS)
        return False
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
