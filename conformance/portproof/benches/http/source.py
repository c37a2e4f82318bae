"""A body that is read by the functions for bytes, and sees how it is treated."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Self

__all__ = ["ReadFailure", "Refusing", "Source"]


class ReadFailure(Exception):
    """Raised in the middle of a body."""


class Refusing(Exception):
    """Raised by a body that does not want to be cancelled."""


class Source:
    """Gives its pieces; then it ends, fails, or holds. `pulls` counts, `cancelled` tells whether it was let go."""

    def __init__(self, pieces: Iterable[bytes], then: str = "end", *, refuses: bool = False) -> None:
        self._pieces, self._then, self._refuses = iter(pieces), then, refuses
        self.pulls = 0
        self.cancelled = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        self.pulls += 1
        await asyncio.sleep(0)
        for piece in self._pieces:
            return piece
        if self._then == "hold":
            await asyncio.get_running_loop().create_future()
        if self._then == "fail":
            raise ReadFailure
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Let go."""
        self.cancelled = True
        if self._refuses:
            raise Refusing
