"""One client connection of the loopback server: h11 frames the messages, the steps decide every byte's fate.

A general web server hides what this one is for: the exact chunk borders, the reset, the moment a client left.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import cast

import h11

from agentports.sim.replies import Disconnect, Gate, Hang, Pause, Reply, Reset
from agentports.sim.requests import Exchange, RecordedRequest

__all__ = ["Connection"]

Opener = Callable[[RecordedRequest], tuple[Exchange, Reply]]


class Connection(asyncio.Protocol):
    """Serves the requests of one client, one after the other."""

    def __init__(self, opener: Opener, connections: set[Connection]) -> None:
        self._opener = opener
        self._connections = connections
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
        self._head: h11.Request | None = None
        self._body = bytearray()
        self._unsent: list[bytes] = []
        self._chunked = False
        self._framed = True
        self._exchange: Exchange | None = None
        self._serving: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        self._http.receive_data(data)
        self._advance()

    def eof_received(self) -> bool:
        self._left()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._left()
        self._connections.discard(self)

    def close(self) -> None:
        """Drop the client."""
        self._transport.abort()

    def _left(self) -> None:
        if self._exchange is not None:
            self._exchange.end("client-closed")
        if self._serving is not None:
            self._serving.cancel()

    def _advance(self) -> None:
        while True:
            try:
                event = self._http.next_event()
            except h11.RemoteProtocolError:
                self._transport.close()
                return
            if isinstance(event, h11.Request):
                self._head, self._body = event, bytearray()
            elif isinstance(event, h11.Data):
                self._body += event.data
            elif isinstance(event, h11.EndOfMessage):
                self._begin()
            else:
                return

    def _begin(self) -> None:
        assert self._head is not None
        headers = {bytes(k).decode("latin-1"): bytes(v).decode("latin-1") for k, v in self._head.headers}
        method, target = bytes(self._head.method).decode("ascii"), bytes(self._head.target).decode("latin-1")
        self._exchange, reply = self._opener(RecordedRequest(method, target, headers, bytes(self._body)))
        if method == "HEAD":
            # The answer to a HEAD request ends with its head.
            reply = Reply(reply.status, reply.headers)
        self._chunked = reply.head and reply.plain is None and self._http.their_http_version != b"1.0"
        self._framed = reply.head
        if reply.head:
            self._send_head(reply)
        pieces = [step for step in reply.steps if isinstance(step, bytes)]
        if reply.head and len(pieces) == len(reply.steps):
            self._send_pieces(pieces)
            self._finish()
        else:
            self._serving = asyncio.get_running_loop().create_task(self._serve(reply))

    async def _serve(self, reply: Reply) -> None:
        for step in reply.steps:
            if isinstance(step, bytes):
                self._send_pieces([step])
                continue
            self._flush()
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
            elif isinstance(step, Gate):
                await step.wait()
            elif isinstance(step, Hang):
                await asyncio.get_running_loop().create_future()
            elif isinstance(step, Reset | Disconnect):
                self._cut(step)
                return
        if reply.head:
            self._finish()
            self._advance()
        else:
            self._flush()
            self._cut(Disconnect())

    def _send_head(self, reply: Reply) -> None:
        plain = reply.plain
        framing = ("transfer-encoding", "chunked") if plain is None else ("content-length", str(len(plain)))
        self._send(_head(reply.status, (*reply.headers, framing)))

    def _send_pieces(self, pieces: Iterable[bytes]) -> None:
        if self._chunked:
            # Written here, since h11 examines each event at a length that outweighs the chunks of a usual stream.
            self._unsent += [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces if piece]
        elif self._framed:
            for piece in pieces:
                self._send(h11.Data(piece))
        else:
            self._unsent += pieces

    def _send(self, event: h11.Event) -> None:
        self._unsent.append(self._http.send(event) or b"")

    def _flush(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def _finish(self) -> None:
        self._send(h11.EndOfMessage())
        self._flush()
        if self._exchange is not None:
            self._exchange.end("finished")
        self._exchange = self._serving = None
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        else:
            self._transport.close()

    def _cut(self, step: Reset | Disconnect) -> None:
        if self._exchange is not None:
            self._exchange.end("server-cut")
        if isinstance(step, Reset):
            sock = self._transport.get_extra_info("socket")
            # Lingering for zero seconds makes the close a reset.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()
        else:
            self._transport.close()


@lru_cache(maxsize=256)
def _head(status: int, headers: tuple[tuple[str, str], ...]) -> h11.Response:
    encoded = [(name.encode("ascii"), value.encode("utf-8")) for name, value in headers]
    return h11.Response(status_code=status, headers=encoded, reason=b"Simulated")
