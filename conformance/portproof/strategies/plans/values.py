"""Every kind of value that a plan can hold (document 30, section 2), recursively."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import UNDEFINED
from portproof.strategies.plans.arrays import typed_arrays
from portproof.strategies.plans.patterns import patterns
from portproof.strategies.plans.times import durations, intervals, moments, timespans

__all__ = ["big_ints", "encodable_values", "exact_texts", "hashable_values", "plan_floats", "plan_leaves"]


@cache
def exact_texts(max_size: int = 12) -> SearchStrategy[str]:
    """Texts of every character that UTF-8 has: controls, both spellings of an accent, beyond the first plane."""
    unusual = st.sampled_from(
        ["", "\x00", "\x1f", "\x7f", "\u0085", "\u2028", "\u00e9", "e\u0301", "\U0001f600", '"\\', "\r\n"]
    )
    return st.text(max_size=max_size) | unusual


@cache
def big_ints(bits: int = 80) -> SearchStrategy[int]:
    """Integers of either sign, and those around powers of two."""
    powers = st.builds(lambda power, step: (1 << power) + step, st.integers(0, bits), st.integers(-1, 1))
    return st.integers(-1000, 1000) | powers | powers.map(lambda n: -n)


@cache
def plan_floats() -> SearchStrategy[float]:
    """Floats with all specials. Every NaN is one object, so that no set holds two members with one encoding."""
    return st.floats().map(lambda number: math.nan if number != number else number)


@cache
def _hashable_leaves() -> SearchStrategy[Any]:
    return st.one_of(
        st.none(),
        st.booleans(),
        st.just(UNDEFINED),
        big_ints(),
        plan_floats(),
        exact_texts(),
        st.binary(max_size=6),
        moments(),
        timespans(),
        durations(plan_floats()),
        intervals(),
        patterns(),
    )


@cache
@st.composite
def plan_leaves(draw: st.DrawFn) -> Any:
    """Values that hold no others."""
    return draw(_hashable_leaves() | typed_arrays())


@cache
@st.composite
def hashable_values(draw: st.DrawFn, max_leaves: int = 4) -> Any:
    """Values that may be keys of a dict and members of a set."""
    return draw(_hashable_values(max_leaves))


@cache
def _hashable_values(max_leaves: int) -> SearchStrategy[Any]:
    return st.recursive(
        _hashable_leaves(),
        lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
        max_leaves=max_leaves,
    )


# Composites, because Hypothesis says now and then how a strategy is made, and of these it would say a great deal.


@cache
@st.composite
def encodable_values(draw: st.DrawFn, max_leaves: int = 8) -> Any:
    """Values of every row of the table of document 30, section 2, in one another."""
    return draw(_encodable_values(max_leaves))


@cache
def _encodable_values(max_leaves: int) -> SearchStrategy[Any]:
    keys = hashable_values(2)
    return st.recursive(
        plan_leaves(),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.lists(inner, max_size=4).map(tuple),
            st.dictionaries(exact_texts(), inner, max_size=4),
            st.dictionaries(keys, inner, max_size=4),
            st.sets(keys, max_size=4),
            st.frozensets(keys, max_size=4),
        ),
        max_leaves=max_leaves,
    )
