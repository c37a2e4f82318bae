"""Decoding takes what encoding gives, and nothing else."""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any

from hypothesis import strategies as st

from portproof.benches.plans.encodings import EncodingBench, shown
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies.plans import arg_values, encodable_values
from portproof.strategies.plans.corruptions import STRAY_TEXTS, Corruption, corruptions

_faults = st.lists(corruptions(), min_size=1, max_size=5)


@check(
    "ENC-DECODE-STRICT",
    value=encodable_values() | arg_values(),
    faults=_faults,
    stray=st.lists(st.sampled_from(STRAY_TEXTS), min_size=10, max_size=20, unique=True),
)
async def what_encode_does_not_write_is_refused(
    bench: EncodingBench, value: Any, faults: list[Corruption], stray: list[bytes]
) -> None:
    data = bench.encode(value)
    for text in (*(fault.of(data) for fault in faults), *stray):
        read, refusal = bench.read_or_refused(text)
        if refusal is None:
            expect(
                bench.encode_own(read) == text,
                "decode accepted a text that encode does not write",
                text=text.decode("utf-8", "backslashreplace"),
                read_as=shown(read),
            )


#: Well-formed texts of values that cannot be built.
_UNBUILDABLE = (
    '["dt","2026-07-02T03:04:05.000006","+02:00","No/Where"]',
    '["dt","2026-07-02T03:04:05.000006","+02:00",""]',
    '["dt","2026-07-02T03:04:05.000006","+02:00","Europe"]',
    '["dt","2026-07-02T03:04:05.000006","+02:00","../Europe/Paris"]',
    '["dt","2026-07-02T03:04:05.000006","+02:00","Europe/Paris\\u0000"]',
    '["dt","2026-13-02T03:04:05.000006","+02:00",null]',
    '["dt","2026-02-30T03:04:05.000006","+02:00",null]',
    '["dt","0000-01-01T00:00:00.000000","+00:00",null]',
    '["dt","2026-07-02T24:00:00.000000","+02:00",null]',
    '["dt","2026-07-02T03:04:60.000000","+02:00",null]',
    '["dt","2026-07-02T03:04:05.000006","+24:00",null]',
    '["dt","2026-07-02T03:04:05.000006","-24:00","Europe/Paris"]',
    '["td","-ffffffffffffffffffff"]',
    '["re","*",32]',
    '["re","(",32]',
    '["re","(?P<a>",32]',
    '["re","a",160]',
    '["re",["b","YQ=="],4]',
    '["re","a",36]',
    '["re",["b","KD9MKWE="],4]',
    '["re","a",4294967328]',
    '["re","a",99999999999999999999999]',
    '["re","a{99999999999}",32]',
    '["ivl",["dt","2026-07-02T03:04:05.000006","+02:00",null],["dt","2026-07-02T03:04:05.000005","+02:00",null]]',
    '["ivl",["dt","2026-07-02T03:04:05.000006","+01:00",null],["dt","2026-07-02T03:04:05.000006","+02:00",null]]',
)


@check("ENC-DECODE-UNBUILDABLE")
async def values_that_cannot_be_built_are_refused(bench: EncodingBench) -> None:
    printed = io.StringIO()
    for text in _UNBUILDABLE:
        for data in (text, f'["l",{text}]', f'{{"a":{text}}}'):
            with contextlib.redirect_stdout(printed):
                bench.decode_refusal(data.encode())
    expect(not printed.getvalue(), "decoding printed something", printed=printed.getvalue())


_tags = st.text("abcXYZ:._-", min_size=1, max_size=8).map(lambda text: f"custom{text}")


@check("ENC-UNKNOWN-TAG-NAMED", tag=_tags | st.just("custom:Foo"), fields=st.lists(encodable_values(2), max_size=2))
async def the_error_for_an_unknown_tag_names_it(bench: EncodingBench, tag: str, fields: list[Any]) -> None:
    written = ["{}", *(bench.encode(field).decode() for field in fields)]
    form = f"[{json.dumps(tag)},{','.join(written)}]"
    for text in (form, f'["l",{form}]', f'{{"a":["t",{form}]}}', f'["map",[["i","1"],{form}]]'):
        refusal = bench.decode_refusal(text.encode())
        expect(tag in refusal.text, f"the error does not name the unknown tag {tag}", text=text, error=refusal.text)
