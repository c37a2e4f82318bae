"""Error bodies, and what of them is quoted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.errors.bodies import QUOTED, overflow_sentence, read_error_body
from portproof.strategies import json_values


@pytest.mark.parametrize(
    ("body", "message", "code"),
    [
        ({"error": {"message": "m", "code": "c"}}, "m", "c"),
        ([{"error": {"message": "m", "code": "c"}}], "m", "c"),
        ({"error": "m", "code": "c"}, "m", "c"),
        ({"message": "m"}, "m", None),
        ({"detail": "m"}, "m", None),
        ({"error": {"code": "c"}, "message": "m"}, "m", "c"),
        ({"error": {"message": ""}}, None, None),
        ({"error": {"message": ["m"]}}, None, None),
        ({"error": None}, None, None),
        ([], None, None),
        ([["m"]], None, None),
        ("m", None, None),
        (None, None, None),
    ],
)
def test_the_error_object_and_its_message(body: Any, message: str | None, code: str | None) -> None:
    """Wherever the vendor puts them."""
    read = read_error_body(json.dumps(body))
    assert read.message == message
    assert read.error.get("code") == code


@pytest.mark.parametrize("body", ["", "<html>", "{", '{"a": ' + "9" * 5000 + "}", "[" * 100_000, "\ud800", "NaN"])
def test_what_is_no_json_has_no_message(body: str) -> None:
    """Pages, broken JSON, numbers and depths that no parser takes."""
    assert read_error_body(body) == ({}, None)


@settings(deadline=None)
@given(json_values())
def test_any_json_is_read(body: Any) -> None:
    """Whatever a body is, reading it does not raise."""
    read = read_error_body(json.dumps(body))
    assert read.message is None or read.message


@settings(deadline=None)
@given(st.text(max_size=400), st.text(max_size=400))
def test_the_surroundings_of_a_phrase_are_quoted(before: str, behind: str) -> None:
    """Where the message does not hold the phrase; bounded, and with the phrase in it."""
    text = f"{before} prompt is too long {behind}"
    quoted = overflow_sentence(None, text)
    assert "prompt is too long" in quoted
    assert len(quoted) <= 2 * QUOTED
    assert overflow_sentence("refused", text) == f"refused … {quoted}"


def test_a_message_that_says_it_is_quoted_whole() -> None:
    """However long it is."""
    message = f"prompt is too long {'x' * 5000}"
    assert overflow_sentence(message, f"{message} and more") == message
    assert overflow_sentence("refused", "nothing") == "refused"
