"""Compiled patterns and typed arrays."""

from __future__ import annotations

import contextlib
import io
import re
from array import array
from typing import Any

from hypothesis import strategies as st

from portproof.benches.plans.encodings import EncodingBench
from portproof.checks.encoding.comparing import expect_all_different
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans import patterns, typed_arrays
from portproof.strategies.plans.arrays import TYPECODES, array_kind


@check("ENC-REGEX", one=patterns(), other=patterns(), more=st.sampled_from([re.I, re.M, re.S, re.X, re.A]))
async def a_pattern_keeps_its_text_its_kind_and_its_flags(
    bench: EncodingBench, one: re.Pattern[Any], other: re.Pattern[Any], more: int
) -> None:
    flagged = re.compile(one.pattern, _own_flags(one) ^ more)
    spelled = re.compile(
        one.pattern.encode() if isinstance(one.pattern, str) and one.pattern.isascii() else one.pattern
    )
    for pattern in (other, flagged, spelled):
        bench.expect_back(pattern, bench.encode(pattern))
        same = bench.encode(one) == bench.encode(pattern)
        expect_equal(same, _content(one) == _content(pattern), f"whether {one!r} and {pattern!r} have one encoding")
    printed = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()):
        debugged = re.compile(one.pattern, _own_flags(one) | re.DEBUG)
    expect_equal(bench.encode(debugged), bench.encode(one), "the encoding with DEBUG")
    with contextlib.redirect_stdout(printed):
        bench.decode(bench.encode(debugged))
    expect(not printed.getvalue(), "decoding a pattern printed something", printed=printed.getvalue())


def _own_flags(pattern: re.Pattern[Any]) -> int:
    """The flags that may be given: UNICODE, which is implied, goes with ASCII not."""
    return int(pattern.flags) & ~int(re.UNICODE)


def _content(pattern: re.Pattern[Any]) -> tuple[Any, ...]:
    return type(pattern.pattern), pattern.pattern, int(pattern.flags) & ~int(re.DEBUG)


@check("ENC-TYPED-ARRAYS", items=typed_arrays())
async def a_typed_array_keeps_its_kind_and_its_values(bench: EncodingBench, items: Any) -> None:
    bench.expect_back(items, bench.encode(items))
    bench.expect_back({"a": [items]}, bench.encode({"a": [items]}))
    expect_all_different(bench, [array(code) for code in {array_kind(code): code for code in TYPECODES}.values()])
    kinds = [code for code in TYPECODES if array_kind(code) == array_kind(items.typecode)]
    for code in kinds:
        again = array(code, items)
        expect_equal(bench.encode(again), bench.encode(items), f"the encoding of the same items with typecode {code}")
