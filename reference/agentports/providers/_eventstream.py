"""AWS's binary event stream from bytes, cut anywhere (document 12, section 5).

A frame is its own length, the length of its headers, the checksum of these two; the headers; the payload; and the
checksum of all that.
"""

from __future__ import annotations

import json
import struct
import zlib

from agentports.providers._sse import ServerSentEvent

__all__ = ["BrokenFrameError", "EventStreamDecoder"]

_PRELUDE = struct.Struct(">III")
_CHECKSUM = struct.Struct(">I")
_TEXTS = (6, 7)  # types of header values that state their own length: bytes and text
_LENGTHS = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}  # of the other types


class BrokenFrameError(ValueError):
    """The bytes are no frames, or were changed on the way; what follows them cannot be told."""


class EventStreamDecoder:
    """Gives the event of each frame that a piece of a stream completes.

    The name of an event is its type; what is framed as an exception or an error has `failed` set. Raises
    `BrokenFrameError`, behind the events of the frames before.
    """

    def __init__(self) -> None:
        self._tail = bytearray()

    def feed(self, piece: bytes) -> list[ServerSentEvent]:
        """Take the next bytes and return the events that are complete now."""
        self._tail += piece
        events: list[ServerSentEvent] = []
        try:
            while (event := self._next()) is not None:
                events.append(event)
        except BrokenFrameError:
            if not events:  # else the same bytes raise next time
                raise
        return events

    def end(self) -> list[ServerSentEvent]:
        """Return nothing: half a frame says nothing."""
        return self.feed(b"")

    def _next(self) -> ServerSentEvent | None:
        tail = self._tail
        if len(tail) < _PRELUDE.size:
            return None
        total, head, checksum = _PRELUDE.unpack_from(tail)
        payload = _PRELUDE.size + head
        if zlib.crc32(tail[:8]) != checksum or total < payload + _CHECKSUM.size:
            raise BrokenFrameError("a frame begins with a wrong checksum")
        if len(tail) < total:
            return None
        frame = bytes(tail[:total])
        if _CHECKSUM.pack(zlib.crc32(frame[:-4])) != frame[-4:]:
            raise BrokenFrameError("a frame ends with a wrong checksum")
        del tail[:total]
        return _event(_headers(frame[_PRELUDE.size : payload]), frame[payload:-4].decode("utf-8", "replace"))


def _event(headers: dict[str, str], payload: str) -> ServerSentEvent:
    kind = headers.get(":message-type", "event")
    if kind == "error":
        payload = json.dumps({"message": headers.get(":error-message", "")})
        return ServerSentEvent(payload, headers.get(":error-code", ""), failed=True)
    return ServerSentEvent(payload, headers.get(f":{kind}-type", ""), failed=kind == "exception")


def _headers(data: bytes) -> dict[str, str]:
    """Read the headers whose values are text, and pass the others over."""
    headers = {}
    try:
        while data:
            name, kind, data = data[1 : 1 + data[0]], data[1 + data[0]], data[2 + data[0] :]
            size = 2 + int.from_bytes(data[:2], "big") if kind in _TEXTS else _LENGTHS[kind]
            if kind in _TEXTS:
                headers[name.decode()] = data[2:size].decode("utf-8", "replace")
            data = data[size:]
    except (IndexError, KeyError, UnicodeDecodeError) as error:
        raise BrokenFrameError("the headers of a frame cannot be read") from error
    return headers
