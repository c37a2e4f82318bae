"""When a stream begins, goes on and lets go."""

from __future__ import annotations

import asyncio

from hypothesis import strategies as st

from agentports.sim import Gate, Hang, Play, RecordedRequest, ToolCall, Turn, cut_after, insert_after
from portproof.benches.failures import is_abort
from portproof.benches.provider import ProviderBench
from portproof.benches.reading import Reader
from portproof.benches.truth import expect_calls, keeps_ids
from portproof.benches.views import ResponseView
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import told
from portproof.subjects.driver import aclose

_WORDS = ("alder", "birch", "cedar", "maple", "walnut")
_TEXT = Turn.of(" ".join(_WORDS))
# A subject may be one piece behind, so the second piece brings the first.
_SENT = " ".join(_WORDS[:3])
_HELD = Play(_TEXT, edit=cut_after(_WORDS[2], Hang()))


@check("STR-INCREMENTAL")
async def text_comes_while_the_vendor_holds_the_rest(bench: ProviderBench) -> None:
    gates = {word: Gate() for word in _WORDS[1:]}
    bench.play(Play(_TEXT, edit=insert_after(gates)))
    try:
        async with Reader(bench) as reader:
            for sent, gate in enumerate(gates.values(), start=2):
                due = len(" ".join(_WORDS[: sent - 1]))
                await reader.read_text(
                    due, f"the vendor has sent {sent} of {len(_WORDS)} pieces of text and holds the rest"
                )
                gate.open()
    finally:
        for gate in gates.values():
            gate.open()


@check("STR-LAZY")
async def nothing_is_sent_before_the_first_step(bench: ProviderBench) -> None:
    bench.play(_TEXT)
    try:
        iterator = await bench.driver.open_stream(bench.request())
        early = await bench.settled(lambda: bench.requests, within=0.05)
        await aclose(iterator)
    except Exception as error:
        raise Violation(f"opening a stream and closing it unread raised {told(error)}") from error
    expect(not early, "the call of stream() alone sends a request", requests=len(bench.requests))
    await bench.stream()
    expect_equal(len(bench.requests), 1, "the number of requests of a stream that was read")


@check("STR-CLOSE-RELEASES", cancel=st.booleans())
async def leaving_early_closes_the_connection(bench: ProviderBench, cancel: bool) -> None:
    bench.play(_HELD)
    # A thread that waits for bytes cannot be cancelled.
    cancel = cancel and not bench.driver.synchronous
    async with Reader(bench) as reader:
        await reader.read_text(1, "the vendor has sent three pieces of text and holds the rest")
        if cancel:
            reading = asyncio.ensure_future(reader.error("the vendor went silent"))
            await asyncio.sleep(0)
            reading.cancel()
            await asyncio.wait([reading])
    how = "cancelling the consumer" if cancel else "closing the iterator"
    ending = await bench.upstream.ending(within=bench.deadline / 2)
    expect(ending == "client-closed", f"the connection stays open after {how}", ending=ending)


@check("STR-ABORT-MID-STREAM", own_reason=st.booleans())
async def an_abort_ends_a_stream_that_waits(bench: ProviderBench, own_reason: bool) -> None:
    bench.play(_HELD)
    controller = bench.controller()
    async with Reader(bench, bench.request(signal=controller.signal)) as reader:
        reading = asyncio.ensure_future(reader.error("the abort"))
        # The consumer waits for more when the abort comes; a subject that is a piece behind never gives the last.
        await bench.settled(lambda: len(reader.text) >= len(_SENT), within=0.05)
        controller.abort(ValueError("stop") if own_reason else None)
        error = await reading
    expect(error is not None, "the stream ends without an exception after the abort")
    expect(error is None or is_abort(error, controller.signal), "what the abort raises is no abort", raised=error)


# Cut so that the beginning of an event waits in a buffer whenever a chunk is handed out.
_SPLITS = tuple(range(110, 6000, 110))
_ANSWERS = {
    "north": Turn.of("one two three four five", ToolCall("call-n", "walk", {"to": "the north"}, (4, 9))),
    "south": Turn.of("uno due tre quattro cinque sei", ToolCall("call-s", "run", {"from": "the south"}, (3, 8))),
}


def _answer(request: RecordedRequest) -> Play:
    return Play(_ANSWERS["north" if "north" in request.text else "south"], splits=_SPLITS)


@check("STR-INDEPENDENT-ITERATORS", steps=st.lists(st.booleans(), max_size=12))
async def two_streams_do_not_mix(bench: ProviderBench, steps: list[bool]) -> None:
    bench.upstream.decide(_answer)
    async with Reader(bench, bench.request("north")) as north, Reader(bench, bench.request("south")) as south:
        for step in steps:
            await (north if step else south).next()
        for reader, asked in ((north, "north"), (south, "south")):
            while await reader.next():
                pass
            _expect_own(bench, reader, asked)


def _expect_own(bench: ProviderBench, reader: Reader, asked: str) -> None:
    turn = _ANSWERS[asked]
    expect_equal(reader.text, turn.text, f"the text of the stream that asked for {asked}")
    if reader.last is not None and reader.last.response is not None:
        response = ResponseView(reader.last.response)
        expect_equal(response.content, turn.text, f"response.content of the stream that asked for {asked}")
        expect_calls(response, turn, f"stream that asked for {asked}", ids=keeps_ids(bench))
