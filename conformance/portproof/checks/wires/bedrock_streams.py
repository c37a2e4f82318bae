"""How a bedrock-converse stream is read (document 12, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from agentports.sim import (
    Event,
    Pause,
    Play,
    Step,
    TokenCounts,
    ToolCall,
    Turn,
    VendorError,
    cut_after,
    insert_after,
    wire_named,
)
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import expect_answer
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import tool_calls

_CALLS = st.lists(tool_calls(), min_size=2, max_size=3, unique_by=lambda call: call.id)
_COUNT = st.integers(1, 1_000_000)
_EXCEPTIONS = {
    "throttlingException": 429,
    "serviceUnavailableException": 503,
    "internalServerException": 500,
    "validationException": 400,
    "modelStreamErrorException": 424,
}


@check("WIRE-BDR-STREAM-BY-INDEX", calls=_CALLS, order=st.lists(st.integers(0, 3), max_size=12))
async def pieces_of_blocks_are_gathered_by_index(bench: ProviderBench, calls: list[ToolCall], order: list[int]) -> None:
    # One more block than there are calls: text comes in between.
    turn = Turn.of(*calls, "I call.", order=tuple(at % (len(calls) + 1) for at in order))
    bench.play(turn)
    expect_answer(bench, (await bench.stream()).answer, turn, "stream")


@check("WIRE-BDR-STREAM-METADATA-AFTER-STOP", at_most=10, given=_COUNT, generated=_COUNT)
async def usage_behind_the_end_of_the_message_is_read(bench: ProviderBench, given: int, generated: int) -> None:
    bench.play(Play(Turn.of("Counted.", counts=TokenCounts(given, generated)), edit=_in_two_parts))
    got = (await bench.stream()).answer.usage
    expect_equal((got.input, got.output), (given, generated), "usage.input and usage.output")


def _in_two_parts(events: list[Event]) -> Sequence[Event | Step]:
    """The counts come by themselves, a moment later than all the rest."""
    return [*events[:-1], Pause(0.002), events[-1]]


@check(
    "WIRE-BDR-STREAM-EXCEPTIONS",
    kind=st.sampled_from(list(_EXCEPTIONS)),
    after=st.sampled_from(["alder", "birch"]),
    goes_on=st.booleans(),
)
async def exceptions_in_a_stream_raise(bench: ProviderBench, kind: str, after: str, goes_on: bool) -> None:
    failure = wire_named("bedrock-converse").error_event(VendorError(_EXCEPTIONS[kind], "It broke.", kind))
    edit = insert_after({after: failure}) if goes_on else cut_after(after, failure)
    bench.play(Play(Turn.of("alder birch cedar"), edit=edit))
    streamed = await bench.read()
    done = [chunk.raw for chunk in streamed.chunks if chunk.done]
    expect(not done, f"a terminal chunk came although the vendor sent {kind}", terminal=done)
    expect(streamed.error is not None, f"{kind} in the stream raised nothing", text=streamed.text)
    status = view(streamed.error, "status")
    expect(status in (_EXCEPTIONS[kind], None), f"the status of {kind} is another's", status=status)
