"""Typed arrays of every kind of element."""

from __future__ import annotations

from array import array
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["TYPECODES", "array_kind", "typed_arrays"]

#: The typecodes that a plan can hold.
TYPECODES = "bBhHiIlLqQfd"


def array_kind(code: str) -> str:
    """The kind of element: `int8` to `uint64`, `float32`, `float64`."""
    family = "float" if code in "fd" else "int" if code.islower() else "uint"
    return f"{family}{8 * array(code).itemsize}"


@cache
def typed_arrays(codes: str = TYPECODES) -> SearchStrategy[Any]:
    """Arrays of these typecodes, with the extremes of each."""
    return st.sampled_from(codes).flatmap(lambda code: st.lists(_items(code), max_size=4).map(lambda i: array(code, i)))


@cache
def _items(code: str) -> SearchStrategy[Any]:
    bits = 8 * array(code).itemsize
    if code in "fd":
        return st.floats(width=32 if bits == 32 else 64)
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if code.islower() else (0, (1 << bits) - 1)
    return st.sampled_from([low, high]) | st.integers(low, high)
