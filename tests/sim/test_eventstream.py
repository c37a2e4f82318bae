"""How binary event streams are framed."""

from __future__ import annotations

import pytest

from agentports.sim.wires._eventstream import decode, encode


def test_a_frame_is_lengths_checksum_headers_payload_checksum() -> None:
    """Big-endian lengths of the frame and of its headers, text headers with a short length, payload as it is."""
    frame = encode({"foo": "bar"}, b"xy")
    assert frame[:4] == (12 + 10 + 2 + 4).to_bytes(4, "big")
    assert frame[4:8] == (10).to_bytes(4, "big")
    assert frame[12:24] == b"\x03foo\x07\x00\x03barxy"


@pytest.mark.parametrize(
    ("headers", "payload"), [({}, b""), ({":event-type": "x", "é": "ü"}, b"{}"), ({"a": ""}, bytes(range(256)) * 9)]
)
def test_frames_are_read_back(headers: dict[str, str], payload: bytes) -> None:
    """What was encoded is decoded, one frame after the other."""
    frame = encode(headers, payload)
    assert decode(frame) == [(headers, payload)]
    assert decode(frame + encode({}, b"z")) == [(headers, payload), ({}, b"z")]
    assert decode(b"") == []


FRAME = encode({"foo": "bar"}, b"xy")


@pytest.mark.parametrize("at", range(len(FRAME)))
def test_a_changed_byte_shows(at: int) -> None:
    """Every byte is under one of the checksums, or is part of one."""
    with pytest.raises(ValueError, match=r"frame|checksum"):
        decode(FRAME[:at] + bytes([FRAME[at] ^ 1]) + FRAME[at + 1 :])


@pytest.mark.parametrize("length", range(1, len(FRAME)))
def test_a_frame_that_is_broken_off_shows(length: int) -> None:
    """Half a frame is none."""
    with pytest.raises(ValueError, match="frame"):
        decode(FRAME[:length])


def test_the_vendors_own_client_reads_the_frames() -> None:
    """Checksums, headers and payloads are what botocore expects, however the bytes are cut."""
    eventstream = pytest.importorskip("botocore.eventstream")
    buffer = eventstream.EventStreamBuffer()
    data = encode({":event-type": "one"}, b'{"a":1}') + encode({":event-type": "two"}, b"")
    read = []
    for at in range(len(data)):
        buffer.add_data(data[at : at + 1])
        read += [(event.headers, event.payload) for event in buffer]
    assert read == decode(data)
