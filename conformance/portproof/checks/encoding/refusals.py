"""What no plan can hold is refused, wherever it stands, and with a code."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from portproof.benches.plans.encodings import EncodingBench, Refusal
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies.plans import encodable_values, unencodables
from portproof.strategies.plans.nesting import Nested
from portproof.strategies.plans.surrogates import lone_surrogates
from portproof.strategies.plans.unencodables import BUFFERS, FOREIGN, SUBCLASSED, TIMES, Unencodable


def _expect_refused(bench: EncodingBench, place: Nested, what: str, code: str = "unencodable_value") -> Refusal:
    refusal = bench.refusal_of(place.value)
    expect_equal(refusal.code, code, f"the code for {what}")
    return refusal


@check("ENC-UNENCODABLE-REFUSED", value=unencodables(FOREIGN))
async def what_is_no_plan_value_is_refused(bench: EncodingBench, value: Unencodable) -> None:
    refusal = _expect_refused(bench, value.place, value.what)
    if value.place.path is not None:
        _expect_path(refusal, value.place.path)
        farther = bench.refusal_of({"outer": [0, value.place.value]})
        _expect_path(farther, ".".join(filter(None, ("outer.1", value.place.path))))


def _expect_path(refusal: Refusal, path: str) -> None:
    # What the path to the outermost value itself looks like is open.
    if path:
        expect_equal(refusal.path, path, "the path to what is refused")


@check("ENC-MUTABLE-BUFFERS-REFUSED", value=unencodables(BUFFERS))
async def memory_of_somebody_else_is_refused(bench: EncodingBench, value: Unencodable) -> None:
    _expect_refused(bench, value.place, value.what)


@check("ENC-SUBCLASS-REFUSED", value=unencodables(SUBCLASSED))
async def subclasses_of_plan_values_are_refused(bench: EncodingBench, value: Unencodable) -> None:
    _expect_refused(bench, value.place, value.what)


@check("ENC-NAIVE-DATETIME-REFUSED", value=unencodables(TIMES))
async def times_without_a_known_offset_are_refused(bench: EncodingBench, value: Unencodable) -> None:
    _expect_refused(bench, value.place, value.what)


@check("ENC-LONE-SURROGATE-REFUSED", place=lone_surrogates())
async def a_text_with_a_lone_surrogate_is_refused(bench: EncodingBench, place: Nested) -> None:
    _expect_refused(bench, place, "a text with a lone surrogate")


_TWINS: dict[str, Callable[[list[Any]], Any]] = {
    "set": set,
    "frozenset": frozenset,
    "dict": lambda keys: dict.fromkeys(keys, "x"),
    "set of tuples": lambda parts: {(part, 1) for part in parts},
}
_twins = st.sampled_from(sorted(_TWINS))


@check("ENC-DUPLICATE-MEMBER-REFUSED", kind=_twins, other=encodable_values(2))
async def two_members_with_one_encoding_are_refused(bench: EncodingBench, kind: str, other: Any) -> None:
    one = [_TWINS[kind]([math.nan, 1]), other]
    bench.expect_back(one, bench.encode(one))
    # Two objects that are not equal, so that Python keeps both.
    both = _TWINS[kind]([float("nan"), 1, float("nan")])
    for place in (both, [both], {"a": both}, (0, both), {1: both}):
        expect_equal(bench.refusal_of(place).code, "unencodable_value", f"the code for a {kind} with two NaN")
