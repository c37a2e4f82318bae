"""The canonical texts of containers, from the texts of their members (document 30, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, Final, NamedTuple

from agentports.plans._leaves import quoted
from agentports.ports.plans import EncodingError

__all__ = ["MAX_DEPTH", "Shape", "list_text", "map_text", "set_text", "shape_of", "too_deep"]

#: How many containers a value may be nested in, itself included.
MAX_DEPTH: Final = 640
_SHAPES: Final[dict[tuple[str, ...], Shape]] = {}
_MAX_SHAPES: Final = 1024
_MAX_SHAPE_CHARS: Final = 1024


def too_deep() -> EncodingError:
    """That a value nests deeper than that."""
    return EncodingError(f"more than {MAX_DEPTH} nested containers", code="value_too_deep")


class Shape(NamedTuple):
    """What the text of a string-keyed dict owes to its keys alone. Records of one kind share one shape."""

    #: Picks the values out of the dict, in the order of the text.
    values: Callable[[dict[str, Any]], Iterable[Any]]
    #: The text in parts; every second one is the place of a value.
    parts: list[str]

    def text(self, values: list[str]) -> str:
        """The text of the dict whose values have these texts."""
        parts = self.parts[:]
        parts[1::2] = values
        return "".join(parts)


def shape_of(keys: tuple[str, ...]) -> Shape:
    """The shape of dicts with these keys, which are exactly of type str."""
    shape = _SHAPES.get(keys)
    if shape is None:
        shape = _new_shape(sorted(keys))
        if sum(map(len, keys)) + len(keys) <= _MAX_SHAPE_CHARS:
            _remember(keys, shape)
    return shape


def _remember(keys: tuple[str, ...], shape: Shape) -> None:
    if len(_SHAPES) >= _MAX_SHAPES:
        _SHAPES.clear()
    _SHAPES[keys] = shape


def _new_shape(keys: list[str]) -> Shape:
    if not keys:
        return Shape(dict.values, ["{}"])
    parts = [part for key in keys for part in (f",{quoted(key)}:", "")]
    parts[0] = "{" + parts[0][1:]
    pick: Callable[[dict[str, Any]], Iterable[Any]] = (
        itemgetter(*keys) if len(keys) > 1 else lambda record: record.values()
    )
    return Shape(pick, [*parts, "}"])


def list_text(opening: str, members: Iterable[str]) -> str:
    """The text of a container that keeps the order of its members."""
    return ",".join((opening, *members)) + "]"


def set_text(opening: str, members: list[str]) -> str:
    """The text of a container whose members have no order."""
    _refuse_repeats(members)
    return list_text(opening, sorted(members))


def map_text(keys: list[str], values: list[str]) -> str:
    """The text of a dict with a key that is no text."""
    _refuse_repeats(keys)
    return list_text('["map"', (f"[{key},{value}]" for key, value in sorted(zip(keys, values, strict=True))))


def _refuse_repeats(texts: list[str]) -> None:
    if len(set(texts)) < len(texts):
        raise EncodingError("two keys or members have one encoding", code="unencodable_value")
