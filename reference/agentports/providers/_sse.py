"""Server-sent events from bytes, cut anywhere (document 12, section 1; WIRE-SSE-*).

Everything that grows with the stream is done by the string methods: line ends are made equal by `replace`, the events
of a whole buffer are cut apart by one `split`, and text is decoded once for all events that are complete. Only an
event with more than one line is read line by line.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

__all__ = ["BrokenFrameError", "EventDecoder", "SSEDecoder", "ServerSentEvent"]

_BOM = "\ufeff"


class ServerSentEvent(NamedTuple):
    """One event: its data lines joined with LF, and the name in its `event` field.

    `failed` says that the framing itself marks it as an error, as that of some other kinds of streams does.
    """

    data: str
    event: str = "message"
    failed: bool = False


class BrokenFrameError(ValueError):
    """The bytes are no frames, or were changed on the way; what follows them cannot be told."""


class EventDecoder(Protocol):
    """Cuts the bytes of a stream into events, whatever frames them.

    Raises `BrokenFrameError`, behind the events before, where damage to the frames can be told.
    """

    def feed(self, piece: bytes) -> list[ServerSentEvent]:
        """Take the next bytes and return the events that are complete now."""
        ...

    def end(self) -> list[ServerSentEvent]:
        """Return the events that the end of the bytes completes."""
        ...


class SSEDecoder:
    """Gives the events that each piece of a stream completes. LF, CRLF and CR end lines, mixed as they may be."""

    def __init__(self) -> None:
        self._tail = bytearray()
        self._after_cr = False
        self._at_start = True

    def feed(self, piece: bytes) -> list[ServerSentEvent]:
        """Take the next bytes and return the events that are complete now."""
        if self._after_cr or b"\r" in piece:
            piece = self._with_lf_only(piece)
        tail = self._tail
        if not tail and piece.endswith(b"\n\n"):  # whole events, as most servers send them
            return self._events(piece[:-2].decode("utf-8", "replace"))
        searched = max(0, len(tail) - 1)
        tail += piece
        end = tail.rfind(b"\n\n", searched)
        if end < 0:
            return []
        text = tail[:end].decode("utf-8", "replace")
        del tail[: end + 2]
        return self._events(text)

    def end(self) -> list[ServerSentEvent]:
        """Return the last event, when the body ended without the blank line behind it."""
        text = self._tail.decode("utf-8", "replace")
        self._tail.clear()
        return self._events(text)

    def _with_lf_only(self, piece: bytes) -> bytes:
        if self._after_cr and piece:
            self._after_cr = False
            piece = piece.removeprefix(b"\n")  # second half of a CRLF whose CR has ended its line already
        if b"\r" in piece:
            self._after_cr = piece.endswith(b"\r")
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return piece

    def _events(self, text: str) -> list[ServerSentEvent]:
        if self._at_start:
            self._at_start = False
            text = text.removeprefix(_BOM)
        events = []
        for block in text.split("\n\n"):
            if block.startswith("data:") and "\n" not in block:
                events.append(ServerSentEvent(block[6:] if block[5:6] == " " else block[5:]))
            elif block and (event := _read_lines(block.split("\n"))):
                events.append(event)
        return events


def _read_lines(lines: list[str]) -> ServerSentEvent | None:
    """Read the fields of one event. Comments, `id`, `retry` and unknown fields say nothing here."""
    data: list[str] = []
    name = ""
    for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
        elif field == "event":
            name = value
    return ServerSentEvent("\n".join(data), name or "message") if data else None
