"""The way back: strict, without recursion, and with errors that say what is wrong."""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agentports.plans import decode, encode
from agentports.plans._json_texts import read_json
from agentports.ports import EncodingError
from portproof.benches.plans.portraits import portrait
from portproof.strategies.plans import arg_values, encodable_values
from portproof.strategies.plans.corruptions import STRAY_TEXTS, Corruption, corruptions

from .second_decoder import SecondDecoder
from .second_encoder import Refused, SecondEncoder

generated = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@generated
@given(encodable_values() | arg_values())
def test_each_decoder_reads_what_the_other_encoder_writes(value: Any) -> None:
    """And both read the same value."""
    text = SecondEncoder().encode(value)
    assert portrait(decode(text)) == portrait(value) == portrait(SecondDecoder().decode(encode(value)))


@generated
@given(encodable_values() | arg_values(), corruptions())
def test_both_decoders_refuse_the_same_texts(value: Any, fault: Corruption) -> None:
    """Of those with one fault."""
    _agree(fault.of(encode(value)))


# How deep a pattern may nest depends on how many calls Python allows, which the plain decoder raises.
@pytest.mark.parametrize("text", [text for text in STRAY_TEXTS if b"(((" not in text])
def test_both_decoders_refuse_what_nobody_wrote(text: bytes) -> None:
    """Texts that are no JSON, not canonical, or without a tag."""
    _agree(text)


def _agree(text: bytes) -> None:
    read = {}
    for decoder in (decode, SecondDecoder().decode):
        try:
            read[decoder] = encode(decoder(text))
        except (EncodingError, Refused):
            read[decoder] = b""
    assert set(read.values()) in ({b""}, {text})


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        (b"\xff", "malformed_encoding", "not UTF-8"),
        (b"nul", "malformed_encoding", "not JSON"),
        (b"]", "malformed_encoding", "closes"),
        (b"[", "malformed_encoding", "not one JSON value"),
        (b'{"a"}', "malformed_encoding", "pairs"),
        (b"[]", "malformed_encoding", "does not begin with a tag"),
        (b"1", "malformed_encoding", "number"),
        (b'{"b":null,"a":null}', "malformed_encoding", "canonical"),
        (b'["map",["a"]]', "malformed_encoding", "pair"),
        (b'["set",["l"]]', "malformed_encoding", "members"),
        (b'["custom:Foo",{}]', "unknown_tag", "custom:Foo"),
        (b'["BranchId"]', "unknown_tag", "BranchId"),
        (b'["i"]', "unbuildable_value", "from this i"),
        (b'["re","*",32]', "unbuildable_value", "nothing to repeat"),
        (b'["re","a",160]', "unbuildable_value", "flags"),
        (b'["dt","2026-01-02T03:04:05.000006","+01:00","No/Where"]', "unbuildable_value", "No/Where"),
        (b'["dt","2026-01-02T03:04:05.000006","+01:00","../x"]', "unbuildable_value", "not the name"),
        (b'["dt","2026-07-02T03:04:05.000006","+01:00","Europe/Paris"]', "unbuildable_value", "offset"),
    ],
)
def test_an_error_says_what_is_wrong(text: bytes, code: str, told: str) -> None:
    """By its code and in words."""
    with pytest.raises(EncodingError, match=told) as refused:
        decode(text)
    assert refused.value.code == code


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@generated
@given(json_values)
@example("\\")
@example({'"': ['\\"', "\n"]})
def test_json_is_read_as_the_standard_library_reads_it(value: Any) -> None:
    """Of the sort that has no fractions."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert read_json(text) == json.loads(text) == value


@pytest.mark.parametrize("opening", [b"[", b'["l",', b'{"a":', b'["map",[["i","1"],', b'["map",['])
def test_no_depth_is_too_much_for_the_reader(opening: bytes) -> None:
    """It is refused before anything is built, and in little time."""
    with pytest.raises(EncodingError) as refused:
        decode(opening * 200_000)
    assert refused.value.code == "value_too_deep"


def test_equal_members_that_nest_deep_are_refused_like_others() -> None:
    """Although Python compares them by calls that go as deep."""
    deep = b'["t",' * 600 + b"true" + b"]" * 600
    alike = deep.replace(b"true", b'["i","1"]')
    with pytest.raises(EncodingError):
        decode(b'["set",' + alike + b"," + deep + b"]")


def test_a_pattern_that_python_warns_of_is_decoded_without_a_word() -> None:
    """Whoever compiled it has seen the warning."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert decode(b'["re","[[a]",32]').pattern == "[[a]"
    assert not told


def test_a_bytearray_or_a_text_is_not_decoded() -> None:
    """Only bytes are an encoding."""
    for data in (bytearray(b"null"), memoryview(b"null"), "null", None):
        with pytest.raises(EncodingError):
            decode(data)  # type: ignore[arg-type]


def test_a_huge_integer_takes_no_decimal_digits() -> None:
    """Of which Python writes and reads no more than 4,300."""
    assert sys.get_int_max_str_digits() < 10_000
    assert decode(encode(-(1 << 100_000))) == -(1 << 100_000)
