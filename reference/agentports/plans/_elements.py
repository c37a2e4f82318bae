"""Nodes or edges by id, in the order of the view, with a note of what changed."""

from __future__ import annotations

from typing import Generic, TypeVar

__all__ = ["Elements"]

T = TypeVar("T")


class Elements(Generic[T]):
    """What stands keeps its place when it is replaced, as in a dict; what was removed comes back at the end.

    `gone` and then `changed` since the last `forget_changes` lead from what was to what is; what is new in `changed`
    stands there in the order of the elements.
    """

    __slots__ = ("by_id", "changed", "gone")

    def __init__(self) -> None:
        self.by_id: dict[str, T] = {}
        self.changed: dict[str, None] = {}
        self.gone: set[str] = set()

    def put(self, name: str, element: T) -> None:
        """Insert or replace."""
        self.by_id[name] = element
        self.changed[name] = None

    def remove(self, name: str) -> None:
        """Remove what may be there."""
        if self.by_id.pop(name, None) is not None:
            self.changed.pop(name, None)
            self.gone.add(name)

    def forget_changes(self) -> None:
        """The changes are known."""
        self.changed.clear()
        self.gone.clear()
