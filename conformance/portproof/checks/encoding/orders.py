"""Where order is content, where it is not, and in which order things are written."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from portproof.benches.plans.encodings import EncodingBench
from portproof.benches.plans.portraits import portrait
from portproof.benches.plans.walking import copied
from portproof.checks.encoding.comparing import expect_all_different
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.strategies.plans import encodable_values, hashable_values
from portproof.strategies.plans.values import exact_texts

#: Cases, accents in either spelling, private use and beyond: orders by UTF-16 units, by locale and by case differ.
_KEY_CHARACTERS = "aAbBzZ_19 \u00e9\u00c9e\u0301\ue000\uffff\U0001f600\U00010000\x00"
#: Numbers that a table of eight places has all in one place, so that their order tells how it was filled.
_crowded = st.integers(0, 5).map(lambda n: 8 * n)
_members = st.lists(hashable_values() | _crowded, min_size=2, max_size=5)
_texts_or_keys = st.dictionaries(exact_texts(3) | hashable_values(2), encodable_values(2), min_size=2, max_size=4)
_dicts = st.dictionaries(exact_texts(3), encodable_values(2), min_size=2, max_size=4) | _texts_or_keys


@check("ENC-DICT-ORDER-IRRELEVANT", value=_dicts, around=st.sampled_from(["nothing", "list", "dict", "map"]))
async def the_order_of_insertion_is_no_content(bench: EncodingBench, value: dict[Any, Any], around: str) -> None:
    places: dict[str, Any] = {"nothing": value, "list": [value], "dict": {"a": {"b": value}}, "map": {1: value}}
    whole = places[around]
    again = bench.encode(copied(whole, reverse=True))
    expect_equal(again, bench.encode(whole), "the encoding of the same dict, filled in reverse order,")


@check(
    "ENC-DICT-CODEPOINT-ORDER",
    keys=st.lists(st.text(_KEY_CHARACTERS, max_size=3), min_size=2, max_size=6, unique=True),
)
async def string_keys_stand_in_the_order_of_code_points(bench: EncodingBench, keys: list[str]) -> None:
    for some in (keys, [*_KEY_CHARACTERS]):
        expect_equal(_keys_of(bench.encode(dict.fromkeys(some))), sorted(set(some)), "the order of the keys")


def _keys_of(data: bytes) -> list[str]:
    try:
        return [key for key, _ in json.loads(data, object_pairs_hook=lambda pairs: pairs)]
    except (ValueError, TypeError):
        raise Violation("a dict of text keys is not written as a JSON object", encoding=data) from None


@check("ENC-LIST-ORDER-MATTERS", members=st.lists(encodable_values(2), min_size=2, max_size=4, unique_by=portrait))
async def the_order_of_a_list_is_content(bench: EncodingBench, members: list[Any]) -> None:
    swapped = [members[-1], *members[1:-1], members[0]]
    expect_all_different(bench, [members, swapped])
    expect_all_different(bench, [tuple(members), tuple(swapped)])


@check("ENC-SET-ORDER-IRRELEVANT", members=_members)
async def the_order_in_which_a_set_was_built_is_no_content(bench: EncodingBench, members: list[Any]) -> None:
    # Of members that Python takes for one, a set keeps the first.
    members = list(dict.fromkeys(members))
    for kind in (set, frozenset):
        forwards, backwards = kind(members), kind(members[::-1])
        expect_equal(
            bench.encode(backwards), bench.encode(forwards), f"the encoding of a {kind.__name__} built backwards"
        )
        inside = bench.encode({"a": [frozenset({frozenset(members[::-1])})]})
        expect_equal(
            inside, bench.encode({"a": [frozenset({frozenset(members)})]}), "the encoding of a nested frozenset"
        )


_unordered = st.sets(exact_texts(4), min_size=2, max_size=5) | st.dictionaries(
    hashable_values(2), st.integers(0, 3), min_size=2, max_size=4
)


@check("ENC-DETERMINISTIC", values=st.lists(encodable_values() | _unordered, min_size=1, max_size=6), at_most=10)
async def the_same_value_has_the_same_bytes_every_time(bench: EncodingBench, values: list[Any]) -> None:
    encoded = [bench.encode(value) for value in values]
    for value, first in zip(values, encoded, strict=True):
        expect_equal(bench.encode(value), first, "the encoding of the same value, once more,")
        expect_equal(bench.encode(copied(value)), first, "the encoding of a copy")
    for elsewhere in bench.elsewhere.encode(values):
        for value, first, data in zip(values, encoded, elsewhere, strict=True):
            expect(
                data == first,
                "another process with another hash seed encodes it otherwise",
                here=first,
                there=data,
                differing=value,
            )
