"""How an anthropic-messages stream is read (document 12, section 4)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.sim import Event, Play, Text, Thinking, TokenCounts, ToolCall, Turn, VendorError, wire_named
from portproof.benches.provider import ProviderBench
from portproof.benches.thinking import thinking_request
from portproof.benches.truth import expect_answer
from portproof.benches.views import ResponseView, view
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies import reasoned_turns, texts, turns

#: What the types of an error event stand for; the last is made up.
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "conflict_error": 409,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
    "zz_error": None,
}
_COUNT = st.integers(1, 9999)
_REPEATED: Any = st.sampled_from(["absent", None]) | _COUNT
_PIECES = st.lists(st.integers(0, 3), min_size=4, max_size=16).map(tuple)


@check(
    "WIRE-ANT-STREAM-USAGE",
    start=st.builds(TokenCounts, _COUNT, _COUNT, _COUNT, _COUNT),
    rising=st.lists(_COUNT, min_size=1, max_size=3, unique=True).map(sorted),
    repeated=_REPEATED,
)
async def the_last_cumulative_counts_are_stated(
    bench: ProviderBench, start: TokenCounts, rising: list[int], repeated: int | str | None
) -> None:
    again = {} if repeated == "absent" else {"input_tokens": repeated, "cache_read_input_tokens": repeated}
    bench.play(Play(Turn.of("Counted.", counts=start), edit=lambda events: _counted(events, rising, again)))
    usage = (await bench.stream()).answer.usage
    read = (start.input, start.cache_read) if not isinstance(repeated, int) else (repeated, repeated)
    got = {
        "input": usage.input,
        "output": usage.output,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
    }
    expected = {"input": read[0], "output": rising[-1], "cache_read": read[1], "cache_write": start.cache_write}
    expect_equal(got, expected, "the counts of the stream", output_counts=rising)


def _counted(events: list[Event], rising: list[int], again: dict[str, Any]) -> list[Event]:
    """One message_delta for each count; the last says why the message ended, and what else was counted."""
    *before, delta, stop = events
    open_ended = {"stop_reason": None, "stop_sequence": None}
    earlier = [
        Event({**delta.data, "delta": open_ended, "usage": {"output_tokens": count}}, delta.event)
        for count in rising[:-1]
    ]
    last = Event({**delta.data, "usage": {"output_tokens": rising[-1], **again}}, delta.event)
    return [*before, *earlier, last, stop]


@check("WIRE-ANT-STREAM-BLOCKS-BY-INDEX", said=st.tuples(texts(), texts(), texts()), order=_PIECES)
async def deltas_go_to_the_block_of_their_index(
    bench: ProviderBench, said: tuple[str, str, str], order: tuple[int, ...]
) -> None:
    thought, text, argument = said
    turn = Turn.of(
        Thinking(thought, "c2lnbmVkIQ==", cuts=(1, 3)),
        Text(text, cuts=(1, 3)),
        ToolCall("call-1", "add", {"x": argument}, cuts=(2, 5)),
        ToolCall("call-2", "look", {"y": [argument]}, cuts=(2, 5)),
        order=order,
    )
    bench.play(turn)
    streamed = await bench.stream(thinking_request(bench))
    expect_answer(bench, streamed.answer, turn, "stream")
    if bench.driver.member("thinking_handler") is not None:
        got = [(view(block, "content"), view(block, "signature")) for block in _normalised(bench, streamed.answer)]
        expect_equal(got, [(thought, "c2lnbmVkIQ==")], "content and signature of the thinking (stream)")


# Signatures come whole here: the vendor's own client keeps the last piece of one alone.
@check("WIRE-ANT-STREAM-THINKING-BLOCKS", turn=reasoned_turns())
async def streamed_thinking_is_the_same_as_whole(bench: ProviderBench, turn: Turn) -> None:
    if bench.driver.member("thinking_handler") is None:
        raise NotApplicable("the subject declares no thinking_handler")
    bench.play(turn)
    whole = _normalised(bench, await bench.ask("complete", thinking_request(bench)))
    streamed = _normalised(bench, await bench.ask("stream", thinking_request(bench)))
    expect_equal(plain(streamed), plain(whole), "the thinking of the stream, beside that of complete,")


def _normalised(bench: ProviderBench, answer: ResponseView) -> list[Any]:
    return list(bench.driver.member("thinking_handler").normalize(answer.raw_thinking))


@check("WIRE-ANT-STREAM-ERROR-EVENT", kind=st.sampled_from(list(_STATUS)), text=texts(), message=texts())
async def an_error_event_raises_with_the_status_of_its_type(
    bench: ProviderBench, kind: str, text: str, message: str
) -> None:
    error = wire_named("anthropic-messages").error_event(VendorError(500, message, kind))
    bench.play(Play(Turn.of(text), edit=lambda events: [*events[:4], error]))
    streamed = await bench.read()
    expect(streamed.error is not None, f"an event of {kind} raised nothing", text=streamed.text)
    expect(streamed.terminal is None, "a terminal chunk came although the vendor reported an error")
    status = view(streamed.error, "status")
    expect(status in (None, _STATUS[kind]), f"the status of {kind} is wrong", expected=_STATUS[kind], got=status)


@check("WIRE-ANT-STREAM-PING", turn=turns(thinking=True))
async def pings_change_nothing(bench: ProviderBench, turn: Turn) -> None:
    bench.play(Play(turn, edit=_with_pings))
    streamed = await bench.stream(thinking_request(bench))
    expect_equal(streamed.text, turn.text, "the text of a stream with pings")
    expect_answer(bench, streamed.answer, turn, "stream")
    empty = [chunk.raw for chunk in streamed.chunks if not (chunk.content or chunk.thinking_delta or chunk.done)]
    expect(not empty, "a ping became an empty chunk", chunks=empty)


def _with_pings(events: list[Event]) -> list[Event]:
    """The stream with a ping behind each event but the last."""
    ping = Event({"type": "ping"}, "ping")
    return [*(each for event in events[:-1] for each in (event, ping)), events[-1]]
