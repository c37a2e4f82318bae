"""Waits as vendors state them in headers and messages, and what states none."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["Wait", "broken_delays", "decimals", "garbage", "no_waits", "numbers", "waits_in_words"]


class Wait(NamedTuple):
    """A wait as it is written, and how many milliseconds it is."""

    text: str
    ms: float


_OPENINGS = ("try again in", "Try again in", "retry after", "retry in", "Retry after")
#: Unit, with the blank that is usual before it, and its milliseconds.
_UNITS = (
    ("ms", 1),
    (" milliseconds", 1),
    ("s", 1_000),
    (" seconds", 1_000),
    ("m", 60_000),
    (" minutes", 60_000),
    ("h", 3_600_000),
    (" hours", 3_600_000),
)


@cache
def decimals() -> SearchStrategy[Wait]:
    """Numbers with a fraction; `ms` is the number itself."""
    return st.builds(_decimal, st.integers(0, 600), st.integers(1, 999))


def _decimal(whole: int, thousandths: int) -> Wait:
    text = f"{whole}.{thousandths:03}".rstrip("0")
    return Wait(text, float(text))


@cache
def numbers() -> SearchStrategy[Wait]:
    """Whole numbers and ones with a fraction; `ms` is the number itself."""
    return st.integers(1, 600).map(lambda number: Wait(str(number), number)) | decimals()


@cache
def waits_in_words() -> SearchStrategy[Wait]:
    """Waits as messages state them: whole, decimal, or compound, in each unit."""
    simple = st.builds(_simple, numbers(), st.sampled_from(_UNITS))
    compound = st.builds(_compound, st.integers(0, 23), st.integers(1, 59), decimals())
    return st.builds(
        lambda opening, wait: Wait(f"{opening} {wait.text}", wait.ms), st.sampled_from(_OPENINGS), simple | compound
    )


def _simple(number: Wait, unit: tuple[str, int]) -> Wait:
    return Wait(f"{number.text}{unit[0]}", number.ms * unit[1])


def _compound(hours: int, minutes: int, seconds: Wait) -> Wait:
    text = f"{hours}h{minutes}m" if hours else f"{minutes}m"
    return Wait(f"{text}{seconds.text}s", hours * 3_600_000 + minutes * 60_000 + seconds.ms * 1000)


@cache
def no_waits() -> SearchStrategy[str]:
    """Messages with numbers that are no waits."""
    forms = (
        "Please try again in {n}.",
        "Please retry after {n} attempts.",
        "Try again in {n} months.",
        "Retry in {n} sessions.",
        "Only {n} requests per {n} seconds are allowed. Please try again later.",
        "The request took {n} seconds. Please retry.",
        "Try again. {n} seconds have passed.",
    )
    return st.builds(lambda form, n: form.format(n=n), st.sampled_from(forms), st.integers(1, 600))


@cache
def garbage() -> SearchStrategy[str]:
    """Values of a header that should be a number: words, odd numbers, dates that are none, nothing."""
    known = (
        "",
        "soon",
        "nan",
        "inf",
        "-inf",
        "0x10",
        "12, 34",
        "5 parsecs",
        "später",
        "Fri, 31 Foo 2099 00:00:00 GMT",
    )
    return st.sampled_from(known) | st.text("abcGMT:,;-+./_%", max_size=12)


@cache
def broken_delays() -> SearchStrategy[Any]:
    """What stands in place of a duration such as `44s`."""
    return st.sampled_from(("", "soon", "s", "44", "44x", "4s4", "nans", "infs", 44, None, [], {"seconds": 44}))
