"""How an openai-responses answer is read (document 12, section 3)."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.sim import Text, TokenCounts, ToolCall, Turn
from agentports.sim.wires.openai_responses import unanswered
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import expect_answer
from portproof.checks.provider.answers import expect_stop_reasons
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import counts as token_counts
from portproof.strategies import texts, tool_calls

_REASONS = {"completed": "stop", "max_output_tokens": "max_tokens", "content_filter": "content_filter"}
_NOT_DONE = ("cancelled", "queued", "in_progress")
_CODES = st.sampled_from(["server_error", "rate_limit_exceeded", "invalid_prompt"])
_CALLS = st.lists(tool_calls(), min_size=1, max_size=3, unique_by=lambda call: call.id)


@check("WIRE-RSP-USAGE", counts=token_counts())
async def the_counts_and_their_details_are_read(bench: ProviderBench, counts: TokenCounts) -> None:
    bench.play(Turn.of("Counted.", counts=counts))
    read, written, thought = (counts.cache_read or 0, counts.cache_write, counts.thinking or 0)
    for way in bench.ways:
        usage = (await bench.ask(way, bench.request(model=bench.dialect.reasoning_model))).usage
        got = (usage.cache_read, usage.cache_write, usage.thinking)
        expect_equal(got, (read, written, thought), f"cache_read, cache_write and thinking ({way})")
        inputs = {counts.input - less for less in (0, read, written or 0, read + (written or 0))}
        expect(usage.input in inputs, f"usage.input ({way})", expected=counts.input, got=usage.input)
        outputs = {counts.output, counts.output - thought}
        expect(usage.output in outputs, f"usage.output ({way})", expected=counts.output, got=usage.output)


@check("WIRE-RSP-STATUS", at_most=6, code=_CODES, call=tool_calls(), partial=texts(min_size=0, max_size=10))
async def the_status_says_why_it_ended_or_that_it_is_no_answer(
    bench: ProviderBench, code: str, call: ToolCall, partial: str
) -> None:
    await expect_stop_reasons(bench, _REASONS)
    bench.play(Turn.of(call))
    for way in bench.ways:
        expect_equal((await bench.ask(way)).stop_reason, "tool_use", f"stop_reason of a completed call ({way})")
    for status in ("failed", *_NOT_DONE):
        bench.play(unanswered(status, code, Turn.of(partial)))
        attempt = await bench.attempt("complete")
        # Only a failed response ends a stream; the others are what a request for a whole answer may come to.
        if status == "failed" or bench.last.json.get("stream") is not True:
            expect(attempt.error, f"a response with status {status} became an answer", got=attempt.response)


@check("WIRE-RSP-TOOL-CALL-ID", calls=_CALLS)
async def the_id_of_a_call_is_its_call_id(bench: ProviderBench, calls: list[ToolCall]) -> None:
    bench.play(Turn.of(*calls))
    for way in bench.ways:
        ids = [call.id for call in (await bench.ask(way)).calls]
        expect_equal(ids, [call.id for call in calls], f"the ids of the calls ({way})")


@check("WIRE-RSP-REFUSAL", said=st.none() | texts(), declined=texts())
async def a_refusal_is_text_and_a_filtered_end(bench: ProviderBench, said: str | None, declined: str) -> None:
    turn = Turn.of(*([] if said is None else [said]), Text(declined, refusal=True))
    bench.play(turn)
    expect_answer(bench, await bench.ask("complete"), turn, "complete")
    if bench.driver.can_stream:
        streamed = await bench.stream()
        expect_equal(streamed.text, turn.text, "the text of the chunks")
        expect_answer(bench, streamed.answer, turn, "stream")
