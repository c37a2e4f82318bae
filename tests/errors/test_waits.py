"""The wait that a failure states."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.errors import stated_wait_ms

UNITS = {
    1: ("ms", "millisecond", "milliseconds"),
    1000: ("s", "sec", "secs", "second", "seconds"),
    60_000: ("m", "min", "mins", "minute", "minutes"),
    3_600_000: ("h", "hr", "hrs", "hour", "hours"),
}
ANY_UNIT = st.sampled_from([(unit, factor) for factor, units in UNITS.items() for unit in units])


@settings(deadline=None)
@given(st.integers(0, 10**6), ANY_UNIT, st.sampled_from(["try again in", "retry after", "Retry in:"]), st.booleans())
def test_a_wait_in_words(number: int, unit: tuple[str, int], words: str, apart: bool) -> None:
    """A number and its unit, behind the words that say what it is."""
    text = f"Busy. {words} {number}{' ' if apart else ''}{unit[0]}, please."
    assert stated_wait_ms({}, text) == number * unit[1]
    assert stated_wait_ms({}, text.upper()) == number * unit[1]


@settings(deadline=None)
@given(st.integers(0, 59), st.integers(0, 59), st.integers(0, 999))
def test_a_compound_wait(hours: int, minutes: int, thousandths: int) -> None:
    """Its parts are added up, decimals among them."""
    expected = hours * 3_600_000 + minutes * 60_000 + thousandths
    assert stated_wait_ms({}, f"try again in {hours}h{minutes}m0.{thousandths:03d}s.") == pytest.approx(expected)


@pytest.mark.parametrize(
    "text",
    ["", "try again in a moment", "try again in 5", "try again in 5 apples", "wait 5s", "retry after -5s", "٥s", "5s"],
)
def test_words_that_state_no_wait(text: str) -> None:
    """No number, no unit, or nobody says what it is."""
    assert stated_wait_ms({}, text) is None


@pytest.mark.parametrize("digits", [400, 20_000])
def test_a_wait_without_end_is_none(digits: int) -> None:
    """A number that no float holds is malformed, and the next source is tried."""
    text = f"try again in {'9' * digits}s"
    error = {"details": [{"retryDelay": "7s"}]}
    assert stated_wait_ms({}, text) is None
    assert stated_wait_ms({}, text, error) == 7000


def test_the_order_of_the_sources() -> None:
    """What is malformed is as if it were not sent, and the next one is tried."""
    headers = {"retry-after-ms": "1.5", "retry-after": "2"}
    error = {"details": [None, {"retryDelay": 4}, {"retryDelay": "4.5s"}]}
    for expected, gone in ((1.5, "retry-after-ms"), (2000, "retry-after")):
        assert stated_wait_ms(headers, "retry in 3s", error) == expected
        headers[gone] = "soon"
    assert stated_wait_ms(headers, "retry in 3s", error) == 3000
    assert stated_wait_ms(headers, "retry in 3", error) == 4500
    assert stated_wait_ms(headers, "retry in 3", {"details": "4s"}) is None


def test_a_date() -> None:
    """Time from now, and none for a date in the past."""
    wait = stated_wait_ms({"retry-after": formatdate(time.time() + 600, usegmt=True)})
    assert wait == pytest.approx(600_000, abs=60_000)
    assert stated_wait_ms({"retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"}) == 0
    assert stated_wait_ms({"retry-after": "Sun, 06 Nov 1994 08:49:37 -0000"}) == 0


@settings(deadline=None)
@given(st.text("0123456789. smhretyaginfORETRY:", max_size=60), st.text(max_size=20))
def test_any_text_is_read(words: str, header: str) -> None:
    """A wait is a finite number that is not negative, or absent, and nothing raises."""
    for text in (words, f"try again in {words}"):
        wait = stated_wait_ms({"retry-after": header, "retry-after-ms": header}, text)
        assert wait is None or 0 <= wait < float("inf")
