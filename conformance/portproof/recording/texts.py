"""The texts inside a body: all of it, or what stands in the frames of a binary stream; and its events one by one."""

from __future__ import annotations

import codecs
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from portproof.recording.frames import CONTENT_TYPE, Frame, Region, frames_of
from portproof.recording.refusals import Refused

__all__ = ["Framing", "check_text", "deltas", "framing_of", "regions_of"]

#: The frames of a body, or None where it is text.
Framing = list[Frame] | None


def framing_of(data: bytes, content_type: str, whole: bool) -> Framing:
    """Find a body's frames. Raises `Refused` for what is neither text nor frames; `whole` unless it was broken off."""
    if not content_type.lower().startswith(CONTENT_TYPE):
        check_text(data, whole)
        return None
    frames = frames_of(data)
    if whole and (frames[-1].end if frames else 0) != len(data):
        raise Refused("an event stream ends within a frame, although its connection did not break")
    for frame in frames:
        for start, end in frame.regions:
            check_text(data[start:end], whole=True)
    return frames


def check_text(data: bytes, whole: bool) -> None:
    """Raise `Refused` where bytes are no text in UTF-8."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, final=whole)
    except UnicodeDecodeError:
        raise Refused("a body is neither text in UTF-8 nor a known frame, so secrets in it cannot be found") from None
    if b"\0" in data:
        raise Refused("a body holds zero bytes, so it is no text in which secrets can be found")


def regions_of(data: bytes, framing: Framing) -> list[Region]:
    """Start and end of every text, a broken-off frame at the end included."""
    if framing is None:
        return [(0, len(data))]
    end = framing[-1].end if framing else 0
    return [
        *(region for frame in framing for region in frame.regions),
        *([(end, len(data))] if end < len(data) else []),
    ]


def deltas(data: bytes, framing: Framing) -> Iterator[str]:
    """What a stream says piece by piece, put together: the texts that stand at the same place of successive events.

    A secret that a model repeats may begin in one event and end in the next.
    """
    said: dict[Any, list[str]] = defaultdict(list)
    for event in _events(data, framing):
        leaves = list(_leaves(event))
        indexes = frozenset((path, value) for path, value in leaves if _is_index(path[-1:]))
        for path, value in leaves:
            if isinstance(value, str):
                said[path, indexes].append(value)
    yield from ("".join(parts) for parts in said.values() if len(parts) > 1)


def _is_index(end: tuple[Any, ...]) -> bool:
    return bool(end) and isinstance(end[0], str) and end[0].lower().endswith("index")


def _events(data: bytes, framing: Framing) -> Iterator[Any]:
    lines = data.splitlines() if framing is None else [data[slice(*frame.payload)] for frame in framing]
    for line in lines:
        data = line.removeprefix(b"data:").strip()
        if not data.startswith(b"{"):
            continue
        try:
            yield json.loads(data)
        except (ValueError, RecursionError):
            continue


def _leaves(event: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), event)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict | list):
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [((*path, key), part) for key, part in inner]
        else:
            yield path, value
