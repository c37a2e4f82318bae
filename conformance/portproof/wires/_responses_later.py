"""What a later version of OpenAI's responses may send: unknown events, items and parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from agentports.sim import Event

__all__ = ["with_unknown_events", "with_unknown_items"]

_PART = {"type": "zz_part", "text": "zz"}


def with_unknown_events(events: Sequence[Event], at: Collection[int]) -> list[Event]:
    """The stream with unknown things before the events at these positions, numbered anew.

    An unknown item takes the index of the known one before which it stands, so that indexes stay positions.
    """
    later = _Later()
    for position, event in enumerate(events):
        if position in at:
            later.add_unknown(event.data)
        later.add(event)
    return [replace(e, data={**e.data, "sequence_number": number}) for number, e in enumerate(later.out)]


def with_unknown_items(body: dict[str, Any]) -> dict[str, Any]:
    """A whole answer with an unknown item before each of its own and behind the last, and with unknown parts."""
    output: list[Any] = [_item(0)]
    for number, item in enumerate(body["output"], 1):
        output += [_with_unknown_parts(item), _item(number)]
    return {**body, "output": output}


def _with_unknown_parts(item: dict[str, Any]) -> dict[str, Any]:
    if item["type"] != "message":
        return item
    return {**item, "content": [_PART, *(each for part in item["content"] for each in (part, _PART))]}


def _item(number: int) -> dict[str, Any]:
    return {"id": f"zz_{number}", "type": "zz_item", "status": "completed", "content": [_PART]}


class _Later:
    def __init__(self) -> None:
        self.out: list[Event] = []
        self._indexes: dict[int, int] = {}
        self._unknown: dict[int, dict[str, Any]] = {}

    def add(self, event: Event) -> None:
        """A known event, with the places that its item, or all items, have now."""
        data = dict(event.data)
        if data["type"] == "response.output_item.added":
            self._indexes[data["output_index"]] = data["output_index"] + len(self._unknown)
        if "output_index" in data:
            data["output_index"] = self._indexes[data["output_index"]]
        if data.get("response", {}).get("output"):
            data["response"] = {**data["response"], "output": self._all_of(data["response"]["output"])}
        self.out.append(replace(event, data=data))

    def _all_of(self, output: list[Any]) -> list[Any]:
        all_items = list(output)
        for index, item in sorted(self._unknown.items()):
            all_items.insert(index, item)
        return all_items

    def add_unknown(self, before: dict[str, Any]) -> None:
        """An unknown event, as of an item where there is one; in front of an item an unknown item."""
        place = {"output_index": max(self._indexes.values())} if self._indexes else {}
        self._send("response.zz_part.delta", **place, item_id="zz", delta="zz", text="zz")
        if before["type"] == "response.output_item.added":
            index = before["output_index"] + len(self._unknown)
            self._unknown[index] = _item(index)
            self._send("response.output_item.added", output_index=index, item=_item(index))
            self._send("response.zz_part.delta", output_index=index, item_id=f"zz_{index}", delta="zz")
            self._send("response.output_item.done", output_index=index, item=_item(index))

    def _send(self, kind: str, **fields: Any) -> None:
        self.out.append(Event({"type": kind, **fields}, kind))
