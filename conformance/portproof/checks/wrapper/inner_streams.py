"""What a wrapper owes to the stream inside it, and to the reader outside."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Literal

from hypothesis import strategies as st

from agentports.ports import LLMChunk
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.claims import reading
from portproof.checks.wrapper.sameness import expect_same
from portproof.checks.wrapper.scenes import absorbs, stage, ways
from portproof.probes import HANG, Chunks, InstrumentedProvider, chunks_of
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import told
from portproof.strategies import chunk_lists
from portproof.subjects.driver import Driver, aclose

# Far more than passing a chunk on can take, far less than a wrapper's own deadline. In seconds of virtual time.
_SOON_S = 1.0


@check("WRP-CHUNKS-UNCHANGED", chunks=chunk_lists())
async def every_chunk_arrives_as_it_came(bench: WrapperBench, chunks: list[LLMChunk]) -> None:
    for fails in (False, absorbs(bench, "stream")):
        inner = stage(bench, Chunks(chunks), after_failure=fails)
        got = await bench.stream(await bench.around(inner))
        expect_equal(len(got), len(chunks), "the number of chunks", got_chunks=got)
        for position, (one, original) in enumerate(zip(got, chunks, strict=True)):
            expect_same(one, original, f"chunk {position}")


@check("WRP-STREAM-UNBUFFERED", yielded=st.integers(2, 6))
async def chunks_are_passed_on_as_they_come(bench: WrapperBench, yielded: int) -> None:
    chunks = [LLMChunk(token_index=i, content=f"{i} ") for i in range(yielded)]
    stream = bench.open(await bench.around(bench.inner(Chunks(chunks, HANG))))
    got: list[Any] = []
    reader = asyncio.ensure_future(_read(stream, got, yielded - 1))
    await asyncio.wait({reader}, timeout=_SOON_S)
    expect(
        len(got) >= yielded - 1,
        f"the inner stream has yielded {yielded} chunks and waits; at most one may be held back",
        arrived=len(got),
        raised=reader.exception() if reader.done() else None,
    )
    with suppress(Exception):
        await stream.aclose()


async def _read(stream: Any, into: list[Any], count: int) -> None:
    while len(into) < count:
        into.append(await anext(stream))


@check("WRP-STREAM-PRESENT-IFF-INNER")
async def stream_is_there_exactly_when_the_inner_one_is(bench: WrapperBench) -> None:
    expect((await bench.around(bench.inner())).can_stream, "stream is absent although the inner provider can stream")
    for which, inner in {
        "has no stream": bench.inner(streams=False),
        "has None as stream": bench.inner(streams=False, stream=None),
    }.items():
        wrapper = await bench.around(inner)
        expect(not wrapper.can_stream, f"stream is present although the inner provider {which}")


@check("WRP-METHODS-CORRESPOND")
async def complete_and_stream_call_their_own_kind(bench: WrapperBench) -> None:
    for way in ways(await bench.around(bench.inner())):
        inner = bench.inner()
        wrapper = await bench.around(inner)
        for _ in range(2):
            await getattr(bench, way)(wrapper, bench.request(temperature=0))
        methods = [call.method for call in inner.calls]
        # A wrapper of purposes of its own may ask twice or remember answers, but not in the other way.
        expected = methods if bench.subject.kind == "other" and set(methods) == {way} else [way, way]
        expect_equal(methods, expected, f"the inner calls of two equal {way} calls")


@check("WRP-STREAM-CLOSE-PROPAGATES", taken=st.integers(0, 3), ending=st.sampled_from(["aclose", "cancel"]))
async def leaving_early_closes_the_inner_stream(
    bench: WrapperBench, taken: int, ending: Literal["aclose", "cancel"]
) -> None:
    chunks = chunks_of(bench.response("one two th"))
    inner = bench.inner(Chunks(chunks) if ending == "aclose" else Chunks(chunks[:taken], HANG))
    wrapper = await bench.around(inner)
    with reading("stream()"):
        iterator = await wrapper.open_stream(bench.request())
    if ending == "aclose":
        await _take_and_close(iterator, taken)
    else:
        await _take_and_cancel(iterator, taken)
    left = [call for call in inner.streamed if call.left_open]
    expect(not left, f"the inner stream is still open after {ending}", chunks_read=taken)


async def _take_and_close(iterator: Any, count: int) -> None:
    try:
        for _ in range(count):
            await anext(iterator)
        await aclose(iterator)
    except Exception as error:
        raise Violation(f"closing the stream early raised {told(error)}") from error


async def _take_and_cancel(iterator: Any, count: int) -> None:
    got: list[Any] = []
    # One more than there are: the reader is cancelled while it waits for it.
    reader = asyncio.ensure_future(_read(iterator, got, count + 1))
    await asyncio.wait({reader}, timeout=_SOON_S)
    reader.cancel()
    await asyncio.wait({reader}, timeout=_SOON_S)
    expect(reader.done(), "the stream goes on after the cancellation of its reader")
    with suppress(Exception, asyncio.CancelledError):
        reader.result()


@check("WRP-STREAM-LAZY")
async def opening_a_stream_asks_nothing(bench: WrapperBench) -> None:
    inner = bench.inner()
    wrapper = await bench.around(inner)
    with reading("stream()"):
        iterator = await wrapper.open_stream(bench.request())
    await asyncio.sleep(_SOON_S)
    expect(not _touched(bench, inner), "stream() reached the inner provider before the first step of the iteration")
    await _take_and_close(iterator, 1)
    expect(inner.calls, "the first chunk came without a call of the inner provider")


def _touched(bench: WrapperBench, inner: InstrumentedProvider) -> bool:
    """Whether the inner provider was asked.

    An inner stream that was made and not begun has sent nothing; but a wrapper that acts on failures has decided.
    """
    acts = bench.subject.kind in ("fallback", "circuit-breaker")
    return any(call.started or acts or call.method == "complete" for call in inner.calls)


@check("WRP-PAIR-STREAM-PRESENCE", streams=st.lists(st.booleans(), min_size=2, max_size=4))
async def a_pair_streams_when_a_side_can(bench: WrapperBench, streams: list[bool]) -> None:
    sides = [bench.inner(streams=one, name=f"side{n}") for n, one in enumerate(bench.sides(streams))]
    wrapper = await bench.wrapping(*sides)
    expect_equal(wrapper.can_stream, any(bench.sides(streams)), "whether the pair has a stream")
    if wrapper.can_stream:
        await _expect_terminal(bench, wrapper)


async def _expect_terminal(bench: WrapperBench, wrapper: Driver) -> None:
    chunks = await bench.stream(wrapper)
    expect(chunks and chunks[-1].done, "the pair's stream ends without a terminal chunk", chunks=chunks)
    expect(chunks[-1].response is not None, "the terminal chunk of the pair's stream has no response", chunks=chunks)
