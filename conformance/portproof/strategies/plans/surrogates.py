"""Texts that UTF-8 has no bytes for, somewhere in a value."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from portproof.strategies.plans.nesting import Nested, nested
from portproof.strategies.plans.values import exact_texts

__all__ = ["lone_surrogates"]


@cache
def lone_surrogates() -> SearchStrategy[Nested]:
    """A text with a surrogate that has no partner, or has it in the wrong order, as a value or a key."""
    lone = st.sampled_from(["\ud800", "\udfff", "\udc00\ud800", "\ud800\ud800"])
    texts = st.builds(lambda before, middle, after: before + middle + after, exact_texts(3), lone, exact_texts(3))
    return texts.flatmap(lambda text: nested(lambda: text))
