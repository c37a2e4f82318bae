"""One request to a relay at a URL, over a socket of the harness's own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence

import h11

from portproof.benches.relay.answers import Answer
from portproof.benches.relay.bench import UnderWay
from portproof.running.outcome import Violation, expect

__all__ = ["Line", "WireRequest"]

_PIECE = 2**16
_LONGEST_S = 5.0


class Line:
    """A connection to the relay, for one request or for several in a row."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.wire = h11.Connection(h11.CLIENT)

    @classmethod
    async def to(cls, host: str, port: int) -> Line:
        """Connect."""
        return cls(*await asyncio.open_connection(host, port))

    def is_free(self) -> bool:
        """Whether another request can be sent over it; makes it ready for that."""
        if self.wire.our_state is h11.DONE and self.wire.their_state is h11.DONE and not self.reader.at_eof():
            self.wire.start_next_cycle()
            return True
        return False

    async def send(self, event: h11.Event) -> None:
        """Write a part of a request."""
        self.writer.write(self.wire.send(event) or b"")
        await self.writer.drain()

    def close(self) -> None:
        """Disconnect."""
        self.writer.close()


class WireRequest(UnderWay):
    """A request that is being sent while its answer may already be coming."""

    def __init__(self, line: Line, request: h11.Request, pieces: AsyncIterator[bytes]) -> None:
        self.answer = Answer()
        #: Bytes of the body that the relay's side has taken in.
        self.sent = 0
        self._line = line
        self._changed = asyncio.Event()
        self._sending = asyncio.ensure_future(self._send(request, pieces))
        self._reading = asyncio.ensure_future(self._read())

    @property
    def is_over(self) -> bool:
        """Whether nothing more of the answer will come."""
        return self._reading.done()

    async def lines(self, count: int) -> list[bytes]:
        await self._comes(lambda: len(self.answer.lines) >= count)
        expect(len(self.answer.lines) >= count, f"the answer ended without line {count}", body=self.answer.body)
        return self.answer.lines[:count]

    async def headers(self) -> Answer:
        await self._comes(lambda: self.answer.status is not None)
        expect(self.answer.status is not None, "the connection was closed without an answer")
        return self.answer

    async def whole(self) -> Answer:
        await self._comes(lambda: self.answer.is_whole)
        return self.answer

    async def leave(self) -> None:
        self.end()
        self._line.close()

    def end(self) -> None:
        """Stop sending and reading."""
        self._sending.cancel()
        self._reading.cancel()

    def end_sending(self) -> None:
        """Close the half of the connection that leads to the relay."""
        self._sending.cancel()
        with contextlib.suppress(OSError):
            self._line.writer.write_eof()

    def stall(self) -> None:
        """Read nothing more of the answer."""
        self._reading.cancel()

    async def _comes(self, condition: Callable[[], object]) -> None:
        try:
            async with asyncio.timeout(_LONGEST_S):
                while not condition() and not self.is_over:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise Violation("the answer does not go on", status=self.answer.status, body=self.answer.body) from None

    async def _send(self, request: h11.Request, pieces: AsyncIterator[bytes]) -> None:
        # A relay that has refused need not take the rest.
        with contextlib.suppress(OSError, h11.LocalProtocolError):
            await self._line.send(request)
            async for piece in pieces:
                await self._line.send(h11.Data(piece))
                self.sent += len(piece)
            await self._line.send(h11.EndOfMessage())

    async def _read(self) -> None:
        try:
            with contextlib.suppress(OSError, h11.RemoteProtocolError):
                while not self.answer.is_whole and await self._event():
                    self._changed.set()
        finally:
            self._changed.set()

    async def _event(self) -> bool:
        """Take in a part of the answer; whether there may be more."""
        event = self._line.wire.next_event()
        if event is h11.NEED_DATA:
            self._line.wire.receive_data(await self._line.reader.read(_PIECE))
        elif isinstance(event, h11.Response):
            self.answer.status = event.status_code
            self.answer.headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in event.headers]
        elif isinstance(event, h11.Data):
            self.answer.body += event.data
        elif isinstance(event, h11.EndOfMessage):
            self.answer.is_whole = True
        return not isinstance(event, h11.ConnectionClosed)


async def in_order(pieces: Sequence[bytes]) -> AsyncIterator[bytes]:
    """Pieces of a body."""
    for piece in pieces:
        yield piece
