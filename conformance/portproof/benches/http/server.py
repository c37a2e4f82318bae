"""The server that a provider is pointed at: it plays one answer a request, byte by byte, and notes what it saw."""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from agentports.sim import Hang, Pause, Reply, Reset
from agentports.sim.connection import Connection
from agentports.sim.replies import Step
from agentports.sim.requests import Exchange, RecordedRequest

__all__ = ["APART", "BREAK", "Seen", "WireServer", "closed_port", "holding", "pieces", "raw", "refusing"]

#: Between two pieces, so that each is written by itself.
APART = Pause(0)
#: A reset that comes when the client has read what was sent before: what it has not read, it may lose.
BREAK = (Pause(0.01), Reset())
_NDJSON = (("content-type", "application/x-ndjson"),)


@dataclass(frozen=True)
class Seen:
    """One request as it arrived, with its header lines as they were written, and how its answer ended."""

    request: RecordedRequest
    headers: tuple[tuple[str, str], ...]
    exchange: Exchange

    @property
    def closed(self) -> bool:
        """Whether the client closed the connection before all was sent."""
        ended = self.exchange.ended
        return ended.done() and ended.result() == "client-closed"

    def named(self, name: str) -> list[str]:
        """The values of all header lines of that name, whatever its case."""
        return [value for key, value in self.headers if key.lower() == name]


class WireServer:
    """Runs on the loop of the subject. `serve` says what the next requests are answered; the last answer repeats."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self._replies: Callable[[RecordedRequest], Reply] = lambda request: Reply()
        self._connections: set[Connection] = set()

    async def start(self) -> None:
        """Listen on a free port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self, self._connections), "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def serve(self, *replies: Reply) -> None:
        """Answer the next requests in this order."""
        queue = itertools.chain(replies[:-1], itertools.repeat(replies[-1]))
        self._replies = lambda request: next(queue)

    def serve_by(self, choose: Callable[[RecordedRequest], Reply]) -> None:
        """Answer each request by what it is."""
        self._replies = choose

    def answer(self, request: RecordedRequest, headers: Iterable[tuple[bytes, bytes]]) -> tuple[Exchange, Reply]:
        """Note a request and choose its answer."""
        exchange, reply = Exchange(request), self._replies(request)
        lines = tuple((bytes(k).decode("latin-1"), bytes(v).decode("latin-1")) for k, v in headers)
        self.seen.append(Seen(request, lines, exchange))
        return exchange, reply

    def forget(self) -> None:
        """Forget what was seen, and drop whoever is still connected."""
        for connection in list(self._connections):
            connection.close()
        self.seen = []

    async def stop(self) -> None:
        """Drop all clients and stop listening."""
        self.forget()
        self._server.close()
        await asyncio.sleep(0)


class _Connection(Connection):
    def __init__(self, server: WireServer, connections: set[Connection]) -> None:
        super().__init__(self._answer, connections)
        self._wire = server

    def _answer(self, request: RecordedRequest) -> tuple[Exchange, Reply]:
        assert self._head is not None
        return self._wire.answer(request, self._head.headers.raw_items())


def pieces(*steps: Step, status: int = 200) -> Reply:
    """An answer of these pieces and controls, each piece written by itself."""
    apart = [part for step in steps for part in ((step, APART) if isinstance(step, bytes) else (step,))]
    return Reply(status, _NDJSON, tuple(apart))


def holding(*steps: Step, status: int = 200) -> Reply:
    """The same, and then the server says nothing more until the client leaves."""
    return pieces(*steps, Hang(), status=status)


def raw(head: str, *steps: Step) -> Reply:
    """An answer whose head is these lines, and whose framing is the script's own affair; then it is closed."""
    return Reply(head=False, steps=(f"{head}\r\n\r\n".encode("latin-1"), APART, *steps))


def refusing(status: int, body: bytes = b"", *steps: Step) -> Reply:
    """A refusal with a body of stated length, or with more steps."""
    if steps:
        return Reply(status, (("content-type", "text/plain"),), (body, APART, *steps))
    return Reply(status, (("content-type", "text/plain"),), (body,))


def closed_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
