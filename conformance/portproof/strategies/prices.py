"""Names of models and of kinds of tokens that no pricing table lists."""

from __future__ import annotations

import string
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["unknown_kinds", "unlisted_models"]


@cache
def unlisted_models() -> SearchStrategy[str]:
    """Twelve random letters: the beginning of such a name says nothing of what it is."""
    return st.text(string.ascii_lowercase, min_size=12, max_size=12)


@cache
def unknown_kinds() -> SearchStrategy[str]:
    """Misspelt kinds, and random words."""
    misspelt = st.sampled_from(["imput", "ouput", "cache_raed", "cache_writes", "cach_read", "inputs", "total", ""])
    return misspelt | st.text(string.ascii_lowercase, min_size=8, max_size=8)
