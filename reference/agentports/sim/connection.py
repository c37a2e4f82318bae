"""One client connection of the loopback server: h11 frames the messages, the steps decide every byte's fate.

A general web server hides what this one is for: the exact chunk borders, the reset, the moment a client left.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
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
        if reply.plain is not None and reply.head:
            self._send_head(reply, ("content-length", str(len(reply.plain))))
            self._send(h11.Data(reply.plain))
            self._finish()
        else:
            self._serving = asyncio.get_running_loop().create_task(self._serve(reply))

    async def _serve(self, reply: Reply) -> None:
        if reply.head:
            self._send_head(reply, ("transfer-encoding", "chunked"))
        for step in reply.steps:
            if isinstance(step, bytes):
                self._send(h11.Data(step))
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
        else:
            self._cut(Disconnect())

    def _send_head(self, reply: Reply, framing: tuple[str, str]) -> None:
        headers = [(name.encode("ascii"), value.encode("utf-8")) for name, value in (*reply.headers, framing)]
        self._send(h11.Response(status_code=reply.status, headers=headers, reason=b"Simulated"))

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
            self._advance()
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
