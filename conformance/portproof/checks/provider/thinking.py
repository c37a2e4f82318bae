"""Reasoning that the wire carries apart from the text."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from agentports.sim import Thinking, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.thinking import thinking_request
from portproof.benches.views import ResponseView, view
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, NotTested, Violation, expect, expect_equal
from portproof.running.plain import plain, told
from portproof.strategies import json_values, markers, reasoned_turns

_KEYS = st.sampled_from(["type", "thinking", "signature", "data", "text", "content", "summary", "kind", "thought"])
_VALUES = st.sampled_from(["thinking", "redacted_thinking", "text", "reasoning", "field", ""]) | json_values(
    max_leaves=3
)
_NEAR_MISSES = st.lists(st.dictionaries(_KEYS, _VALUES, max_size=4), min_size=1, max_size=3)
_RAW = (
    st.sampled_from([None, 0, -1, 2.5, True])
    | st.sampled_from(["", "text", b"bytes", [], {}, [None, [[]], {"type": None}], object()])
    | _NEAR_MISSES
    | _NEAR_MISSES.map(lambda near: near[0])
    | json_values()
)


@check("PRV-THINKING-NOT-IN-CONTENT", turn=reasoned_turns(), marker=markers())
async def thinking_stays_out_of_the_text(bench: ProviderBench, turn: Turn, marker: str) -> None:
    bench.play(bench.dialect.carried(_marked(turn, marker)))
    for way in bench.ways:
        attempt = await bench.attempt(way, thinking_request(bench))
        if attempt.error is not None:
            raise Violation(f"{way} raised {type(attempt.error).__name__}: {attempt.error}") from attempt.error
        shown = attempt.response.content if attempt.response else ""
        expect(marker not in str(shown), f"thinking is in the content ({way})", content=shown)
        streamed = attempt.streamed.text if attempt.streamed else ""
        expect(marker not in streamed, "thinking is in the content of the chunks", text=streamed)


def _marked(turn: Turn, marker: str) -> Turn:
    blocks = (
        replace(block, text=f"{marker} {block.text}", cuts=(len(marker) // 2, len(marker)))
        if isinstance(block, Thinking) and not block.redacted
        else block
        for block in turn.blocks
    )
    return replace(turn, blocks=tuple(blocks))


@check("PRV-HANDLER-NORMALISES-OWN-WIRE", turn=reasoned_turns())
async def the_handler_reads_what_the_adapter_hands_out(bench: ProviderBench, turn: Turn) -> None:
    turn = bench.dialect.carried(turn)
    if not turn.thinking:
        raise NotTested("the simulator has no thinking on this wire that the handler could be given")
    bench.play(turn)
    for way in bench.ways:
        answer = await bench.ask(way, thinking_request(bench))
        got = [_as_sent(block) for block in _normalised(bench, answer, way)]
        sent = [("redacted_thinking", "", t.signature) if t.redacted else _signed(t) for t in turn.thinking]
        expect_equal(got, sent, f"type, content and signature of the blocks ({way})")


def _signed(block: Thinking) -> tuple[str, str, str | None]:
    return "thinking", block.text, block.signature


def _normalised(bench: ProviderBench, answer: ResponseView, way: str) -> list[Any]:
    expect(answer.raw_thinking is not None, f"the answer has no raw_thinking, though the vendor sent some ({way})")
    return list(bench.driver.member("thinking_handler").normalize(answer.raw_thinking))


def _as_sent(block: Any) -> tuple[Any, Any, Any]:
    """A block as type, content and signature; the value of a redacted one may be kept in `provider_meta` instead."""
    kind, signature = view(block, "type"), view(block, "signature")
    if kind == "redacted_thinking" and signature is None:
        kept = view(block, "provider_meta")
        signature = next((value for value in (kept or {}).values() if isinstance(value, str)), None)
    return kind, view(block, "content"), signature


@check("PRV-HANDLER-TOTAL", any_answer=True, raw=_RAW)
async def the_handler_takes_anything(bench: ProviderBench, raw: Any) -> None:
    before = copy.deepcopy(plain(raw))
    first, second = _taken(bench, raw), _taken(bench, raw)
    expect(_is_sequence(first), "normalize gives no sequence", got=first)
    expect_equal(plain(list(second)), plain(list(first)), "the result of a second call with the same value")
    expect_equal(plain(raw), before, "the value after the call")
    if raw is None or isinstance(raw, int | float):
        expect_equal(list(first), [], "the result for a value that is no thinking of any wire")


def _taken(bench: ProviderBench, raw: Any) -> Any:
    try:
        return bench.driver.member("thinking_handler").normalize(raw)
    except Exception as error:
        raise Violation(f"normalize raised {told(error)}") from error


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


@check("STR-THINKING-DELTA", turn=reasoned_turns())
async def thinking_is_streamed_apart_from_the_text(bench: ProviderBench, turn: Turn) -> None:
    if not bench.driver.can_stream:
        raise NotApplicable("the subject declares no stream")
    turn = bench.dialect.carried(turn)
    bench.play(turn)
    streamed = await bench.stream(thinking_request(bench))
    thought = "".join(block.text for block in turn.thinking if not block.redacted)
    expect_equal(streamed.thinking, thought, "the joined thinking_delta of the chunks")
    mixed = [chunk.content for chunk in streamed.chunks if chunk.thinking_delta and chunk.content != ""]
    expect(not mixed, "chunks with thinking_delta have content", contents=mixed)
