"""Edits of one field: definitions, paths into them, and what they lead to (document 31, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["FieldEdit", "field_edits"]

_KEYS = ("args", "x", "y", "0", "a b")


@dataclass
class FieldEdit:
    """A path into a definition, and the value that is set there."""

    definition: dict[str, Any]
    path: str
    value: Any

    @property
    def after(self) -> Any:
        """The definition once it is set."""
        return _with(self.definition, self.path.split("."), self.value)


@st.composite
def field_edits(draw: st.DrawFn) -> FieldEdit:
    """Edits of what is there and of what is missing. Below a new member of a list nothing is set."""
    definition = {**draw(_dicts(_contents())), "list": [0, {"x": draw(_contents()), "y": 1}, [draw(_contents())]]}
    around: Any = definition
    segments: list[str] = []
    while not segments or draw(st.booleans()):
        if isinstance(around, list):
            index = draw(st.integers(0, len(around)))
            segments.append(str(index))
            if index == len(around):
                break
            around = around[index]
        else:
            held = around if isinstance(around, dict) else {}
            segments.append(draw(st.sampled_from([*held, *held, "x", "0", "a b", "new"])))
            around = held.get(segments[-1])
    return FieldEdit(definition, ".".join(segments), draw(_contents()))


@cache
def _contents() -> SearchStrategy[Any]:
    leaves = st.sampled_from([None, 0, 1, True, "text", 0.5])
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | _dicts(inner), max_leaves=6)


def _dicts(values: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(_KEYS), values, max_size=3)


def _with(container: Any, segments: Sequence[str], value: Any) -> Any:
    if not segments:
        return value
    first, *rest = segments
    if isinstance(container, list):
        index = int(first)
        return [*container[:index], _with(dict(enumerate(container)).get(index), rest, value), *container[index + 1 :]]
    held = container if isinstance(container, dict) else {}
    return {**held, first: _with(held.get(first), rest, value)}
