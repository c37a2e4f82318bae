"""How an openai-chat answer is read (document 12, section 2)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.sim import Play, TokenCounts, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import expect_usage
from portproof.checks.provider.answers import expect_stop_reasons, made_up_words
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.strategies import counts as token_counts

_REASONS = {"stop": "stop", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "content_filter"}
_COUNT = st.integers(0, 1_000_000)
_DETAIL = st.sampled_from([None, 0])


@check("WIRE-OAI-USAGE", counts=st.builds(TokenCounts, _COUNT, _COUNT, _DETAIL, _DETAIL, _DETAIL))
async def input_is_prompt_tokens_and_output_completion_tokens(bench: ProviderBench, counts: TokenCounts) -> None:
    bench.play(Turn.of("Counted.", counts=counts))
    for way in bench.ways:
        expect_usage(bench, await bench.ask(way), counts, way)


@check("WIRE-OAI-USAGE-DETAILS", counts=token_counts())
async def the_details_are_read_and_subtracted_from_nothing(bench: ProviderBench, counts: TokenCounts) -> None:
    bench.play(Turn.of("Counted.", counts=counts))
    for way in bench.ways:
        usage = (await bench.ask(way, bench.request(model=bench.dialect.reasoning_model))).usage
        got = TokenCounts(usage.input, usage.output, usage.cache_read, usage.cache_write, usage.thinking)
        expected = counts if bench.dialect.reports_usage(bench.last) else TokenCounts(0, 0)
        expect_equal(got, expected, f"the counts ({way})")


@check("WIRE-OAI-STOP-REASONS", at_most=4, made_up=made_up_words())
async def finish_reasons_are_translated_by_the_table(bench: ProviderBench, made_up: str) -> None:
    await expect_stop_reasons(bench, {**_REASONS, made_up: made_up})


@check("WIRE-OAI-NO-CHOICES-RAISES", choices=st.sampled_from(["empty", "absent"]))
async def an_answer_without_choices_raises(bench: ProviderBench, choices: str) -> None:
    bench.play(Play(Turn.of("lost"), edit_body=lambda body: _without_choices(body, choices)))
    attempt = await bench.attempt("complete")
    if bench.last.json.get("stream") is True:
        raise NotTested("complete asks for a stream, so there is no whole answer to take the choices from")
    expect(attempt.error, "an answer without choices became a response", got=attempt.response)


def _without_choices(body: dict[str, Any], choices: str) -> dict[str, Any]:
    rest = {key: value for key, value in body.items() if key != "choices"}
    return rest if choices == "absent" else {**rest, "choices": []}
