"""Changing whatever can be changed in an answer, as a careless reader might."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

__all__ = ["scribble_over"]


def scribble_over(parts: Iterable[Any]) -> None:
    """Add something to each list, dict and set among the parts and inside them, however deep. Objects stay."""
    open_ = list(parts)
    seen = {id(part): part for part in open_}
    while open_:
        part = open_.pop()
        inside = [member for member in _inside(part) if id(member) not in seen]
        seen |= {id(member): member for member in inside}
        open_ += inside
        for kind, change in _CHANGES:
            if isinstance(part, kind):
                with suppress(Exception):  # what cannot be changed need not be
                    change(part)


def _inside(part: Any) -> Iterable[Any]:
    if isinstance(part, dict):
        return list(part.values())
    return list(part) if isinstance(part, list | tuple | set | frozenset) else ()


def _spoil_dict(part: dict[Any, Any]) -> None:
    first = next(iter(part), None)
    part["scribbled"] = True
    part.pop(first, None)


_CHANGES: list[tuple[type, Callable[[Any], object]]] = [
    (list, lambda part: part.append("scribbled")),
    (dict, _spoil_dict),
    (set, lambda part: part.add("scribbled")),
]
