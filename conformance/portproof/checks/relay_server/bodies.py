"""Reading the body: what is none, what is no request, and what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from hypothesis import strategies as st

from portproof.benches.relay.bench import MESSAGE, MINIMAL, RelayBench
from portproof.benches.relay.in_process import AppBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import json_values, markers

_BOM = b"\xef\xbb\xbf"
_VALID = b'{"messages":[]}'
_NO_JSON: Sequence[bytes] = (
    b"{",
    b'{"messages":[]',
    _VALID + b"x",
    _VALID + _VALID,
    b'{"messages":[]} // done',
    b'/* now */ {"messages":[]}',
    b"{'messages':[]}",
    b'{"messages":[],}',
    b"{messages:[]}",
    b'data: {"messages":[]}',
    b'"\x01"',
    b" ",
    b"\x00",
    _BOM,
    *(_VALID.decode().encode(name) for name in ("utf-16", "utf-16-le", "utf-32")),
)


@check("RLY-BODY-MISSING")
async def a_missing_body_is_400(bench: RelayBench) -> None:
    await bench.refuses(b"", 400, "without a body")
    await bench.refuses([b""], 400, "with an empty chunked body", chunked=True)
    if isinstance(bench, AppBench):
        await bench.refuses([b"", b""], 400, "with a body of empty pieces")
        await bench.refuses(b"", 400, "with GET", method="GET")


@check("RLY-BODY-INVALID", data=st.binary(min_size=1, max_size=40), other=json_values())
async def a_body_that_is_no_request_is_400(bench: RelayBench, data: bytes, other: Any) -> None:
    for body in (b"\xff" + data, data[:-1] + b"{", *_NO_JSON):
        await bench.refuses(body, 400, "with a body that is no JSON")
    for value in (other, [other], {"prompt": other}, {"model": "m", "messages": [], "stream": True}):
        await bench.refuses(value, 400, "with JSON of another shape")


@check("RLY-BODY-READ-FAILURE", marker=markers())
async def a_body_that_cannot_be_read_is_400(bench: AppBench, marker: str) -> None:
    bench.needs_inside("a failure to read the body")

    def fail() -> NoReturn:
        raise RuntimeError(marker)

    for pieces in ([], [b'{"mess'], [_VALID]):
        answer = await (await bench.open(data=pieces or b"", then=fail)).over()
        expect_equal(answer.status, 400, "the status when reading the body raises")
        expect(answer.raised is None and marker not in answer.text, "the text of the failure gets out")
        expect(not bench.calls, "the provider was called")


@check("RLY-BODY-BOM")
async def a_byte_order_mark_is_dropped_and_counted(bench: RelayBench) -> None:
    marked = _BOM + _VALID
    await bench.accepts_bytes(marked, MINIMAL, "with a byte-order mark")
    await bench.accepts_bytes([marked[:2], marked[2:]], MINIMAL, "with a byte-order mark in two pieces", chunked=True)
    if not bench.is_remote:
        await bench.limit_to(len(marked) + 1)
        await bench.accepts_bytes(marked, MINIMAL, "with a byte-order mark, below the limit")
        await bench.limit_to(len(marked))
        await bench.refuses(marked, 413, "with a byte-order mark, at the limit")


@check("RLY-BODY-INVALID-UTF8")
async def bytes_that_are_no_text_are_replaced(bench: RelayBench) -> None:
    body = b'{"messages":[{"id":"1","role":"user","content":"a\xffb"}]}'
    await bench.accepts_bytes(body, {"messages": [{**MESSAGE, "content": "a\ufffdb"}]}, "with a byte that is no UTF-8")
    request = {"messages": [{**MESSAGE, "content": "é日😀"}]}
    cut = [bytes([byte]) for byte in json.dumps(request, ensure_ascii=False).encode()]
    await bench.accepts_bytes(cut, request, "with characters that are cut", chunked=True)


@check("RLY-INBOUND-ABORT-READ")
async def half_a_request_starts_nothing(bench: RelayBench) -> None:
    bench.needs_upstream()
    for prefix in (_VALID, b'{"mess', b""):
        status = await bench.give_up_within(prefix)
        expect(status in (None, 413), "a request that was given up is answered", status=status)
        expect(not bench.calls, "the provider was called for half a request", prefix=prefix)
