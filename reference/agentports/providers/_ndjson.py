"""Newline-delimited JSON from bytes, cut anywhere (document 12, section 7; WIRE-OLL-NDJSON)."""

from __future__ import annotations

from agentports.providers._sse import ServerSentEvent

__all__ = ["NDJSONDecoder"]


class NDJSONDecoder:
    """Gives an event for each line that a piece of a stream completes. Only LF ends a line; blank ones say nothing."""

    def __init__(self) -> None:
        self._tail = bytearray()

    def feed(self, piece: bytes) -> list[ServerSentEvent]:
        """Take the next bytes and return the lines that are complete now."""
        tail = self._tail
        searched = len(tail)
        tail += piece
        end = tail.rfind(b"\n", searched)
        if end < 0:
            return []
        lines = _lines(tail[:end])
        del tail[: end + 1]
        return lines

    def end(self) -> list[ServerSentEvent]:
        """Return the last line, when the body ended without the line end behind it."""
        lines = _lines(self._tail)
        self._tail.clear()
        return lines


def _lines(data: bytearray) -> list[ServerSentEvent]:
    lines = data.decode("utf-8", "replace").split("\n")
    return [ServerSentEvent(line) for line in lines if line and not line.isspace()]
