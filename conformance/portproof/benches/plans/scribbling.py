"""Changing whatever can be changed in an answer, as a careless reader might."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

__all__ = ["scribble_over"]


def scribble_over(value: Any) -> None:
    """Add something to each list, dict and set in the value, however deep. Objects keep their fields."""
    open_, seen = [value], {id(value): value}
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
    if isinstance(part, list | tuple | set | frozenset):
        return list(part)
    if type(part).__module__ == "builtins":
        return ()
    slots = [name for kind in type(part).__mro__ for name in _named(getattr(kind, "__slots__", ()))]
    return [*getattr(part, "__dict__", {}).values(), *(getattr(part, name, None) for name in slots)]


def _named(slots: Any) -> Iterable[str]:
    return [name for name in ((slots,) if isinstance(slots, str) else slots) if not name.startswith("__")]


def _spoil_dict(part: dict[Any, Any]) -> None:
    part["scribbled"] = True
    del part[next(iter(part))]


_CHANGES: list[tuple[type, Callable[[Any], object]]] = [
    (list, lambda part: part.append("scribbled")),
    (dict, _spoil_dict),
    (set, lambda part: part.add("scribbled")),
]
