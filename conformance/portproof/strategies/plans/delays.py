"""How long each step of a concurrent call waits for others."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["delays"]


@cache
def delays() -> SearchStrategy[list[int]]:
    """Numbers of turns of the loop."""
    return st.lists(st.integers(0, 3), max_size=7)
