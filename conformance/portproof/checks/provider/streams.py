"""What a stream owes its reader."""

from __future__ import annotations

from contextlib import aclosing

from hypothesis import strategies as st

from agentports.sim import Hang, Play, ToolCall, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import expect_answer
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import turns

# Twenty examples with offsets of their own cut at every single byte.
_STRIDE = 20
_SHORT = Turn.of('é 😀\u2028"\\ end', ToolCall("c1", "add", {"x": 'ü\n"😀'}))


@check("STR-PARITY-COMPLETE", turn=turns())
async def stream_and_complete_give_the_same_answer(bench: ProviderBench, turn: Turn) -> None:
    bench.play(turn)
    for way in bench.ways:
        expect_answer(bench, await bench.ask(way), turn, way)


@check("STR-BYTE-SPLIT", offset=st.integers(1, _STRIDE))
async def the_cuts_of_the_bytes_change_nothing(bench: ProviderBench, offset: int) -> None:
    bench.play(Play(_SHORT, splits=tuple(range(offset, 4000, _STRIDE))))
    cut = await bench.stream()
    expect_equal(cut.text, _SHORT.text, "the text of the stream")
    expect_answer(bench, cut.response or await bench.ask("stream"), _SHORT, "stream")


@check("STR-CLOSE-RELEASES")
async def closing_early_closes_the_connection(bench: ProviderBench) -> None:
    bench.play(Play(Turn.of("one two three four"), edit=lambda events: [*events[:4], Hang()]))
    async with aclosing(bench.driver.stream(bench.request())) as stream:
        await anext(stream)
    ending = await bench.upstream.ending(within=bench.deadline / 2)
    expect(ending == "client-closed", "the connection stays open after aclose", ending=ending)
