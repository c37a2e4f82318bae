"""AWS's binary event stream from bytes, cut anywhere (document 12, section 5).

A frame is its own length, the length of its headers, the checksum of these two; the headers; the payload; and the
checksum of all that.
"""

from __future__ import annotations

import json
import struct
import zlib
from functools import lru_cache

from agentports.providers._sse import BrokenFrameError, ServerSentEvent

__all__ = ["EventStreamDecoder"]

_PRELUDE = struct.Struct(">III")
_CHECKSUM = struct.Struct(">I")
_TEXTS = (6, 7)  # types of header values that state their own length: bytes and text
_LENGTHS = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}  # of the other types


class EventStreamDecoder:
    """Gives the event of each frame that a piece of a stream completes.

    The name of an event is its type; what is framed as an exception or an error has `failed` set. Raises
    `BrokenFrameError`, behind the events of the frames before.
    """

    def __init__(self) -> None:
        self._tail = bytearray()

    def feed(self, piece: bytes) -> list[ServerSentEvent]:
        """Take the next bytes and return the events that are complete now."""
        if self._tail:
            self._tail += piece
        data = self._tail or piece  # whole frames, as most servers send them, are read where they are
        events: list[ServerSentEvent] = []
        at = 0
        try:
            while (frame := _frame(data, at)) is not None:
                event, at = frame
                events.append(event)
        except BrokenFrameError:
            if not events:  # else the same bytes raise next time
                raise
        if data is piece:
            self._tail += piece[at:]
        else:
            del self._tail[:at]
        return events

    def end(self) -> list[ServerSentEvent]:
        """Return nothing: half a frame says nothing."""
        return self.feed(b"")


def _frame(data: bytes | bytearray, at: int) -> tuple[ServerSentEvent, int] | None:
    """Return the event of the frame that begins here, and where it ends; None where it is not complete."""
    if len(data) < at + _PRELUDE.size:
        return None
    total, head, checksum = _PRELUDE.unpack_from(data, at)
    payload, end = at + _PRELUDE.size + head, at + total - _CHECKSUM.size
    if zlib.crc32(data[at : at + 8]) != checksum or end < payload:
        raise BrokenFrameError("a frame begins with a wrong checksum")
    if len(data) < at + total:
        return None
    if zlib.crc32(data[at:end]) != _CHECKSUM.unpack_from(data, end)[0]:
        raise BrokenFrameError("a frame ends with a wrong checksum")
    name, failed, stated = _meaning(bytes(data[at + _PRELUDE.size : payload]))
    said = data[payload:end].decode("utf-8", "replace") if stated is None else stated
    return ServerSentEvent(said, name, failed), at + total


@lru_cache(maxsize=64)
def _meaning(head: bytes) -> tuple[str, bool, str | None]:
    """Read from headers, of which a stream has few, an event's name, whether it failed, and what they say of that."""
    headers = _headers(head)
    kind = headers.get(":message-type", "event")
    if kind == "error":
        stated = json.dumps({"message": headers.get(":error-message", "")})
        return headers.get(":error-code", ""), True, stated
    return headers.get(f":{kind}-type", ""), kind == "exception", None


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
