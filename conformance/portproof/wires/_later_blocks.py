"""What a later version of a stream of indexed blocks may send: unknown events, deltas and blocks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from agentports.sim import Event

__all__ = ["Unknown", "with_unknown_events"]


@dataclass(frozen=True)
class Unknown:
    """How unknown things look on a wire, and what tells of its blocks."""

    index_key: str
    #: The name of the event that closes a block.
    end: str
    event: Event
    delta: Callable[[int], Event]
    #: All events of a block.
    block: Callable[[int], list[Event]]


def with_unknown_events(events: Sequence[Event], at: Collection[int], unknown: Unknown) -> list[Event]:
    """The stream with unknown things before the events at these positions.

    An unknown block takes the index of the known one before which it stands, so that indexes stay positions.
    """
    later = _Later(unknown)
    for position, event in enumerate(events):
        if position in at:
            later.add_unknown(event)
        later.add(event)
    return later.out


class _Later:
    def __init__(self, unknown: Unknown) -> None:
        self.out: list[Event] = []
        self._unknown = unknown
        self._seen: set[int] = set()
        self._open: set[int] = set()
        self._before: list[int] = []  # the known blocks before which an unknown one stands

    def add(self, event: Event) -> None:
        """A known event, under the index that its block has now."""
        index = self._index_of(event)
        if index is None:
            self.out.append(event)
            return
        self._seen.add(index)
        self._open.add(index)
        self.out.append(replace(event, data={**event.data, self._unknown.index_key: self._now(index)}))
        if event.event == self._unknown.end:
            self._open.remove(index)

    def add_unknown(self, before: Event) -> None:
        """An unknown event; for a block that is open an unknown delta; in front of a block an unknown block."""
        self.out.append(self._unknown.event)
        if self._open:
            self.out.append(self._unknown.delta(self._now(max(self._open))))
        index = self._index_of(before)
        if index is not None and index > max(self._seen, default=-1):
            self.out += self._unknown.block(self._now(index))
            self._before.append(index)

    def _now(self, index: int) -> int:
        return index + sum(known <= index for known in self._before)

    def _index_of(self, event: Event) -> int | None:
        index = event.data.get(self._unknown.index_key) if isinstance(event.data, dict) else None
        return index if isinstance(index, int) else None
