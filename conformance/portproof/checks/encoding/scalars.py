"""Numbers and texts keep every bit and every character."""

from __future__ import annotations

import math
import struct
import unicodedata
from typing import Any

from hypothesis import strategies as st

from portproof.benches.plans.encodings import EncodingBench
from portproof.benches.plans.portraits import portrait
from portproof.checks.encoding.comparing import expect_all_different, expect_different
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans.values import exact_texts

_payloads = st.integers(1, (1 << 52) - 1)


@check("ENC-FLOAT-SPECIALS", number=st.floats(allow_nan=False), payload=_payloads, negative=st.booleans())
async def every_bit_of_a_float_is_kept_but_those_of_nan(
    bench: EncodingBench, number: float, payload: int, negative: bool
) -> None:
    expect_all_different(bench, [0.0, -0.0])
    for exact in (number, -number):
        back = bench.decode(bench.encode(exact))
        expect(type(back) is float and _bits(back) == _bits(exact), "a float came back as another one", got=repr(back))
    (strange,) = struct.unpack(">d", struct.pack(">Q", negative << 63 | 0x7FF << 52 | payload))
    expect_equal(bench.encode(strange), bench.encode(math.nan), "the encoding of a NaN of other bits")
    back = bench.decode(bench.encode(strange))
    expect(type(back) is float and back != back, "a NaN came back as something else", got=repr(back))


def _bits(number: float) -> bytes:
    return struct.pack(">d", number)


_powers = st.integers(0, 200) | st.sampled_from([14_000, 14_400, 20_000])


@check("ENC-BIG-INTS", power=_powers, add=st.integers(-2, 2), negative=st.booleans())
async def integers_have_any_size(bench: EncodingBench, power: int, add: int, negative: bool) -> None:
    number = ((1 << power) + add) * (-1 if negative else 1)
    data = bench.encode(number)
    back = bench.decode(data)
    # Numbers of this size are not shown: Python writes no more than 4,300 digits.
    expect(type(back) is int and back == number, "an integer came back as another value", type=type(back).__name__)
    for neighbour in (number - 1, number + 1):
        expect(bench.encode(neighbour) != data, "an integer and its neighbour have one encoding")


@check("ENC-STRINGS-EXACT", text=exact_texts(20))
async def texts_are_kept_character_for_character(bench: EncodingBench, text: str) -> None:
    spellings = [text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC"))]
    for spelling in spellings:
        value: Any = {spelling: spelling}
        bench.expect_back(value, bench.encode(value))
    for spelling in (*spellings[1:], text.strip(), text + "\n", text.replace("\r\n", "\n"), text.casefold()):
        if portrait(spelling) != portrait(text):
            expect_different(bench, text, spelling)
            expect_different(bench, {text: 1}, {spelling: 1})
