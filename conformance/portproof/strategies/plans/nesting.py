"""A value somewhere inside others, and the path that leads to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["Nested", "nested"]


@dataclass
class Nested:
    """What holds the value; `path` where string keys and list indexes alone lead to it."""

    value: Any
    path: str | None


@cache
def _steps() -> SearchStrategy[list[str]]:
    # What a list or a dict stands in is a list or a dict: nothing else may hold it.
    return st.lists(st.sampled_from(["list", "tuple", "dict", "map", "key", "set", "frozenset"]), max_size=3)


@st.composite
def nested(draw: st.DrawFn, make: Callable[[], Any]) -> Nested:
    """What `make` makes, in up to three containers."""
    value, path = make(), []
    for step in draw(_steps()):
        if step in ("key", "set", "frozenset") and not _is_hashable(value):
            step = "dict"
        value, name = _AROUND[step](value)
        path.append(name)
    known = None not in path
    return Nested(value, ".".join(reversed(path)) if known else None)  # type: ignore[arg-type]


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except (TypeError, ValueError):
        return False
    return isinstance(value, Hashable)


_AROUND: dict[str, Callable[[Any], tuple[Any, str | None]]] = {
    "list": lambda value: ([0, value], "1"),
    "tuple": lambda value: ((value, "after"), None),
    "dict": lambda value: ({"before": 0, "field": value}, "field"),
    "map": lambda value: ({1: value}, None),
    "key": lambda value: ({value: "under it"}, None),
    "set": lambda value: ({value}, None),
    "frozenset": lambda value: (frozenset({value}), None),
}
