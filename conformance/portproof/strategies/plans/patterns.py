"""Compiled patterns of text and of bytes, with every set of flags that they take."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["patterns"]

#: Valid on every supported Python.
_SOURCES = ("", "a", "^inv-\\d+$", "(?i)a", "[a-z]{2,3}", "(?P<year>\\d{4})", "a|b", "é+", "\\n", "(?x) a # b")
_FLAGS = (re.IGNORECASE, re.MULTILINE, re.DOTALL, re.VERBOSE, re.ASCII)


def _flag_sets() -> list[int]:
    return [sum(chosen) for size in range(len(_FLAGS) + 1) for chosen in combinations(_FLAGS, size)]


@cache
def patterns() -> SearchStrategy[Any]:
    """Patterns whose flags are given, stand in the text, or are implied."""
    sources = st.sampled_from([*_SOURCES, *(source.encode() for source in _SOURCES if source.isascii())])
    return st.builds(_compiled, sources, st.sampled_from(_flag_sets()))


def _compiled(source: Any, flags: int) -> re.Pattern[Any]:
    return re.compile(source, flags)
