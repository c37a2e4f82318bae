"""One client of the recording proxy: h11 frames its requests and the answers to them."""

from __future__ import annotations

import asyncio
import contextlib

import h11

from portproof.recording.exchanges import Answer, Asked, Headers

__all__ = ["Client"]

_READ = 65536
_LARGEST_HEAD = 1 << 20


class Client:
    """A connection over which requests come one after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_LARGEST_HEAD)

    async def request(self) -> Asked | None:
        """The next request, None when the client has no more. Raises `h11.RemoteProtocolError`."""
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        head = await self._event()
        if not isinstance(head, h11.Request):
            return None
        if self._http.they_are_waiting_for_100_continue:
            self._send(h11.InformationalResponse(status_code=100, headers=[]))
        body = bytearray()
        while isinstance(event := await self._event(), h11.Data):
            body += event.data
        if not isinstance(event, h11.EndOfMessage):
            return None
        return Asked(head.method.decode(), head.target.decode("latin-1"), _read(head), bytes(body))

    async def gone(self) -> None:
        """Wait until the client has left. What it sends meanwhile is kept for later."""
        with contextlib.suppress(ConnectionError):
            while data := await self._reader.read(_READ):
                self._http.receive_data(data)

    def head(self, answer: Answer) -> None:
        """Send the head of an answer."""
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
        self._send(h11.Response(status_code=answer.status, reason=answer.reason.encode("latin-1"), headers=encoded))

    def data(self, piece: bytes) -> None:
        """Send a piece of its body, at once."""
        self._send(h11.Data(data=piece))

    def end(self) -> None:
        """End the answer."""
        self._send(h11.EndOfMessage())

    @property
    def stays(self) -> bool:
        """Whether another request may follow."""
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE

    async def close(self, within: float) -> None:
        """Leave the client, in the middle of an answer if need be; what was sent has so many seconds to get there."""
        self._writer.close()
        with contextlib.suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(within):
                await self._writer.wait_closed()

    async def _event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self._reader.read(_READ))
        return event

    def _send(self, event: h11.Event) -> None:
        # Nothing waits for a slow client: how fast it reads must not show in the vendor's pauses.
        data = self._http.send(event) or b""
        if not self._writer.is_closing():
            self._writer.write(data)


def _read(head: h11.Request) -> Headers:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers)
