"""Binary event streams from bytes."""

from __future__ import annotations

import json
import struct
import zlib

import pytest

from agentports.providers._eventstream import EventStreamDecoder
from agentports.providers._sse import BrokenFrameError, ServerSentEvent


def text(name: str, value: str) -> bytes:
    """A header whose value is text."""
    return bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value.encode())) + value.encode()


def frame(head: bytes, payload: bytes = b"{}") -> bytes:
    """A frame of these headers."""
    lengths = struct.pack(">II", 16 + len(head) + len(payload), len(head))
    whole = lengths + struct.pack(">I", zlib.crc32(lengths)) + head + payload
    return whole + struct.pack(">I", zlib.crc32(whole))


ONE = frame(text(":event-type", "one") + text(":message-type", "event"), '{"a":"é"}'.encode())
TWO = frame(text(":message-type", "exception") + text(":exception-type", "twoException"), b"{}")
EVENTS = [ServerSentEvent('{"a":"é"}', "one"), ServerSentEvent("{}", "twoException", failed=True)]


def test_frames_are_events_however_they_are_cut() -> None:
    """The name is the type, and an exception has failed."""
    data = ONE + TWO
    for at in range(len(data) + 1):
        decoder = EventStreamDecoder()
        assert decoder.feed(data[:at]) + decoder.feed(data[at:]) == EVENTS
    decoder = EventStreamDecoder()
    assert [event for at in range(len(data)) for event in decoder.feed(data[at : at + 1])] == EVENTS
    assert decoder.end() == []


def test_an_error_says_what_it_is_in_its_headers() -> None:
    """An error that the service does not model has no payload."""
    head = text(":message-type", "error") + text(":error-code", "InternalError") + text(":error-message", "Oh é.")
    (event,) = EventStreamDecoder().feed(frame(head, b""))
    assert (event.event, event.failed, json.loads(event.data)) == ("InternalError", True, {"message": "Oh é."})


def test_headers_of_other_types_are_passed_over() -> None:
    """Booleans, numbers, bytes, moments and UUIDs; an event without a type has no name."""
    others = b"".join(
        bytes([1]) + b"x" + bytes([kind]) + value
        for kind, value in [
            (0, b""),
            (1, b""),
            (2, b"\x01"),
            (3, b"\x00\x01"),
            (4, bytes(4)),
            (5, bytes(8)),
            (6, b"\x00\x02ab"),
            (8, bytes(8)),
            (9, bytes(16)),
        ]
    )
    assert EventStreamDecoder().feed(frame(others + text(":event-type", "last"))) == [ServerSentEvent("{}", "last")]
    assert EventStreamDecoder().feed(frame(b"")) == [ServerSentEvent("{}", "")]


def test_half_a_frame_says_nothing() -> None:
    """The end of the bytes does not complete it."""
    for length in range(len(ONE)):
        decoder = EventStreamDecoder()
        assert decoder.feed(ONE[:length]) == []
        assert decoder.end() == []


@pytest.mark.parametrize("at", range(len(ONE)))
def test_a_changed_byte_is_noticed_behind_the_frames_before(at: int) -> None:
    """The events before it are given, then every further reading raises."""
    broken = ONE[:at] + bytes([ONE[at] ^ 1]) + ONE[at + 1 :]
    decoder = EventStreamDecoder()
    assert decoder.feed(ONE + broken) == EVENTS[:1]
    for _ in range(2):
        with pytest.raises(BrokenFrameError, match="checksum"):
            decoder.end()


@pytest.mark.parametrize("head", [b"\x05ab", b"\x01x\x0c", b"\x01\xff\x07\x00\x00", b"\x09"])
def test_headers_that_cannot_be_read_are_noticed(head: bytes) -> None:
    """They end too early, have a type that does not exist, or a name that is no text."""
    with pytest.raises(BrokenFrameError, match="headers"):
        EventStreamDecoder().feed(frame(head))


def test_bytes_that_are_no_frames_are_noticed_at_once() -> None:
    """Twelve bytes are enough to tell."""
    decoder = EventStreamDecoder()
    assert decoder.feed(b"<!DOCTYPE h") == []
    with pytest.raises(BrokenFrameError):
        decoder.feed(b"t")
    with pytest.raises(BrokenFrameError):
        EventStreamDecoder().feed(struct.pack(">II", 4, 0) + struct.pack(">I", zlib.crc32(struct.pack(">II", 4, 0))))
