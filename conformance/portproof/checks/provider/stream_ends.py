"""How a stream ends: well, with an error, or not at all; and what comes last in it."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.sim import (
    Disconnect,
    Event,
    Play,
    Reset,
    Step,
    TokenCounts,
    ToolCall,
    Turn,
    VendorError,
    cut_after,
    insert_after,
    insert_at,
)
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import content_of, expect_usage
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import counts

_WORDS = ("alder", "birch", "cedar", "maple")
_TEXT = Turn.of(" ".join(_WORDS))
_MIXED = Turn.of("alder birch", ToolCall("call-1", "add", {"x": 1}, (3,)))
_FINISHED = ("stop", "tool_use", "max_tokens")

_REFUSALS = st.builds(
    VendorError,
    st.sampled_from([400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 529]),
    st.sampled_from(["It does not work.", "Rate limit reached. Please try again in 1.5s.", "prompt is too long"]),
    headers=st.sampled_from([(), (("retry-after", "1"),)]),
)
_TOLD = ("status", "retry_after_ms")


@check("STR-HTTP-ERROR-RAISES", refusal=_REFUSALS)
async def an_http_error_raises_as_it_does_from_complete(bench: ProviderBench, refusal: VendorError) -> None:
    bench.play(refusal)
    streamed = await bench.read()
    expect(not streamed.chunks, "a chunk came of an HTTP error", chunks=[chunk.raw for chunk in streamed.chunks])
    expect(streamed.error is not None, "the stream of an HTTP error ends without an exception")
    raised = await bench.error("complete")
    told = [(type(error).__name__, *(view(error, name) for name in _TOLD)) for error in (streamed.error, raised)]
    expect_equal(
        told[0], told[1], "what the stream raised (class, status, retry_after_ms), beside what complete raised,"
    )


@check(
    "STR-ERROR-EVENT-RAISES",
    after=st.sampled_from(_WORDS[:3]),
    status=st.sampled_from([429, 500, 503]),
    goes_on=st.booleans(),
)
async def an_error_in_the_stream_raises(bench: ProviderBench, after: str, status: int, goes_on: bool) -> None:
    event = bench.upstream.wires[0].error_event(VendorError(status))
    # A gateway may still send the usual end behind the error.
    bench.play(Play(_TEXT, edit=insert_after({after: event}) if goes_on else cut_after(after, event)))
    streamed = await bench.read()
    done = [chunk.raw for chunk in streamed.chunks if chunk.done]
    expect(not done, "a terminal chunk came although the vendor sent an error", terminal=done)
    expect(streamed.error is not None, "the stream ends without an exception although the vendor sent an error")


@check(
    "STR-CUT-NOT-FINISHED",
    upto=st.sampled_from(_WORDS[:3]),
    how=st.sampled_from([(), (Disconnect(),), (Reset(),)]),
)
async def half_an_answer_is_not_presented_as_one(bench: ProviderBench, upto: str, how: tuple[Step, ...]) -> None:
    # Where nothing need mark the end, only a broken transfer is certain to be a cut.
    broken = how if bench.dialect.marks_the_end else (Reset(),)
    bench.play(Play(_TEXT, edit=cut_after(upto, *broken)))
    streamed = await bench.read()
    if streamed.error is None and streamed.terminal is not None:
        reason = streamed.answer.stop_reason
        expect(reason not in _FINISHED, "half an answer is presented as finished", stop_reason=reason)


@check("STR-USAGE-FROM-FINAL-EVENT", reported=counts())
async def usage_without_content_is_read(bench: ProviderBench, reported: TokenCounts) -> None:
    bench.play(Turn.of("Counted.", counts=reported))
    streamed = await bench.stream()
    if not bench.dialect.reports_usage(bench.last):
        raise NotApplicable("the adapter does not ask for usage in a stream, so that the vendor reports none")
    expect_usage(bench, streamed.answer, reported, "stream")


@check(
    "STR-MALFORMED-LINE-TOLERATED",
    junk=st.sampled_from(["{not json", "upstream timed out", '{"id": "x", "choi', "<html>", "]"]),
    at=st.integers(0, 12),
)
async def a_line_that_is_not_json_is_skipped(bench: ProviderBench, junk: str, at: int) -> None:
    bench.play(_MIXED)
    clean = await bench.stream()
    bench.play(Play(_MIXED, edit=insert_at(at, Event(junk))))
    streamed = await bench.stream()
    expect_equal(content_of(bench, streamed), content_of(bench, clean), "what a stream with a junk line in it says")
