"""The canonical form `ctj/1` of plan content (document 30, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from agentports.plans._careful import write_carefully
from agentports.plans._containers import list_text, map_text, set_text, shape_of
from agentports.plans._leaves import LEAVES, quoted
from agentports.ports.plans import EncodableValue, EncodingError

__all__ = ["encode", "encode_nested"]

_Writer = Callable[[Any], str]
_Writers = dict[int, _Writer]

#: So many levels are walked by calls, which is quick; what lies deeper is walked with a stack.
_QUICK_LEVELS: Final = 16


def encode(value: EncodableValue) -> bytes:
    """The bytes that stand for this value and no other (ENC-CANONICAL-VECTORS, ENC-INJECTIVE).

    Raises `EncodingError`: `unencodable_value`, `cyclic_value`, or `value_too_deep` beyond 640 nested containers.
    """
    return encode_nested(value, 0)


def encode_nested(value: EncodableValue, nested_in: int) -> bytes:
    """As `encode`, for a value that stands in so many (at most 16) containers of a larger one.

    Bytes of the parts, joined, are those of the whole; so a part that did not change need not be encoded again.
    """
    try:
        return _LEVELS[nested_in][id(type(value))](value).encode()
    except (KeyError, EncodingError, UnicodeEncodeError):
        return write_carefully(value, nested_in).encode()


def _deepest_level() -> _Writers:
    def write_deep(value: Any) -> str:
        return write_carefully(value, _QUICK_LEVELS)

    return LEAVES | {id(kind): write_deep for kind in (dict, list, tuple, set, frozenset)}


def _level_above(below: _Writers) -> _Writers:
    """Writers of every type, whose containers have their members written by those of the level below."""

    def members(values: Iterable[Any]) -> list[str]:
        texts = []
        for value in values:
            kind = type(value)
            texts.append(quoted(value) if kind is str else below[id(kind)](value))
        return texts

    def write_dict(value: dict[Any, Any]) -> str:
        for key in value:
            if type(key) is not str:
                return map_text(members(value), members(value.values()))
        shape = shape_of(tuple(value))
        return shape.text(members(shape.values(value)))

    containers: dict[type, _Writer] = {
        dict: write_dict,
        list: lambda value: list_text('["l"', members(value)),
        tuple: lambda value: list_text('["t"', members(value)),
        set: lambda value: set_text('["set"', members(value)),
        frozenset: lambda value: set_text('["fset"', members(value)),
    }
    return LEAVES | {id(kind): writer for kind, writer in containers.items()}


def _levels() -> list[_Writers]:
    levels = [_deepest_level()]
    for _ in range(_QUICK_LEVELS):
        levels.insert(0, _level_above(levels[0]))
    return levels


_LEVELS: Final = _levels()
