"""AWS's binary event stream: frames of headers and a payload, with checksums (document 12, section 5).

A frame is its own length, the length of its headers, the checksum of these two; the headers; the payload; and the
checksum of all that. Numbers are big-endian. Header values are text here, the only kind that these services send.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

__all__ = ["CONTENT_TYPE", "decode", "encode"]

CONTENT_TYPE = "application/vnd.amazon.eventstream"

_LENGTHS = struct.Struct(">II")
_CHECKSUM = struct.Struct(">I")
_TEXT = 7  # the type of a header whose value is text
_OVERHEAD = _LENGTHS.size + 2 * _CHECKSUM.size


def encode(headers: Mapping[str, str], payload: bytes) -> bytes:
    """One frame."""
    head = b"".join(_header(name.encode(), value.encode()) for name, value in headers.items())
    lengths = _LENGTHS.pack(_OVERHEAD + len(head) + len(payload), len(head))
    frame = lengths + _checksum(lengths) + head + payload
    return frame + _checksum(frame)


def decode(data: bytes) -> list[tuple[dict[str, str], bytes]]:
    """Headers and payload of each frame of a whole stream.

    Raises `ValueError` for bytes that are no whole frames, or whose checksums are wrong.
    """
    frames = []
    while data:
        if len(data) < _OVERHEAD:
            raise ValueError(f"{len(data)} bytes are too few for a frame")
        total, head = _LENGTHS.unpack_from(data)
        frames.append(_frame(data[:total], total, head))
        data = data[total:]
    return frames


def _header(name: bytes, value: bytes) -> bytes:
    return struct.pack(f">B{len(name)}sBH", len(name), name, _TEXT, len(value)) + value


def _checksum(data: bytes) -> bytes:
    return _CHECKSUM.pack(zlib.crc32(data))


def _frame(frame: bytes, total: int, head: int) -> tuple[dict[str, str], bytes]:
    if frame[8:12] != _checksum(frame[:8]) or len(frame) != total or frame[-4:] != _checksum(frame[:-4]):
        raise ValueError("a frame is broken off, or a checksum is wrong")
    return _headers(frame[12 : 12 + head]), frame[12 + head : -4]


def _headers(data: bytes) -> dict[str, str]:
    headers = {}
    while data:
        name, rest = data[1 : 1 + data[0]], data[1 + data[0] :]
        kind, length = struct.unpack_from(">BH", rest)
        if kind != _TEXT:
            raise ValueError(f"the header {name!r} is no text")
        headers[name.decode()] = rest[3 : 3 + length].decode()
        data = rest[3 + length :]
    return headers
