"""The turns of a conversation on Converse, and the cache points in a body (document 12, section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentports.ports import CacheMarker
from agentports.providers._cache import MAX_MARKERS

__all__ = ["ConverseTurns", "cache_points", "with_points"]

Block = dict[str, Any]


class ConverseTurns:
    """Grows message by message. Neighbours of one role are one turn; results of calls stand first in theirs."""

    def __init__(self) -> None:
        self._turns: list[tuple[str, list[tuple[int, Block]]]] = []

    def add(self, index: int, role: str, blocks: Sequence[Block]) -> None:
        """Take the blocks of the message at this index of the request."""
        if not self._turns or self._turns[-1][0] != role:
            self._turns.append((role, []))
        content = self._turns[-1][1]
        content += [(index, block) for block in blocks]
        content.sort(key=lambda entry: "toolResult" not in entry[1])

    def to_wire(self, points: Mapping[int, Block]) -> list[dict[str, Any]]:
        """Write the turns, each with something in it, and the points behind the messages that they are for."""
        return [{"role": role, "content": _content(entries, points)} for role, entries in self._turns]


def _content(entries: Sequence[tuple[int, Block]], points: Mapping[int, Block]) -> list[Block]:
    # reasoning cannot be the end of a cached prefix
    last = {index: at for at, (index, block) in enumerate(entries) if "reasoningContent" not in block}
    content = []
    for at, (index, block) in enumerate(entries):
        content += [block, points[index]] if index in points and last.get(index) == at else [block]
    return content or [{"text": ""}]


def cache_points(markers: Sequence[CacheMarker], field: str) -> dict[int, Block]:
    """Return by boundary index what the markers of a field are on the wire; the vendor takes four in all."""
    return {marker.boundary_index: _point(marker) for marker in markers[:MAX_MARKERS] if marker.field == field}


def _point(marker: CacheMarker) -> Block:
    return {"cachePoint": {"type": "default"} | ({"ttl": "1h"} if marker.ttl == "long" else {})}


def with_points(elements: Sequence[Block], points: Mapping[int, Block]) -> list[Block]:
    """Put each point behind the element of its index, behind the last one where the index is beyond."""
    last = len(elements) - 1
    behind = {min(index, last): point for index, point in points.items() if index >= 0}
    return [each for at, element in enumerate(elements) for each in (element, behind.get(at)) if each is not None]
