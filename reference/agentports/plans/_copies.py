"""Copies of values that share no container with the original, however deep (OPS-VIEW-NOT-ALIASED)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any, Final

__all__ = ["copied"]

#: How each kind of container is copied by itself; a tuple is a list until its members are.
_SHALLOW: Final[dict[type, Callable[[Any], Any]]] = {
    dict: dict.copy,
    list: list.copy,
    tuple: list,
    set: set.copy,
    array: lambda items: items[:],
}
_CONTAINERS: Final = frozenset(_SHALLOW)


def copied(value: Any) -> Any:
    """The value with every list, dict, set, array and tuple in it made anew; all else is the same object.

    Members of sets and keys are hashable, and so cannot change.
    """
    top = [value]
    open_: list[Any] = [top]
    tuples: list[tuple[Any, Any]] = []
    while open_:
        container = open_.pop()
        for place, member in container.items() if type(container) is dict else enumerate(container):
            kind = type(member)
            if kind in _CONTAINERS:
                container[place] = copy = _SHALLOW[kind](member)
                if kind is tuple:
                    tuples.append((container, place))
                if type(copy) in (dict, list) and not _CONTAINERS.isdisjoint(map(type, _members(copy))):
                    open_.append(copy)
    for container, place in reversed(tuples):  # the inner ones first
        container[place] = tuple(container[place])
    return top[0]


def _members(container: Any) -> Iterable[Any]:
    return container.values() if type(container) is dict else container
