"""Coroutines that take their time: at every point where they wait, they wait a little longer."""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Sequence
from typing import Any, Generic, TypeVar

__all__ = ["staggered"]

T = TypeVar("T")


class _Staggered(Generic[T]):
    def __init__(self, coroutine: Coroutine[Any, Any, T], pauses: Sequence[int], first: int) -> None:
        self._coroutine = coroutine
        self._pauses = pauses
        self._next = first

    def __await__(self) -> Generator[Any, Any, T]:
        steps = self._coroutine.__await__()
        sent: BaseException | None = None
        while True:
            for _ in range(self._pause()):
                yield None  # as `asyncio.sleep(0)` does
            try:
                waited_for = next(steps) if sent is None else steps.throw(sent)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            sent = None
            try:
                yield waited_for
            except BaseException as error:
                sent = error

    def _pause(self) -> int:
        self._next += 1
        return self._pauses[self._next % len(self._pauses)] if self._pauses else 0


async def staggered(coroutine: Coroutine[Any, Any, T], pauses: Sequence[int], first: int) -> T:
    """The coroutine, with so many turns of the loop given to others before each of its steps.

    So that what a subject checks and what it does next are apart, whichever of several calls is quicker.
    """
    return await _Staggered(coroutine, pauses, first)
