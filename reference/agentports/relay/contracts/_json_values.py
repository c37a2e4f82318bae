"""JSON values, recognised without a call of anything that a value brings along."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

__all__ = ["is_json", "is_json_object", "is_number"]


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether this is a number that a finite double can hold; True and False are none."""
    kind = type(value)
    if kind is not int and kind is not float:
        return False
    try:
        return math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:
        return False


def is_json_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether this is a JSON object, whatever its members."""
    return type(value) is dict and is_json(value)


def is_json(value: object) -> bool:
    """Whether this is a JSON value, of any depth. Subclasses of the plain types are none: their methods are anyone's.

    A container met again inside itself ends the search; one that is merely used twice is looked at once.
    """
    above, seen = set[int](), set[int]()
    waiting: list[tuple[Any, bool]] = [(value, False)]
    while waiting:
        item, is_left = waiting.pop()
        if is_left:
            above.remove(id(item))
            seen.add(id(item))
        elif type(item) is not dict and type(item) is not list:
            if not _is_scalar(item):
                return False
        elif id(item) in above or not _has_text_keys(item):
            return False
        elif id(item) not in seen:
            above.add(id(item))
            waiting.append((item, True))
            waiting.extend((child, False) for child in (item.values() if type(item) is dict else item))
    return True


def _has_text_keys(container: dict[Any, Any] | list[Any]) -> bool:
    return type(container) is list or all(type(key) is str for key in container)


def _is_scalar(value: object) -> bool:
    return value is None or type(value) is str or type(value) is bool or is_number(value)
