"""Going through values of plans from the inside out, without recursion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["CONTAINERS", "copied", "folded", "holders", "unchanged"]

T = TypeVar("T")

#: The types whose instances hold other values.
CONTAINERS = (list, tuple, dict, set, frozenset)


def folded(value: Any, leaf: Callable[[Any], T], close: Callable[[type, list[T], list[T]], T]) -> T:
    """What `leaf` makes of values that hold no others, and `close` of a container from what became of its members.

    `close` is given the container's type, and what became of its keys, of a dict, and of its members or values.
    """
    root: list[Any] = [value]
    places: list[tuple[list[Any], int]] = [(root, 0)]
    closing: list[tuple[list[Any], int, type, list[Any], list[Any]]] = []
    while places:
        around, index = places.pop()
        kind = type(around[index])
        if kind not in CONTAINERS:
            around[index] = leaf(around[index])
            continue
        keys = list(around[index]) if kind is dict else []
        members = list(around[index].values()) if kind is dict else list(around[index])
        closing.append((around, index, kind, keys, members))
        places += [(part, i) for part in (keys, members) for i in range(len(part))]
    for around, index, kind, keys, members in reversed(closing):
        around[index] = close(kind, keys, members)
    return root[0]  # type: ignore[no-any-return]


def unchanged(value: T) -> T:
    """The value itself."""
    return value


def copied(value: Any, leaf: Callable[[Any], Any] = unchanged, *, reverse: bool = False) -> Any:
    """The value with containers of its own, built in reverse order if so wished, and with leaves exchanged."""
    step = -1 if reverse else 1

    def close(kind: type, keys: list[Any], members: list[Any]) -> Any:
        if kind is dict:
            return dict(list(zip(keys, members, strict=True))[::step])
        return kind(members[::step] if kind in (set, frozenset) else members)

    return folded(value, leaf, close)


def holders(value: Any) -> list[tuple[Any, list[Any]]]:
    """Every container in the value, with the objects that it holds, keys first."""
    found, left = [], [value]
    while left:
        part = left.pop()
        if type(part) in CONTAINERS:
            parts = [*part, *part.values()] if type(part) is dict else list(part)
            found.append((part, parts))
            left += parts
    return found
