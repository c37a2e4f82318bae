"""The order of a stream that tells the blocks of a turn apart by index: each opens, comes in pieces, and closes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from agentports.sim.turns import Turn

__all__ = ["block_order"]

Moment = Literal["open", "piece", "close"]


def block_order(turn: Turn) -> Iterator[tuple[Moment, int, int]]:
    """What happens to which block, and with which of its pieces.

    A block opens before its first piece and behind the blocks before it, and closes behind its last piece.
    """
    left = [len(block.pieces) for block in turn.blocks]
    unopened = iter(range(len(turn.blocks)))
    opened = -1
    for position, piece in turn.schedule():
        while opened < position:
            opened = next(unopened)
            yield from _opening(opened, left[opened])
        yield "piece", position, piece
        left[position] -= 1
        if not left[position]:
            yield "close", position, 0
    for position in unopened:
        yield from _opening(position, left[position])


def _opening(position: int, pieces: int) -> Iterator[tuple[Moment, int, int]]:
    yield "open", position, 0
    if not pieces:
        yield "close", position, 0
