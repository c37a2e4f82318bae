"""The table of phrases."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.errors.phrases import PHRASES, Phrase, find_phrase, lowered
from tests.errors.wordings import OTHERS, SAID, Said


@pytest.mark.parametrize("said", SAID, ids=lambda said: said.text[:40])
def test_every_wording_is_found(said: Said) -> None:
    """In any case, with any white space between its words."""
    for text in (said.text, said.text.upper(), said.text.replace(" ", "\n\t ")):
        assert find_phrase(text), text


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_overflow_is_not_found(text: str) -> None:
    """Throttling, quotas, output caps and sizes of another kind use many of the same words."""
    assert find_phrase(text) is None


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase.pattern[:40])
def test_every_row_finds_a_wording(phrase: Phrase) -> None:
    """A row that matches nothing that anybody says is a mistake in its pattern."""
    assert any(phrase.compiled.search(lowered(said.text)) for said in SAID)


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase.pattern[:40])
def test_every_row_says_whose_it_is(phrase: Phrase) -> None:
    """A row without a source could not be judged again; a capital letter would never match."""
    assert phrase.vendor
    assert phrase.source
    assert phrase.pattern == lowered(phrase.pattern)


def test_no_row_stands_twice() -> None:
    """Each wording has one row."""
    patterns = [phrase.pattern for phrase in PHRASES]
    assert len(set(patterns)) == len(patterns)


@settings(deadline=None)
@given(st.text())
def test_lower_case_moves_nothing(text: str) -> None:
    """A place in the lower-case text is the same place in the text, whatever letters stand before it."""
    small = lowered(text + "İẞPROMPT")
    assert small == text.translate({c: c + 32 for c in range(ord("A"), ord("Z") + 1)}) + "İẞprompt"


def test_letters_of_other_scripts_are_no_ascii_letters() -> None:
    """Some letters become ASCII ones in lower case; a phrase is not made of them."""
    assert find_phrase("input tokens exceed the configured limit") is not None
    for letter, other in (("k", "\u212a"), ("s", "ſ"), ("i", "İ"), ("i", "ı")):
        assert find_phrase("input tokens exceed the configured limit".replace(letter, other)) is None, other
