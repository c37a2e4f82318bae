"""What a later version of the Converse stream may send: unknown events, deltas and blocks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from agentports.sim import Event

__all__ = ["with_unknown_events"]

_UNKNOWN = {"zzPart": {"text": "zz"}}


def with_unknown_events(events: Sequence[Event], at: Collection[int]) -> list[Event]:
    """The stream with unknown things before the events at these positions.

    An unknown block takes the index of the known one before which it stands, so that indexes stay positions.
    """
    later = _Later()
    for position, event in enumerate(events):
        if position in at:
            later.add_unknown(event)
        later.add(event)
    return later.out


class _Later:
    def __init__(self) -> None:
        self.out: list[Event] = []
        self._seen: set[int] = set()
        self._open: set[int] = set()
        self._before: list[int] = []  # the known blocks before which an unknown one stands

    def add(self, event: Event) -> None:
        """A known event, under the index that its block has now."""
        index = _index(event)
        if index is None:
            self.out.append(event)
            return
        self._seen.add(index)
        self._open.add(index)
        self.out.append(replace(event, data={**event.data, "contentBlockIndex": self._now(index)}))
        if event.event == "contentBlockStop":
            self._open.remove(index)

    def add_unknown(self, before: Event) -> None:
        """An unknown event; for a block that is open an unknown delta; in front of a block an unknown block."""
        self._send("zzEvent", text="zz", delta={"text": "zz"})
        if self._open:
            self._send("contentBlockDelta", contentBlockIndex=self._now(max(self._open)), delta=_UNKNOWN)
        index = _index(before)
        if index is not None and index > max(self._seen, default=-1):
            own = {"contentBlockIndex": self._now(index)}
            self._before.append(index)
            self._send("contentBlockStart", **own, start=_UNKNOWN)
            self._send("contentBlockDelta", **own, delta=_UNKNOWN)
            self._send("contentBlockStop", **own)

    def _now(self, index: int) -> int:
        return index + sum(known <= index for known in self._before)

    def _send(self, kind: str, **fields: Any) -> None:
        self.out.append(Event(fields, kind))


def _index(event: Event) -> int | None:
    index = event.data.get("contentBlockIndex") if isinstance(event.data, dict) else None
    return index if isinstance(index, int) else None
