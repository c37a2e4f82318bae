"""What a later version of the messages stream may send: unknown events, deltas and blocks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from agentports.sim import Event

__all__ = ["with_unknown_events"]


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
        self._indexes: dict[int, int] = {}
        self._unknown_blocks = 0
        self._open: list[int] = []

    def add(self, event: Event) -> None:
        """A known event, under the index that its block has now."""
        data = event.data
        if not isinstance(data, dict) or "index" not in data:
            self.out.append(event)
            return
        if data["type"] == "content_block_start":
            self._indexes[data["index"]] = data["index"] + self._unknown_blocks
        index = self._indexes[data["index"]]
        self.out.append(replace(event, data={**data, "index": index}))
        if data["type"] == "content_block_start":
            self._open.append(index)
        elif data["type"] == "content_block_stop":
            self._open.remove(index)

    def add_unknown(self, before: Event) -> None:
        """An unknown event; for a block that is open an unknown delta; in front of a block an unknown block."""
        self._send("zz_event", text="zz", delta={"type": "text_delta", "text": "zz"})
        if self._open:
            self._send("content_block_delta", index=self._open[-1], delta={"type": "zz_delta", "text": "zz"})
        data = before.data if isinstance(before.data, dict) else {}
        if data.get("type") == "content_block_start":
            index = data["index"] + self._unknown_blocks
            self._unknown_blocks += 1
            self._send("content_block_start", index=index, content_block={"type": "zz_part", "text": "zz"})
            self._send("content_block_delta", index=index, delta={"type": "zz_delta", "text": "zz"})
            self._send("content_block_stop", index=index)

    def _send(self, kind: str, **fields: Any) -> None:
        self.out.append(Event({"type": kind, **fields}, kind))
