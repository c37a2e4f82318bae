"""Values that fight back when they are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

__all__ = ["Fighting", "HostileError", "deep", "hostile_values"]


class HostileError(Exception):
    """Raised by a value that was asked anything."""


def _raise(*given: Any) -> NoReturn:
    raise HostileError


class Fighting:
    """Everything that is asked of it raises; `HostileError` tells who was asked."""

    def __getattribute__(self, name: str) -> Any:
        raise HostileError(name)

    __eq__ = __ne__ = __hash__ = __iter__ = __len__ = __bool__ = __getitem__ = __contains__ = _raise
    __str__ = __repr__ = __int__ = __float__ = __index__ = _raise


class _Colliding:
    """A key with the hash of a declared member, which cannot be compared."""

    def __init__(self, name: str) -> None:
        self._hash = hash(name)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        raise HostileError


class _Dict(dict[str, Any]):
    keys = items = values = get = __iter__ = __getitem__ = __contains__ = __len__ = _raise


class _List(list[Any]):
    __iter__ = __getitem__ = __len__ = _raise


class _Text(str):
    __eq__ = __hash__ = __str__ = __len__ = _raise


def deep(levels: int = 100_000, inner: Any = None) -> list[Any]:
    """Lists in one another."""
    value: list[Any] = [inner]
    for _ in range(levels):
        value = [value]
    return value


def hostile_values() -> Iterator[Any]:
    """Whatever is no shape of the wire and may break who looks at it."""
    around: list[Any] = []
    around.append(around)
    mapping: dict[str, Any] = {"channel": "content"}
    mapping["text"] = mapping
    nested = deep()
    for value in (Fighting(), _Dict(messages=[]), _List(), around, mapping, nested, b"bytes", object(), float("nan")):
        yield value
        yield {"messages": value}
        yield {"messages": [value]}
        yield {"id": "1", "role": value, "content": "x"}
        yield {"channel": value, "text": "x"}
        yield {"content": "x", "usage": value}
        if value is not nested:  # which is JSON, however deep
            yield {"content": "x", "tools": [{"id": "1", "name": "f", "arguments": {"a": value}}]}
    yield from ({_Colliding(name): 1} for name in ("messages", "role", "channel", "content"))
    yield {"channel": _Text("other"), "text": "x"}
    yield {"id": "1", "role": ["user"], "content": "x"}
