"""How an answer of Gemini is read, whole and as a stream (document 12, section 6)."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from agentports.sim import Play, Text, Thinking, ToolCall, Turn, edited
from agentports.sim.wires.gemini import blocked_prompt
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.thinking import thinking_request
from portproof.benches.truth import expect_calls
from portproof.benches.views import CallView
from portproof.checks.provider.answers import expect_stop_reasons
from portproof.checks.registry import check
from portproof.checks.wires.gemini_documents import SILENT, with_calls_in_thoughts, without, without_reason
from portproof.checks.wires.gemini_rounds import signatures
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies import markers, texts

_FILTERED = ("SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII")
_UNCHANGED = ("RECITATION", "LANGUAGE", "OTHER", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL")
_REASONS = {
    "STOP": "stop",
    "MAX_TOKENS": "max_tokens",
    **dict.fromkeys(_FILTERED, "content_filter"),
    **{reason: reason for reason in _UNCHANGED},
}
_CALL = ToolCall("call-1", "add", {"x": 1})


def _distinct(signed: list[str | None]) -> list[str | None]:
    return [None if signature in signed[:at] else signature for at, signature in enumerate(signed)]


_SIGNED = st.lists(st.sampled_from([None, ""]) | signatures(), min_size=1, max_size=4).map(_distinct)


@check("WIRE-GEM-SIGNATURE-KEPT", at_most=10, signed=_SIGNED)
async def each_signature_stays_with_its_call(bench: ProviderBench, signed: list[str | None]) -> None:
    calls = [ToolCall(f"call-{at}", "add", {"x": at}, meta=signature) for at, signature in enumerate(signed)]
    for way in bench.ways:
        bench.play(Turn.of(*calls))
        kept = (await bench.ask(way)).calls
        held = [[signature for signature in signed if signature and signature in _dump(call)] for call in kept]
        expect_equal(held, [[s] if s else [] for s in signed], f"the signatures in provider_meta of the calls ({way})")
        for call, signature in zip(kept, signed, strict=True):
            expect(signature or call.provider_meta is None, f"an unsigned call has provider_meta ({way})", call=call)


def _dump(call: CallView) -> str:
    return json.dumps(plain(call.provider_meta))


@check("WIRE-GEM-FINISH-REASONS")
async def finish_reasons_are_translated_by_the_table(bench: ProviderBench) -> None:
    await expect_stop_reasons(bench, _REASONS)
    # A stream without a reason may be one that was cut.
    bench.play(Play(Turn.of("Well."), edit_body=without_reason))
    expect_equal((await bench.ask("complete")).stop_reason, "stop", "stop_reason of an answer without a reason")


@check("WIRE-GEM-STOP-WITH-CALLS", reason=st.sampled_from(["STOP", "MAX_TOKENS", "SAFETY", "OTHER"]))
async def only_an_ordinary_end_with_calls_is_one_for_tool_use(bench: ProviderBench, reason: str) -> None:
    bench.play(Turn.of(_CALL, stop=reason))
    expected = "tool_use" if reason == "STOP" else _REASONS[reason]
    for way in bench.ways:
        expect_equal((await bench.ask(way)).stop_reason, expected, f"stop_reason for {reason} with a call ({way})")
    bench.play(Play(Turn.of(_CALL), edit_body=without_reason))
    got = (await bench.ask("complete")).stop_reason
    expect_equal(got, "tool_use", "stop_reason of an answer with a call and without a reason")


_COUNTS = st.fixed_dictionaries(
    {},
    optional={
        "promptTokenCount": st.integers(20, 10_000),
        "candidatesTokenCount": st.sampled_from([0, 1, 5000]),
        "cachedContentTokenCount": st.sampled_from([0, 1, 20]),
        "thoughtsTokenCount": st.sampled_from([0, 1, 700]),
    },
)


@check("WIRE-GEM-USAGE", stated=_COUNTS)
async def counts_are_read_each_for_itself(bench: ProviderBench, stated: dict[str, int]) -> None:
    def counted(document: dict[str, Any]) -> dict[str, Any]:
        ended = "finishReason" in document["candidates"][0]
        return {**document, "usageMetadata": stated} if ended else without(document, "usageMetadata")

    bench.play(edited(Turn.of("Counted well."), counted))
    given, cached = stated.get("promptTokenCount", 0), stated.get("cachedContentTokenCount")
    for way in bench.ways:
        usage = (await bench.ask(way, thinking_request(bench))).usage
        readings = (given, max(0, given - (cached or 0)))  # with or without what came from the cache
        expect(usage.input in readings, f"usage.input ({way})", got=usage.input, expected=given)
        expect_equal(usage.output, stated.get("candidatesTokenCount", 0), f"usage.output ({way})")
        expect_equal((usage.cache_read, usage.cache_write), (cached, None), f"cache_read and cache_write ({way})")
        thought = stated.get("thoughtsTokenCount")
        # Absent is right too for a model that was not asked to think.
        expect_equal(usage.thinking or None, thought or None, f"usage.thinking ({way})")


@check("WIRE-GEM-THOUGHT-PARTS-HIDDEN", text=texts(), marker=markers(), thought_last=st.booleans())
async def thoughts_are_no_content_and_calls_among_them_are_calls(
    bench: ProviderBench, text: str, marker: str, thought_last: bool
) -> None:
    said = [Thinking(f"{marker} is {marker}"), Text(text)]
    turn = Turn.of(*(reversed(said) if thought_last else said), _CALL)
    bench.play(edited(turn, with_calls_in_thoughts))
    for way in bench.ways:
        attempt = await bench.attempt(way)
        expect(attempt.error is None, f"{way} raised", raised=attempt.error)
        if attempt.streamed is not None:
            expect_equal(attempt.streamed.text, text, "the joined text of the chunks")
        if attempt.response is not None:
            expect_equal(attempt.response.content, text, f"the content ({way})")
            expect_calls(attempt.response, turn, way, ids=False)


#: What a slip of the adapter raises; an error that it made itself has a class of its own.
_SLIPS = (LookupError, AttributeError, TypeError, NameError, AssertionError)


@check("WIRE-GEM-NO-CANDIDATES", silent=st.sampled_from(list(SILENT)), blocked=st.sampled_from(["SAFETY", "OTHER"]))
async def an_answer_of_nothing_is_empty_or_an_error(bench: ProviderBench, silent: str, blocked: str) -> None:
    for way in bench.ways:
        bench.play(edited(Turn(), SILENT[silent]))
        await _expect_nothing(bench, way, silent)
        bench.play(blocked_prompt(blocked))
        reason = await _expect_nothing(bench, way, f"blockReason {blocked}")
        expect(reason in (None, "content_filter"), f"stop_reason for blockReason {blocked} ({way})", got=reason)


async def _expect_nothing(bench: ProviderBench, way: Way, sent: str) -> str | None:
    """Empty content, whose stop reason is returned, or an error of the provider's making."""
    attempt = await bench.attempt(way)
    if attempt.error is not None:
        slip = isinstance(attempt.error, _SLIPS) and type(attempt.error).__module__ == "builtins"
        expect(not slip, f"{way} tripped over {sent}", raised=attempt.error)
        return None
    said = (attempt.streamed and attempt.streamed.text) or (attempt.response and attempt.response.content)
    expect(not said, f"{way} made text of {sent}", text=said)
    return None if attempt.response is None else str(attempt.response.stop_reason)
