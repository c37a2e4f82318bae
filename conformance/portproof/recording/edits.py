"""Replacements in bytes, and where they leave the borders between chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

__all__ = ["Edit", "applied", "joined", "moved", "rechunked"]


@dataclass(frozen=True)
class Edit:
    """The bytes from `start` to `end` become `text`."""

    start: int
    end: int
    text: bytes

    def shifted(self, by: int) -> Edit:
        """The same edit where the data begins that many bytes later."""
        return Edit(self.start + by, self.end + by, self.text)


def joined(edits: Iterable[Edit]) -> list[Edit]:
    """Put edits in order; those that overlap become one over all their bytes, so that no part of either is left."""
    out: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, -e.end)):
        if out and edit.start < out[-1].end:
            out[-1] = Edit(out[-1].start, max(out[-1].end, edit.end), out[-1].text)
        else:
            out.append(edit)
    return out


def applied(data: bytes, edits: Sequence[Edit]) -> bytes:
    """Return the data with these edits, which are in order and apart."""
    parts, place = [], 0
    for edit in edits:
        parts += [data[place : edit.start], edit.text]
        place = edit.end
    return b"".join([*parts, data[place:]])


def moved(position: int, edits: Sequence[Edit]) -> int:
    """Where a border stands after the edits. Inside a replaced text it keeps its distance from the text's start."""
    shift = 0
    for edit in edits:
        if position <= edit.start:
            break
        if position < edit.end:
            return edit.start + shift + min(position - edit.start, len(edit.text))
        shift += len(edit.text) - (edit.end - edit.start)
    return position + shift


def rechunked(
    sizes: Sequence[int], waits: Sequence[float], edits: Sequence[Edit]
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Sizes and pauses of the chunks after the edits. A chunk of which nothing is left adds its pause to the next."""
    borders = [moved(border, edits) for border in accumulate(sizes, initial=0)]
    left: list[tuple[int, float]] = []
    pause = 0.0
    for (start, end), wait in zip(pairwise(borders), waits, strict=True):
        pause += wait
        if end > start:
            left.append((end - start, round(pause, 1)))
            pause = 0.0
    return tuple(size for size, _ in left), tuple(wait for _, wait in left)
