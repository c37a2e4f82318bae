"""The tables of sizes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.errors.phrases import lowered
from agentports.errors.sizes import ACTUALS, LIMITS, PAIRS, Row, stated_sizes
from tests.errors.wordings import SAID, Said

ROWS = (*PAIRS, *LIMITS, *ACTUALS)


@pytest.mark.parametrize("said", SAID, ids=lambda said: said.text[:40])
def test_every_wording_states_its_sizes(said: Said) -> None:
    """In any case, and whatever stands around it."""
    for text in (said.text, said.text.upper(), f"[400] req 42: {said.text} (request id 12345)"):
        assert stated_sizes(text) == (said.limit, said.actual), text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.pattern.pattern[:40])
def test_every_row_reads_a_wording(row: Row) -> None:
    """A row that reads nothing that anybody says is a mistake in its pattern."""
    assert row.vendor
    assert any(row.pattern.search(lowered(said.text)) for said in SAID)


def test_no_row_stands_twice() -> None:
    """Each wording has one row."""
    patterns = [row.pattern.pattern for row in ROWS]
    assert len(set(patterns)) == len(patterns)


def test_a_pair_ends_the_search() -> None:
    """The half that it leaves out is not taken from elsewhere."""
    half = "The input token count exceeds the maximum number of tokens allowed (5)."
    assert stated_sizes(f"{half} Your messages resulted in 9 tokens.") == (5, None)
    assert stated_sizes("There is a limit of 7 tokens. exceeds context limit: 0 + 2 > 5") == (5, None)


@pytest.mark.parametrize("number", ["0", "0,0", ",", "_,", "9" * 309, "9" * 10_000, "٣", "３", "²"])
def test_what_is_no_size_is_absent(number: str) -> None:
    """Nought, no digits, more than a float holds, digits of other scripts."""
    assert stated_sizes(f"maximum context length is {number} tokens, resulted in {number} tokens") == (None, None)
    assert stated_sizes(f"prompt is too long: {number} tokens > {number}") == (None, None)
    assert stated_sizes(f"exceed context limit: {number} + 5 > 7").actual is None


@settings(deadline=None)
@given(st.integers(1, 10**300), st.integers(1, 10**300), st.sampled_from(["", ",", "_"]))
def test_sizes_are_read_as_written(limit: int, actual: int, separator: str) -> None:
    """Whole numbers of any size, with or without their thousands apart."""
    written = [f"{number:,}".replace(",", separator) for number in (actual, limit)]
    assert stated_sizes("prompt is too long: {} tokens > {} maximum".format(*written)) == (limit, actual)


@settings(deadline=None)
@given(st.text("0123456789,_ tokens>+().:prmisolgcexdfu", max_size=200))
def test_any_text_is_read(text: str) -> None:
    """Sizes are numbers above nought or absent, and nothing raises."""
    for said in (
        text,
        f"prompt is too long: {text}",
        f"exceed context limit: {text}",
        f"maximum context length is {text}",
    ):
        assert all(size is None or size > 0 for size in stated_sizes(said))
