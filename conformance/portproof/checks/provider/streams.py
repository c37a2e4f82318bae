"""A stream says what the vendor said: what a whole answer says, however the bytes were cut."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from agentports.sim import Play, Text, ToolCall, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import content_of, said
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies import turns

# Twenty examples with offsets of their own cut at every single byte.
_STRIDE = 20
_SHORT = Turn.of('é 😀\u2028"\\ end', ToolCall("c1", "add", {"x": 'ü\n"😀'}))
# One piece that is longer than the buffers of line readers are by default.
_LONG = Turn.of(Text("long " * 30_000, cuts=()))
_BROKEN = st.sampled_from(["{", "[]", "null", ""])


@check("STR-PARITY-COMPLETE", turn=turns(thinking=True), broken=st.none() | _BROKEN)
async def stream_and_complete_give_the_same_answer(bench: ProviderBench, turn: Turn, broken: str | None) -> None:
    if broken is not None and "complete" in bench.dialect.argument_text_ways:
        turn = replace(turn, blocks=(*turn.blocks, ToolCall("call-broken", "broken", broken)))
    bench.play(turn)
    streamed = await bench.stream()
    reported = bench.dialect.reports_usage(bench.last)
    whole = await bench.ask("complete")
    expect_equal(
        said(bench, streamed.answer, usage=reported),
        said(bench, whole, usage=reported),
        "the answer of the stream, beside that of complete,",
    )


@check("STR-BYTE-SPLIT", offset=st.integers(1, _STRIDE))
async def the_cuts_of_the_bytes_change_nothing(bench: ProviderBench, offset: int) -> None:
    await _expect_whole(bench, _SHORT, range(offset, 4000, _STRIDE))
    await _expect_whole(bench, _LONG, range(offset * 4000, 150_000, 40_000))


async def _expect_whole(bench: ProviderBench, turn: Turn, cuts: range) -> None:
    bench.play(turn)
    whole = await bench.stream()
    bench.play(Play(turn, splits=tuple(cuts)))
    cut = await bench.stream()
    expect_equal(content_of(bench, cut), content_of(bench, whole), "what the stream says when its bytes are cut")
