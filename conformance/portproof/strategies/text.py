"""Texts, names and ids that are legal at every vendor (document 12, section 1)."""

from __future__ import annotations

import string
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["call_ids", "error_messages", "markers", "model_ids", "names", "texts"]

# A closed alphabet: every length of UTF-8, both sides of every border that a decoder or a line splitter may trip over.
_AWKWARD = (
    "\u2028\u2029\u0085\u0301\u200d\u200b\ufe0f\u00a0\ufeff\t\n\r\x01\x1b\x7f \"'\\/{}[]<>&:,`$%=#"
    "é߿ࠀ日한ह￿😀👩🏽🇩𝕏\U0010ffff\u202eاşß"
)
_ALPHABET = string.ascii_letters + string.digits + _AWKWARD.replace("￿", "\ufffd")
_WORD = string.ascii_letters + string.digits + "_"


@cache
def texts(*, min_size: int = 1, max_size: int = 40) -> SearchStrategy[str]:
    """Texts with at least one visible character and awkward ones among them; no NUL, no lone surrogate."""
    text = st.text(_ALPHABET, min_size=min_size, max_size=max_size)
    return text.map(_visible) if min_size else text


def _visible(text: str) -> str:
    return text if any(c.isalnum() for c in text) else text + "x"


@cache
def error_messages() -> SearchStrategy[str]:
    """Messages of errors: short ones, and some as long as the page of a proxy."""
    return texts(max_size=10) | texts(max_size=10).map(lambda text: f"{text}: {'bad gateway ' * 50}")


@cache
def names() -> SearchStrategy[str]:
    """Tool names: a letter, then letters, digits and underscores."""
    tail = st.text(_WORD, max_size=20)
    return st.builds(str.__add__, st.sampled_from(string.ascii_letters), tail)


@cache
def call_ids(longest: int = 40) -> SearchStrategy[str]:
    """Ids of tool calls: 1 to 40 of letters, digits, underscore and hyphen."""
    return st.text(_WORD + "-", min_size=1, max_size=longest)


@cache
def model_ids() -> SearchStrategy[str]:
    """Plausible model ids: known vendors' spellings, misspelt ones and unknown ones."""
    known = ("gpt-4o", "gpt-4o-mini", "o1", "claude-sonnet-4-5", "gemini-2.5-flash", "llama3.2", "gpt4o", "CLAUDE")
    tail = st.text(string.ascii_lowercase + string.digits + "-.", max_size=30)
    made_up = st.builds(str.__add__, st.sampled_from(string.ascii_lowercase), tail)
    return st.one_of(st.sampled_from(known), made_up)


@cache
def markers() -> SearchStrategy[str]:
    """Words that occur nowhere by chance, for finding something again."""
    return st.text("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", min_size=10, max_size=10).map(lambda m: f"mk{m}")
