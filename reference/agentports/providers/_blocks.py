"""Blocks of an answer that arrive in pieces, told apart by index alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["BlockGatherer", "GatheredBlock"]


class GatheredBlock:
    """One block under way: the fields it began with, and texts that grow."""

    __slots__ = ("_fields", "_pieces", "closed")

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields
        self._pieces: dict[str, list[str]] = {}
        self.closed = False

    def append(self, field: str, piece: str) -> None:
        """Let the text of a field grow; what the block began with stays in front when it is text too."""
        self._pieces.setdefault(field, []).append(piece)

    def whole(self) -> dict[str, Any]:
        """Return the block as a whole answer would hold it."""
        return {**self._fields, **{field: self._grown(field) for field in self._pieces}}

    def _grown(self, field: str) -> str:
        begun = self._fields.get(field)
        return "".join([begun if isinstance(begun, str) else "", *self._pieces[field]])


class BlockGatherer:
    """The blocks of one answer, in the order in which their indexes first appeared."""

    def __init__(self) -> None:
        self._blocks: dict[int, GatheredBlock] = {}

    def begin(self, index: int, fields: Mapping[str, Any]) -> bool:
        """Take the beginning of a block; a second one for the same index says nothing. Return whether it is new."""
        new = index not in self._blocks
        if new:
            self._blocks[index] = GatheredBlock(fields)
        return new

    def at(self, index: int, kind: str) -> GatheredBlock:
        """Return the block of this index; a piece without a beginning begins a block of its kind."""
        self.begin(index, {"type": kind})
        return self._blocks[index]

    def close(self, index: int) -> None:
        """Note the end of a block."""
        if index in self._blocks:
            self._blocks[index].closed = True

    def __iter__(self) -> Iterator[GatheredBlock]:
        return iter(self._blocks.values())
