"""How an openai-chat stream is read (document 12, section 2)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from agentports.sim import Event, Hang, Play, Reply, Step, TokenCounts, ToolCall, Turn, VendorError, wire_named
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import expect_calls
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, Violation, expect, expect_equal
from portproof.strategies import texts, tool_calls

Steps = Sequence[Event | Step]

_CALLS = st.lists(tool_calls(), min_size=2, max_size=3, unique_by=lambda call: call.id)
_COUNT = st.integers(1, 1_000_000)
# Some servers state the tokens so far in every chunk, others state them beside the finish_reason: the last counts.
_SO_FAR = {"prompt_tokens": 1_000_001, "completion_tokens": 0, "total_tokens": 1_000_001}
_PLACES: dict[str, Callable[[list[Event], dict[str, int]], Steps]] = {
    "beside no choice": lambda events, usage: _before_done(events, usage=usage),
    "beside no choice, after counts so far": lambda events, usage: [
        _with_usage(events[0], _SO_FAR),
        *_before_done(events, usage=usage)[1:],
    ],
    "beside the finish_reason": lambda events, usage: [*events[:-2], _with_usage(events[-2], usage), events[-1]],
}


@check("WIRE-OAI-USAGE-EMPTY-CHOICES", given=_COUNT, generated=_COUNT, place=st.sampled_from(list(_PLACES)))
async def usage_beside_an_empty_list_of_choices_is_read(
    bench: ProviderBench, given: int, generated: int, place: str
) -> None:
    usage = {"prompt_tokens": given, "completion_tokens": generated, "total_tokens": given + generated}
    bench.play(Play(Turn.of("Counted.", counts=None), edit=lambda events: _PLACES[place](events, usage)))
    streamed = await bench.stream()
    got = streamed.answer.usage
    expect_equal((got.input, got.output), (given, generated), f"usage.input and usage.output ({place})")


def _with_usage(event: Event, usage: dict[str, int]) -> Event:
    return replace(event, data={**event.data, "usage": usage})


def _before_done(events: list[Event], **fields: Any) -> Steps:
    """One more chunk without a choice before `[DONE]`."""
    return [*events[:-1], Event({**events[0].data, "choices": [], **fields}), events[-1]]


@check(
    "WIRE-OAI-TOOL-DELTAS-BY-INDEX",
    calls=_CALLS,
    order=st.lists(st.integers(0, 1), max_size=8),
    repeated=st.sampled_from(["", None, "absent"]),
    indexes=st.sampled_from([(0, 1, 2), (1, 2, 3), (2, 0, 1)]),
)
async def pieces_of_calls_are_gathered_by_index(
    bench: ProviderBench, calls: list[ToolCall], order: list[int], repeated: str | None, indexes: tuple[int, ...]
) -> None:
    turn = Turn.of(*calls, order=tuple(order))
    bench.play(Play(turn, edit=lambda events: _repeat(_numbered(events, indexes), repeated)))
    expect_calls((await bench.stream()).answer, turn, "stream")


def _numbered(events: list[Event], indexes: tuple[int, ...]) -> list[Event]:
    """Give the calls these indexes: they tell calls apart, and say nothing of the order."""
    return [_renumbered(event, indexes) for event in events]


def _renumbered(event: Event, indexes: tuple[int, ...]) -> Event:
    choice, piece = _call_piece(event)
    if piece is None:
        return event
    return _with_piece(event, choice, {**piece, "index": indexes[piece["index"]]})


def _repeat(events: list[Event], value: str | None) -> Steps:
    """Put an empty id and name on every piece of a call but its first."""
    return events if value == "absent" else [_repeated(event, value) for event in events]


def _repeated(event: Event, value: str | None) -> Event:
    choice, piece = _call_piece(event)
    if piece is None or "id" in piece:
        return event
    function = {**piece["function"], "name": value}
    return _with_piece(event, choice, {**piece, "id": value, "function": function})


def _call_piece(event: Event) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The choice of a chunk, and the piece of a call in it, if any."""
    choice: dict[str, Any] = next(iter(event.data["choices"]), {}) if isinstance(event.data, dict) else {}
    return choice, next(iter(choice.get("delta", {}).get("tool_calls", ())), None)


def _with_piece(event: Event, choice: dict[str, Any], piece: dict[str, Any]) -> Event:
    return replace(event, data={**event.data, "choices": [{**choice, "delta": {"tool_calls": [piece]}}]})


_DONE = b"data: [DONE]"
# The marker is an event of its own: within a text it marks nothing.
_TEXTS = texts() | st.builds("{}[DONE]{}".format, texts(max_size=9), texts(max_size=9))
_ENDINGS: dict[str, Any] = {
    "nothing after [DONE]": lambda events: [*events[:-1], _DONE],
    "no [DONE] after the finish_reason": lambda events: events[:-1],
    "more text after [DONE]": lambda events: [*events, events[1], events[-1]],
}


@check("WIRE-OAI-DONE-MARKER", text=_TEXTS, ending=st.sampled_from(list(_ENDINGS)))
async def the_stream_ends_at_done_or_at_its_finish_reason(bench: ProviderBench, text: str, ending: str) -> None:
    bench.play(Play(Turn.of(text), edit=_ENDINGS[ending]))
    streamed = await bench.stream()
    expect_equal(streamed.text, text, f"the text of a stream with {ending}")
    expect(streamed.terminal, f"a stream with {ending} has no terminal chunk")


@check("WIRE-OAI-DONE-CONNECTION-HELD")
async def done_ends_a_stream_whose_connection_stays_open(bench: ProviderBench) -> None:
    bench.play(Play(Turn.of("one two"), edit=lambda events: [*events, Hang()]))
    reading = asyncio.create_task(bench.stream())
    done, _ = await asyncio.wait({reading}, timeout=bench.deadline / 2)
    if not done:
        reading.cancel()
        raise Violation("the stream goes on waiting after [DONE], for a connection that stays open")
    expect(reading.result().terminal, "the stream has no terminal chunk")


@check("WIRE-OAI-STREAM-ERROR-OBJECT", text=texts(), message=texts(), code=st.none() | st.just("server_error"))
async def an_error_object_in_a_stream_raises(bench: ProviderBench, text: str, message: str, code: str | None) -> None:
    error = wire_named("openai-chat").error_event(VendorError(500, message, "server_error", code))
    bench.play(Play(Turn.of(text), edit=lambda events: [*events[:2], error, events[-1]]))
    streamed = await bench.read()
    expect(streamed.error is not None, "an error object in the stream raised nothing", text=streamed.text)
    expect(streamed.terminal is None, "a terminal chunk came although the vendor reported an error")


@check("WIRE-OAI-STREAM-NOT-A-STREAM", text=texts())
async def a_whole_completion_for_a_stream_is_not_an_empty_answer(bench: ProviderBench, text: str) -> None:
    turn = Turn.of(text, counts=TokenCounts())
    bench.play(Reply.json(wire_named("openai-chat").body(turn, bench.model)))
    streamed = await bench.read()
    if bench.last.json.get("stream") is not True:
        raise NotTested("stream asks for a whole answer")
    said = (streamed.response and streamed.response.content) or streamed.text
    expect(streamed.error or said == text, "a whole completion was read as another answer", expected=text, got=said)
