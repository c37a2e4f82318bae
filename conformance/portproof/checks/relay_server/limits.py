"""The limit of the body: bytes that were received, up to the limit and no further."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from portproof.benches.relay.bench import MINIMAL, RelayBench
from portproof.benches.relay.in_process import AppBench
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.subjects.relays import DEFAULT_LIMIT

_PIECE = 2**16


def _padded(size: int) -> list[bytes]:
    """A valid request of so many bytes, in pieces."""
    body = b'{"messages":[]'.ljust(size - 1) + b"}"
    return [body[start : start + _PIECE] for start in range(0, size, _PIECE)]


def _wide(size: int) -> bytes:
    """A valid request of so many bytes and far fewer characters."""
    start, end = b'{"messages":[{"id":"1","role":"user","content":"', b'"}]}'
    left = size - len(start) - len(end)
    return start + "日".encode() * (left // 3) + b"x" * (left % 3) + end


async def _expect_limit(bench: RelayBench, limit: int, **sending: Any) -> None:
    answer = await bench.post(_padded(limit - 1), **sending)
    expect_equal(answer.status, 200, f"the status of a body of {limit - 1} bytes where the limit is {limit}")
    for size in (limit, limit + 1):
        await bench.refuses(_padded(size), 413, f"with {size} bytes where the limit is {limit}", **sending)


@check("RLY-LIMIT-DEFAULT")
async def the_default_limit_is_a_mebibyte(bench: RelayBench) -> None:
    if "limit" in bench.subject.options:
        raise NotTested("the relay was given a limit")
    if bench.subject.parameters is not None and "limit" in bench.subject.parameters.required:
        raise NotTested("the factory wants to be given a limit")
    await _expect_limit(bench, DEFAULT_LIMIT)


@check("RLY-LIMIT-CONFIGURED", limit=st.integers(20, 5000))
async def a_configured_limit_is_kept(bench: RelayBench, limit: int) -> None:
    if bench.is_remote:
        if "limit" not in bench.subject.options:
            raise NotTested("the option `limit` does not say which limit the relay was given")
        limit = bench.limit
    else:
        await bench.limit_to(limit)
    await _expect_limit(bench, limit)


@check("RLY-LIMIT-BYTES", size=st.integers(300, 3000))
async def bytes_are_counted_and_not_characters(bench: RelayBench, size: int) -> None:
    if bench.is_remote:
        size = bench.limit
    else:
        await bench.limit_to(size)
    answer = await bench.post(_wide(size - 1))
    expect_equal(answer.status, 200, f"the status of {size - 1} bytes of long characters where the limit is {size}")
    for length in (size, size + 200):
        await bench.refuses([_wide(length)], 413, f"with {length} bytes of long characters where the limit is {size}")


@check("RLY-LIMIT-RECEIVED", size=st.integers(100, 3000))
async def what_is_received_decides(bench: RelayBench, size: int) -> None:
    if bench.is_remote:
        size = bench.limit
    else:
        await bench.limit_to(size)
    await _expect_limit(bench, size, chunked=True)
    if isinstance(bench, AppBench):
        answer = await bench.post(_padded(size), length=10)
        expect_equal(answer.status, 413, "the status of a body that says that it is shorter than it is")


@check("RLY-LIMIT-STOPS")
async def reading_stops_at_the_limit(bench: RelayBench) -> None:
    taken = await bench.endless()
    expect(taken.status in (None, 413), "an endless body is not refused with 413", status=taken.status)
    expect(taken.bytes <= taken.most, "the body is read beyond the limit", taken=taken.bytes, limit=bench.limit)
    await bench.post(MINIMAL)


@check("RLY-LIMIT-BEFORE-PARSE")
async def an_oversized_body_is_413_whatever_it_holds(bench: RelayBench) -> None:
    garbage = [b"\xff{" + b"x" * _PIECE] * (bench.limit // _PIECE + 1)
    for body in (_padded(bench.limit), garbage, _padded(bench.limit + _PIECE)):
        await bench.refuses(body, 413, "with an oversized body")
