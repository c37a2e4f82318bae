"""Owned copies of plain data, made without asking a value anything it could answer itself (document 51, section 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

__all__ = ["NotJsonError", "elements", "snapshot"]

_DEPTH = 500  # of containers in one another
_SHOWN = 40  # characters of a key


class NotJsonError(TypeError):
    """A value that has no place in JSON."""


def snapshot(value: Any, path: str = "$", within: tuple[int, ...] = ()) -> Any:
    """A copy of base types only: what a subclass overrides is never consulted.

    Raises `NotJsonError` that says where, for anything but None, booleans, finite numbers, strings, lists, tuples and
    dicts with strings as keys, for cycles, and for data nested deeper than 500 levels.
    """
    kind = type(value)
    if value is None or kind is bool:
        return value
    for base, copied in _SCALARS.items():
        if issubclass(kind, base):
            return copied(value, path)
    if not issubclass(kind, dict | list | tuple):
        raise NotJsonError(f"{path}: {kind.__name__} is not JSON")
    if id(value) in within or len(within) == _DEPTH:
        raise NotJsonError(f"{path}: " + ("contains itself" if id(value) in within else "nested too deeply"))
    inner = (*within, id(value))
    if issubclass(kind, dict):
        named = [(_key(key, path), item) for key, item in dict.items(value)]
        return {key: snapshot(item, f"{path}.{key[:_SHOWN]}", inner) for key, item in named}
    return [snapshot(item, f"{path}[{index}]", inner) for index, item in enumerate(elements(value))]


def elements(value: Any) -> Iterator[Any]:
    """What is in a list or tuple, read as the base class does.

    Raises `NotJsonError` for anything else.
    """
    for base in (list, tuple):
        if issubclass(type(value), base):
            return base.__iter__(value)
    raise NotJsonError(f"{type(value).__name__} is no array")


def _key(key: Any, path: str) -> str:
    if not issubclass(type(key), str):
        raise NotJsonError(f"{path}: a key of type {type(key).__name__}")
    return str.__str__(key)


def _real(value: float, path: str) -> float:
    plain = float.__float__(value)
    if not math.isfinite(plain):
        raise NotJsonError(f"{path}: {plain} is not JSON")
    return plain


def _whole(value: int, path: str) -> int:
    plain = int.__int__(value)
    _real_of(plain, path)
    return plain


def _real_of(value: int, path: str) -> None:
    try:
        float(value)
    except OverflowError as error:
        raise NotJsonError(f"{path}: an integer that no double holds") from error


#: Exact types are asked for by `issubclass`, since `isinstance` believes what a value says of its class.
_SCALARS: Mapping[type, Callable[[Any, str], Any]] = {
    str: lambda value, path: str.__str__(value),
    int: _whole,
    float: _real,
}
