"""How an anthropic-messages answer is read (document 12, section 4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMToolSchema
from agentports.sim import Event, Play, TokenCounts, Turn
from portproof.benches.provider import ProviderBench
from portproof.checks.provider.answers import expect_stop_reasons, made_up_words
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import tool_sets

_COUNT = st.integers(0, 100_000)
_CACHED = st.sampled_from([None, 0]) | _COUNT
_DETAILS: dict[str, Any] = {"absent": {}, "null": {"output_tokens_details": None}}


@check("WIRE-ANT-USAGE-CACHE", counts=st.builds(TokenCounts, _COUNT, _COUNT, _CACHED, _CACHED))
async def cached_tokens_are_counted_apart(bench: ProviderBench, counts: TokenCounts) -> None:
    bench.play(Turn.of("Counted.", counts=counts))
    for way in bench.ways:
        usage = (await bench.ask(way)).usage
        got = TokenCounts(usage.input, usage.output, usage.cache_read, usage.cache_write)
        expect_equal(got, counts, f"the counts ({way})")


@check("WIRE-ANT-USAGE-THINKING", output=st.integers(10, 9999), thought=st.sampled_from(["absent", "null", 0, 7]))
async def tokens_of_thinking_are_told_and_taken_from_nothing(
    bench: ProviderBench, output: int, thought: int | str
) -> None:
    details = _DETAILS.get(str(thought), {"output_tokens_details": {"thinking_tokens": thought}})
    bench.play(
        Play(
            Turn.of("Counted.", counts=TokenCounts(9, output)),
            edit=lambda events: [_detailed(event, details) for event in events],
            edit_body=lambda body: _with_details(body, details),
        )
    )
    expected = (output, None if isinstance(thought, str) else thought)
    for way in bench.ways:
        usage = (await bench.ask(way)).usage
        expect_equal((usage.output, usage.thinking), expected, f"usage.output and usage.thinking ({way})")


def _detailed(event: Event, details: dict[str, Any]) -> Event:
    """The last counts with these details; how much was thought is not known before."""
    return replace(event, data=_with_details(event.data, details)) if event.event == "message_delta" else event


def _with_details(document: dict[str, Any], details: dict[str, Any]) -> dict[str, Any]:
    return {**document, "usage": {**document["usage"], **details}}


@check("WIRE-ANT-STOP-REASONS", at_most=4, made_up=made_up_words())
async def stop_reasons_are_translated_by_the_table(bench: ProviderBench, made_up: str) -> None:
    await expect_stop_reasons(bench, {**bench.dialect.stop_words(), made_up: made_up})


@check("WIRE-ANT-MANIFEST", tools=tool_sets(min_size=0, max_size=2))
async def answers_state_a_manifest(bench: ProviderBench, tools: list[LLMToolSchema]) -> None:
    for way in bench.ways:
        answer = await bench.ask(way, bench.request(tools=tools))
        expect(answer.manifest is not None, f"the answer states no wire_manifest ({way})")
