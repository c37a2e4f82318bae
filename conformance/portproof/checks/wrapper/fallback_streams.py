"""Streams of a pair: until the first chunk the fallback may take over, after it never."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMChunk, LLMResponse, ProviderError
from portproof.benches.views import ChunkView
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.pairs import Pair, chunk_fields
from portproof.probes import AtCall, Chunks, Says, chunks_of
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import chunk_lists, provider_errors, reports, responses, texts
from portproof.subjects.driver import aclose


@check("RES-FALLBACK-STREAM-BEFORE-FIRST-CHUNK", error=provider_errors(), chunks=chunk_lists(terminal=False))
async def a_stream_that_fails_at_once_is_replaced(
    bench: WrapperBench, error: ProviderError, chunks: list[LLMChunk]
) -> None:
    await _expect_replaced(bench, error, chunks)


@check("RES-FALLBACK-STREAM-SETUP-ERROR", error=provider_errors(), chunks=chunk_lists(terminal=False))
async def a_stream_that_cannot_be_opened_is_replaced(
    bench: WrapperBench, error: ProviderError, chunks: list[LLMChunk]
) -> None:
    await _expect_replaced(bench, AtCall(error), chunks)


async def _expect_replaced(bench: WrapperBench, primary: Any, chunks: list[LLMChunk]) -> None:
    terminal = LLMChunk(token_index=len(chunks), done=True, response=bench.response("whole"))
    pair = await Pair.around(bench, primary, Chunks([*chunks, terminal]))
    outcome = await pair.call("stream")
    expect(outcome.error is None, "the stream raised although the fallback can serve it", raised=outcome.error)
    expect_equal(
        chunk_fields(outcome.chunks), chunk_fields([*chunks, terminal]), "the chunks, which are the fallback's"
    )
    pair.expect_reported()


@check("RES-FALLBACK-STREAM-PINNED", chunks=chunk_lists(max_size=3, terminal=False), error=provider_errors())
async def a_stream_that_began_is_not_replaced(
    bench: WrapperBench, chunks: list[LLMChunk], error: ProviderError
) -> None:
    first = LLMChunk(token_index=0, content="begun")
    await _expect_pinned(bench, [first, *chunks], error)


@check(
    "RES-FALLBACK-STREAM-PINNED-BY-ANY-CHUNK",
    thinking=st.none() | texts(max_size=10),
    more=st.integers(0, 2),
    error=provider_errors(),
)
async def a_chunk_without_text_pins_too(
    bench: WrapperBench, thinking: str | None, more: int, error: ProviderError
) -> None:
    silent = [LLMChunk(token_index=index, content="", thinking_delta=thinking) for index in range(more + 1)]
    await _expect_pinned(bench, silent, error)


async def _expect_pinned(bench: WrapperBench, chunks: list[LLMChunk], error: ProviderError) -> None:
    pair = await Pair.around(bench, Chunks(chunks, error))
    outcome = await pair.call("stream")
    pair.expect_untouched("after the primary's stream had begun")
    expect(outcome.error is error, "the primary's error was not raised as it is", raised=outcome.error)
    received = chunk_fields(outcome.chunks)
    expect_equal(received, chunk_fields(chunks)[: len(received)], "the chunks, which are the primary's and no more")


@check("RES-FALLBACK-STREAM-FROM-COMPLETE", error=provider_errors(), response=responses(), said=reports())
async def a_fallback_that_cannot_stream_serves_by_complete(
    bench: WrapperBench, error: ProviderError, response: LLMResponse, said: dict[str, Any]
) -> None:
    pair = await _streaming_pair(bench, error, Says([("on_resilience", said)], response), streams=(True, False))
    outcome = await pair.call("stream")
    expect(outcome.error is None, "the stream raised although the fallback can complete", raised=outcome.error)
    expect_equal(len(pair.fallback.completes), 1, "the number of times that the fallback's complete was called")
    expect(said in pair.hooks.reports, "the fallback's complete was called without the caller's hooks")
    _expect_one_answer(outcome.chunks, [response])


@check("RES-FALLBACK-NO-PRIMARY-STREAM-SILENT", content=texts(min_size=0))
async def a_primary_that_cannot_stream_has_not_failed(bench: WrapperBench, content: str) -> None:
    first, second = bench.response(content), bench.response(content[::-1], provider_ref="second")
    pair = await _streaming_pair(bench, first, second, streams=(False, True))
    outcome = await pair.call("stream")
    expect(outcome.error is None, "the stream raised although nothing failed", raised=outcome.error)
    expect(not pair.fell_back, "a fall-back is reported although nothing failed", reports=pair.fell_back)
    _expect_one_answer(outcome.chunks, [first, second])


async def _streaming_pair(bench: WrapperBench, primary: Any, fallback: Any, streams: tuple[bool, bool]) -> Pair:
    if not bench.subject.can_stream:
        raise NotApplicable("the subject declares no stream")
    pair = await Pair.around(bench, primary, fallback, streams=streams)
    expect(pair.wrapper.can_stream, "the pair has no stream although one of its sides can stream")
    return pair


def _expect_one_answer(chunks: list[Any], responses: list[LLMResponse]) -> None:
    """A terminal chunk with one of the responses, and before it that response's text or nothing."""
    views = [ChunkView.of(chunk) for chunk in chunks]
    expect(views and views[-1].done is True, "the stream does not end in a terminal chunk", chunks=chunks)
    *before, last = views
    expect_equal(last.content, "", "the content of the terminal chunk")
    expect(last.response in responses, "the terminal chunk does not hold the response", got=last.response)
    text = "".join(chunk.content or "" for chunk in before)
    expect(text in ("", last.response.content), "the text of the chunks is not the response's content", text=text)
    expect(not any(chunk.done for chunk in before), "there is more than one terminal chunk", chunks=chunks)


@check("RES-FALLBACK-STREAM-EMPTY-PRIMARY")
async def an_empty_stream_has_not_failed(bench: WrapperBench) -> None:
    pair = await Pair.around(bench, Chunks([]))
    await pair.call("stream")
    pair.expect_untouched("after an empty stream of the primary")


@check("RES-FALLBACK-ABANDONED-IS-NO-FAILURE", taken=st.integers(0, 4))
async def leaving_is_no_failure(bench: WrapperBench, taken: int) -> None:
    pair = await Pair.around(bench, Chunks(chunks_of(bench.response("three pieces!"))))
    if taken:
        await bench.attempt_stream(pair.wrapper, hooks=pair.hooks, take=taken)
    else:
        await aclose(await pair.wrapper.open_stream(bench.request(), pair.hooks))
    pair.expect_untouched("after the caller closed the stream")
