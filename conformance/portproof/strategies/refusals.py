"""What vendors write around the sentences that matter: words, cases and sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import cycle

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["any_case", "grouped", "surroundings", "token_sizes", "unrelated"]

#: Words that no phrase for an overflow is made of, and that no such phrase can come from together.
_WORDS = (
    "request",
    "failed",
    "vendor",
    "please",
    "retry",
    "id",
    "42",
    "{",
    "}",
    "'",
    "—",
    "é",
    "ß",
    "日本",
    "error:",
    "\n",
)


@cache
def unrelated() -> SearchStrategy[str]:
    """Text that says nothing about sizes, limits or waits."""
    return st.lists(st.sampled_from(_WORDS), max_size=6).map(" ".join)


@cache
def surroundings() -> SearchStrategy[Callable[[str], str]]:
    """Functions that put a sentence between unrelated words."""
    return st.builds(_Around, unrelated(), unrelated())


@dataclass(frozen=True)
class _Around:
    before: str
    behind: str

    def __call__(self, sentence: str) -> str:
        return " ".join(part for part in (self.before, sentence, self.behind) if part)


@cache
def any_case() -> SearchStrategy[Callable[[str], str]]:
    """Functions that write some letters of a text in upper case and the others in lower case."""
    return st.lists(st.booleans(), min_size=1, max_size=8).map(_Cased)


@dataclass(frozen=True)
class _Cased:
    upper: list[bool]

    def __call__(self, text: str) -> str:
        return "".join(c.upper() if up else c.lower() for c, up in zip(text, cycle(self.upper), strict=False))


@cache
def token_sizes(least: int = 1) -> SearchStrategy[int]:
    """Numbers of tokens."""
    return st.integers(least, 10_000_000)


def grouped(number: int, separator: str) -> str:
    """A number with its thousands apart."""
    return f"{number:,}".replace(",", separator)
