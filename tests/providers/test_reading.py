"""Reading JSON that may be anything."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.providers._reading import count_in, objects_in, parse_json, text_in

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(VALUES, st.booleans())
@settings(deadline=None)
def test_json_is_read_as_the_library_reads_it(value: object, ascii_only: bool) -> None:
    """Numbers of any size, escapes, order: two parsers, one meaning."""
    try:
        text = json.dumps(value, ensure_ascii=ascii_only)
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value)
    got, expected = parse_json(text), json.loads(text)
    assert (got, json.dumps(got)) == (expected, json.dumps(expected))


@pytest.mark.parametrize("text", ['"\\ud83d"', "[" * 500 + "]" * 500, '{"a": 1, "a": 2}', "NaN", "1e400", " [1]\r\n"])
def test_what_the_fast_parser_refuses_is_read_all_the_same(text: str) -> None:
    """Half of a surrogate pair and deep nesting are JSON; the library's extensions stay too."""
    assert json.dumps(parse_json(text)) == json.dumps(json.loads(text))


@pytest.mark.parametrize("text", ["", "{", "[DONE]", "{} x", "'a'", '"a\nb"', "[" * 100_000])
def test_a_bad_text_is_nothing(text: str) -> None:
    """None stands for it, as for null: neither is an answer."""
    assert parse_json(text) is None


def test_members_of_another_kind_count_as_absent() -> None:
    """Objects, texts and counts are taken only for what they are."""
    assert objects_in([{"a": 1}, "b", None, {}]) == [{"a": 1}, {}]
    assert objects_in({"a": 1}) == objects_in(None) == []
    assert [text_in({"a": value}, "a") for value in ("x", 1, None)] == ["x", "", ""]
    assert [count_in({"a": value}, "a") for value in (0, 7, -1, True, 1.5, "7")] == [0, 7, None, None, None, None]
    assert (text_in([], "a"), count_in(None, "a")) == ("", None)
