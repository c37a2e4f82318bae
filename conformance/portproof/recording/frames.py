"""AWS's binary event stream: where texts stand in its frames, and the numbers that change when the texts do."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from portproof.recording.edits import Edit, applied
from portproof.recording.refusals import Refused

__all__ = ["CONTENT_TYPE", "Frame", "Region", "frames_of", "reframed"]

CONTENT_TYPE = "application/vnd.amazon.eventstream"

_PRELUDE = struct.Struct(">III")  # length of the frame, length of its headers, checksum of these
_CHECKSUM = struct.Struct(">I")
_SIZED = (6, 7)  # types of header values that state their own length: bytes and text
_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}  # of the other types

#: Start and end in the stream.
Region = tuple[int, int]


@dataclass(frozen=True)
class Frame:
    """One frame: its ends, its headers' values of text by name, its payload."""

    start: int
    end: int
    headers: dict[str, Region]
    payload: Region

    @property
    def regions(self) -> list[Region]:
        """Every text of the frame."""
        return [*self.headers.values(), self.payload]


def frames_of(data: bytes) -> list[Frame]:
    """Find the whole frames; a broken-off one at the end is none. Raises `Refused` where a checksum is wrong."""
    frames: list[Frame] = []
    place = 0
    while (frame := _frame(data, place)) is not None:
        frames.append(frame)
        place = frame.end
    return frames


def reframed(data: bytes, frame: Frame, edits: Sequence[Edit]) -> list[Edit]:
    """Add to the edits of a frame's texts those of its lengths and checksums."""
    inside = [edit for edit in edits if frame.start <= edit.start and edit.end <= frame.end]
    if not inside:
        return []
    total, head, _ = _PRELUDE.unpack_from(data, frame.start)
    lengths = struct.pack(">II", total + _growth(inside), head + _growth(inside, frame.payload[0]))
    prelude = Edit(frame.start, frame.start + _PRELUDE.size, lengths + _CHECKSUM.pack(zlib.crc32(lengths)))
    changed = sorted([prelude, *_value_lengths(frame, inside), *inside], key=lambda edit: edit.start)
    text = applied(data[frame.start : frame.end - 4], [edit.shifted(-frame.start) for edit in changed])
    return [*changed, Edit(frame.end - 4, frame.end, _CHECKSUM.pack(zlib.crc32(text)))]


def _growth(edits: Sequence[Edit], before: int | None = None) -> int:
    return sum(len(e.text) - (e.end - e.start) for e in edits if before is None or e.start < before)


def _value_lengths(frame: Frame, edits: Sequence[Edit]) -> Iterator[Edit]:
    for start, end in frame.headers.values():
        inside = [edit for edit in edits if start <= edit.start and edit.end <= end]
        if inside:
            yield Edit(start - 2, start, struct.pack(">H", end - start + _growth(inside)))


def _frame(data: bytes, start: int) -> Frame | None:
    if len(data) - start < _PRELUDE.size:
        return None
    total, head, checksum = _PRELUDE.unpack_from(data, start)
    payload = start + _PRELUDE.size + head
    if zlib.crc32(data[start : start + 8]) != checksum or payload + 4 > start + total:
        raise Refused("an event stream holds something that is no frame")
    end = start + total
    if len(data) < end:
        return None
    if _CHECKSUM.pack(zlib.crc32(data[start : end - 4])) != data[end - 4 : end]:
        raise Refused("a frame of an event stream has a wrong checksum")
    return Frame(start, end, _headers(data, start + _PRELUDE.size, payload), (payload, end - 4))


def _headers(data: bytes, place: int, end: int) -> dict[str, Region]:
    headers: dict[str, Region] = {}
    while place < end:
        name_end = place + 1 + data[place]
        name, kind, value = data[place + 1 : name_end], data[name_end], name_end + 1
        if kind in _SIZED:
            value += 2
            size = int.from_bytes(data[value - 2 : value], "big")
            headers[name.decode("latin-1")] = (value, value + size)
        elif kind in _SIZES:
            size = _SIZES[kind]
        else:
            raise Refused("a frame of an event stream has a header of an unknown type")
        place = value + size
    return headers
