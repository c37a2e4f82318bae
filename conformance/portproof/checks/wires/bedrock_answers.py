"""How a bedrock-converse answer ends (document 12, section 5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agentports.sim import Event, Play, Turn
from portproof.benches.provider import ProviderBench
from portproof.checks.provider.answers import expect_stop_reasons, made_up_words
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies import texts

_REASONS = {
    "end_turn": "stop",
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "stop_sequence": "stop_sequence",
    "guardrail_intervened": "content_filter",
    "content_filtered": "content_filter",
    "model_context_window_exceeded": "model_context_window_exceeded",
    "malformed_model_output": "malformed_model_output",
    "malformed_tool_use": "malformed_tool_use",
}


@check("WIRE-BDR-STOP-REASONS", at_most=4, made_up=made_up_words())
async def stop_reasons_are_translated_by_the_table(bench: ProviderBench, made_up: str) -> None:
    await expect_stop_reasons(bench, {**_REASONS, made_up: made_up})
    bench.play(Play(Turn.of("Well."), edit=lambda events: [*map(_unexplained, events)], edit_body=_without_reason))
    for way in bench.ways:
        expect_equal((await bench.ask(way)).stop_reason, "stop", f"stop_reason where the vendor states none ({way})")


def _without_reason(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != "stopReason"}


def _unexplained(event: Event) -> Event:
    return replace(event, data=_without_reason(event.data)) if event.event == "messageStop" else event


@check("WIRE-BDR-TOOL-USE-LOST-RAISES", text=texts(min_size=0))
async def an_end_for_tool_use_without_a_call_raises(bench: ProviderBench, text: str) -> None:
    bench.play(Turn.of(*([text] if text else []), stop="tool_use"))
    for way in bench.ways:
        await bench.error(way)
