"""The events between the beginning and the end of a stream of OpenAI's responses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentports.sim.turns import Turn
from agentports.sim.wires._responses_items import Item, is_hidden, kind_of, part

__all__ = ["item_events"]


def item_events(turn: Turn, items: Sequence[Item]) -> list[dict[str, Any]]:
    """The events of the items, not yet numbered. Each item opens behind those before it, and before its pieces."""
    said = _Said(items)
    unopened = list(range(len(turn.blocks)))
    left = [0 if is_hidden(block) else len(block.pieces) for block in turn.blocks]

    def open_blocks(upto: int) -> None:
        while unopened and unopened[0] <= upto:
            position = unopened.pop(0)
            said.open(position)
            if not left[position]:
                said.close(position)

    for position, piece in turn.schedule():
        open_blocks(position)
        if left[position]:
            said.delta(position, piece)
            left[position] -= 1
            if not left[position]:
                said.close(position)
    open_blocks(len(turn.blocks))
    return said.events


class _Said:
    """What has been said of each item so far."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.events: list[dict[str, Any]] = []
        self._item_of = {position: item for item in items for position in item.blocks}
        self._open = {item.index: set(item.blocks) for item in items}

    def open(self, position: int) -> None:
        """Begin a block, and before it its item."""
        item = self._item_of[position]
        if position == min(item.blocks):
            self._say("response.output_item.added", output_index=item.index, item=item.opened())
        self._part(position, "added", "")

    def delta(self, position: int, piece: int) -> None:
        """Send a piece of a block."""
        block = self._item_of[position].blocks[position]
        self._text(position, "delta", delta=block.pieces[piece])

    def close(self, position: int) -> None:
        """End a block; with the last of them its item ends."""
        item, block = self._item_of[position], self._item_of[position].blocks[position]
        if not is_hidden(block):
            self._text(position, "done", **{kind_of(block).key: block.text})
        self._part(position, "done", block.text)
        self._open[item.index].discard(position)
        if not self._open[item.index]:
            self._say("response.output_item.done", output_index=item.index, item=item.whole())

    def _part(self, position: int, what: str, text: str) -> None:
        block = self._item_of[position].blocks[position]
        name = kind_of(block).part
        if name is not None and not is_hidden(block):
            self._in_item(position, f"{name}.{what}", part=part(block, text))

    def _text(self, position: int, what: str, **fields: Any) -> None:
        kind = kind_of(self._item_of[position].blocks[position])
        extra: dict[str, Any] = {"logprobs": []} if "logprobs" in kind.extra else {}
        self._in_item(position, f"{kind.text}.{what}", **fields, **extra)

    def _in_item(self, position: int, name: str, **fields: Any) -> None:
        item = self._item_of[position]
        index = kind_of(item.blocks[position]).index
        within = {} if index is None else {index: list(item.blocks).index(position)}
        self._say(f"response.{name}", item_id=item.id, output_index=item.index, **within, **fields)

    def _say(self, name: str, **fields: Any) -> None:
        self.events.append({"type": name, **fields})
