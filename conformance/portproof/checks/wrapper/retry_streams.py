"""A retry wrapper passes streams through."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMChunk
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.retries import down
from portproof.probes import AtCall, Chunks
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import chunk_lists


async def _expect_one_attempt(bench: WrapperBench, failure: Exception, step: Any) -> None:
    inner = bench.inner(step, bench.response())
    outcome = await bench.attempt_stream(await bench.wrapping(inner, initial_delay_ms=1))
    expect_equal(len(inner.streamed), 1, "the number of inner streams")
    expect(outcome.error is failure, "the caller does not get the failure of the stream", raised=outcome.error)


@check("RES-RETRY-STREAM-ONE-ATTEMPT", chunks=chunk_lists(min_size=1, terminal=False))
async def a_stream_that_has_begun_is_not_tried_again(bench: WrapperBench, chunks: list[LLMChunk]) -> None:
    failure = down()
    await _expect_one_attempt(bench, failure, Chunks(chunks, failure))


@check("RES-RETRY-STREAM-NO-EARLY-RETRY", at_call=st.booleans())
async def a_stream_that_fails_before_its_first_chunk_is_not_tried_again(bench: WrapperBench, at_call: bool) -> None:
    failure = down()
    await _expect_one_attempt(bench, failure, AtCall(failure) if at_call else Chunks((), failure))


@check(
    "RES-RETRY-STREAM-SILENT",
    chunks=chunk_lists(max_size=2, terminal=False),
    ends=st.sampled_from(["well", "with a failure", "with a failure at the call"]),
)
async def over_streams_only_what_happened_is_reported(bench: WrapperBench, chunks: list[LLMChunk], ends: str) -> None:
    failing = AtCall(down()) if ends == "with a failure at the call" else Chunks(chunks, down())
    inner, hooks = bench.inner(bench.response() if ends == "well" else failing), bench.hooks()
    await bench.attempt_stream(await bench.wrapping(inner, initial_delay_ms=1), hooks=hooks)
    again = len(inner.streamed) - 1
    for kind, most in (("retried", again), ("recovered", min(again, 1))):
        expect(
            hooks.kinds.count(kind) <= most,
            f"{kind!r} is reported, which did not happen",
            inner_streams=len(inner.streamed),
            reports=hooks.kinds,
        )
