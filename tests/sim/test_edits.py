"""Edits that find an event by what it says."""

from __future__ import annotations

import pytest

from agentports.sim import Event, Hang, Step, Turn, cut_after, edited, insert_after, insert_at

A, B, C = Event({"text": "one"}), Event({"text": "two"}), Event("one again")
EVENTS = [A, B, C]


def test_cut_after_keeps_what_was_said_so_far() -> None:
    """The first event that says the word is the last that is sent, before what comes instead of the rest."""
    hang = Hang()
    assert cut_after("two")(EVENTS) == [A, B]
    assert cut_after("one", hang)(EVENTS) == [A, hang]


def test_insert_after_puts_steps_behind_their_words() -> None:
    """Each step stands behind the first event that says its word, and all events stay."""
    first, second = Event("x"), Event("y")
    steps: dict[str, Event | Step] = {"one": first, "two": second}
    assert insert_after(steps)(EVENTS) == [A, first, B, second, C]


def test_insert_at_counts_round() -> None:
    """A position behind the end begins again at the front, so that any number is a position."""
    junk = Event("junk")
    assert insert_at(1, junk)(EVENTS) == [A, junk, B, C]
    assert insert_at(3, junk)(EVENTS) == [junk, A, B, C]


def test_words_that_nobody_says_are_an_error() -> None:
    """A script that waits for a word of another turn is mistaken, and told so."""
    with pytest.raises(LookupError, match="'four'"):
        cut_after("four")(EVENTS)


def test_edits_leave_the_given_events_alone() -> None:
    """The list that an edit is given is not changed by it."""
    for edit in (cut_after("two"), insert_after({"one": B}), insert_at(2, A)):
        edit(EVENTS)
    assert EVENTS == [A, B, C]


def test_the_same_change_is_made_whole_and_in_pieces() -> None:
    """What an event says beside its data stays."""
    play = edited(Turn.of("one"), lambda document: {**document, "more": 1})
    assert play.edit_body({"text": "one"}) == {"text": "one", "more": 1}
    assert play.edit([Event({"text": "one"}, "named")]) == [Event({"text": "one", "more": 1}, "named")]
