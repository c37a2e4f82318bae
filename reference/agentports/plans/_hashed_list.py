"""A list of encoded pieces inside a text that is hashed again and again: only what follows a change is hashed anew."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

__all__ = ["HashedList"]

#: After a change the pieces of one block are joined anew, and the blocks that follow are hashed one by one.
_BLOCK_SIZE: Final = 64


class _Block:
    __slots__ = ("number", "pieces", "text")

    def __init__(self, number: int) -> None:
        self.number = number
        self.pieces: dict[str, bytes] = {}
        #: None until it is joined.
        self.text: bytes | None = None

    def joined(self) -> bytes:
        if self.text is None:
            self.text = b"".join([b"," + piece for piece in self.pieces.values() if piece])
        return self.text


class HashedList:
    """The pieces by name, in the order of their insertion, and the hash of the text before each block of them."""

    def __init__(self, opening: bytes) -> None:
        self._opening = opening
        self._place: dict[str, _Block] = {}
        self._blocks: list[_Block] = []
        self._before: Any = None
        self._hashes: list[Any] = []

    def __contains__(self, name: str) -> bool:
        return name in self._place

    def put(self, name: str, piece: bytes) -> None:
        """Insert at the end, or replace. An empty piece is left out of the text."""
        block = self._place.get(name) or self._last_block()
        self._place[name] = block
        block.pieces[name] = piece
        self._spoil(block)

    def drop(self, names: Iterable[str]) -> None:
        """Remove those that are there."""
        for name in names:
            if block := self._place.pop(name, None):
                del block.pieces[name]
                self._spoil(block)

    def hashed(self, before: Any) -> Any:
        """The hash of what `before` has hashed and of the list: the same object as long as neither changes."""
        if before is not self._before:
            self._before = before
            self._hashes = [_continued(before, self._opening)]
        for block in self._blocks[len(self._hashes) - 1 :]:
            self._hashes.append(_continued(self._hashes[-1], block.joined()))
        return self._hashes[-1]

    def _last_block(self) -> _Block:
        if not self._blocks or len(self._blocks[-1].pieces) >= _BLOCK_SIZE:
            self._blocks.append(_Block(len(self._blocks)))
        return self._blocks[-1]

    def _spoil(self, block: _Block) -> None:
        block.text = None
        del self._hashes[block.number + 1 :]


def _continued(hashed: Any, text: bytes) -> Any:
    after = hashed.copy()
    after.update(text)
    return after
