"""What holds on every vendor's wire: how server-sent events may look, and what a later version may add."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

from hypothesis import strategies as st

from agentports.sim import Event, Play, Step, Turn
from portproof.benches.provider import Attempt, ProviderBench, Way
from portproof.benches.truth import said
from portproof.checks.registry import check
from portproof.checks.wires.broken_rounds import BrokenRound, broken_rounds
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import json_values, names, turns

_POSITIONS = st.sets(st.integers(0, 12), min_size=1, max_size=4)
_FIELDS = st.dictionaries(names().map(lambda name: f"zz_{name}"), json_values(max_leaves=3), min_size=1, max_size=2)
_LINE_ENDS = st.lists(st.sampled_from([b"\n", b"\r\n"]), min_size=1, max_size=5)
_COMMENTS = st.sampled_from([b"", b": keep-alive\n\n", b":\n", b": a comment\n"])
_FIELD_LINES = st.sampled_from([b"", b"id: 7\n", b"retry: 3000\n", b"id: 8\nretry: 10\n"])


async def _expect_read(bench: ProviderBench, turn: Turn, edit: Callable[[list[Event]], Sequence[Event | Step]]) -> None:
    """The edited stream says what the untouched one says."""
    if not bench.driver.can_stream:
        raise NotApplicable("the subject declares no stream")
    await _expect_same(bench, "stream", turn, Play(turn, edit=edit))


async def _expect_same(bench: ProviderBench, way: Way, turn: Turn, play: Play) -> None:
    bench.play(turn)
    untouched = _told(bench, await bench.attempt(way), turn)
    expect(untouched["raised"] is None, f"{way} raised at an ordinary answer", raised=untouched["raised"])
    bench.play(play)
    expect_equal(_told(bench, await bench.attempt(way), turn), untouched, f"what the answer says ({way})")


def _told(bench: ProviderBench, attempt: Attempt, turn: Turn) -> dict[str, Any]:
    """What came of a call, without an id that is not the vendor's: whether that is kept is another rule's matter."""
    told: dict[str, Any] = {
        "raised": None if attempt.error is None else f"{type(attempt.error).__name__}: {attempt.error}"
    }
    if attempt.streamed is not None:
        told["text"] = attempt.streamed.text
    if attempt.response is not None:
        told |= said(bench, attempt.response)
        told["provider_ref"] = attempt.response.provider_ref == turn.ref
    return told


@check("WIRE-SSE-LINE-ENDS", turn=turns(), ends=_LINE_ENDS)
async def either_kind_of_line_end_is_read(bench: ProviderBench, turn: Turn, ends: list[bytes]) -> None:
    await _expect_read(bench, turn, lambda events: [_ended(events, ends)])


def _ended(events: list[Event], ends: list[bytes]) -> bytes:
    lines = b"".join(event.sse() for event in events).split(b"\n")[:-1]
    return b"".join(line + end for line, end in zip(lines, cycle(ends), strict=False))


_SPRINKLED: dict[str, Any] = {
    "turn": turns(),
    "between": st.lists(_COMMENTS, min_size=1, max_size=4) | st.lists(_FIELD_LINES, min_size=1, max_size=4),
    "blanks": st.lists(st.booleans(), min_size=1, max_size=3),
}


@check("WIRE-SSE-COMMENTS", **_SPRINKLED)
@check("WIRE-SSE-COMMENTS-GEMINI", **_SPRINKLED)
async def comments_and_other_fields_are_passed_over(
    bench: ProviderBench, turn: Turn, between: list[bytes], blanks: list[bool]
) -> None:
    def sprinkled(events: list[Event]) -> list[bytes]:
        dressed = zip(events, cycle(between), cycle(blanks), strict=False)
        return [before + replace(event, blank=blank).sse() for event, before, blank in dressed]

    await _expect_read(bench, turn, sprinkled)


@check("WIRE-SSE-MULTILINE-DATA", turn=turns())
async def several_data_lines_make_one_event(bench: ProviderBench, turn: Turn) -> None:
    await _expect_read(bench, turn, lambda events: [replace(event, pretty=True) for event in events])


@check("WIRE-UNKNOWN-EVENTS-IGNORED", turn=turns(), at=_POSITIONS)
async def events_and_parts_of_unknown_types_change_nothing(bench: ProviderBench, turn: Turn, at: set[int]) -> None:
    dialect = bench.dialect
    play = Play(turn, lambda events: dialect.with_unknown_events(events, at), dialect.with_unknown_parts)
    for way in bench.ways:
        await _expect_same(bench, way, turn, play)


@check("WIRE-UNKNOWN-FIELDS-IGNORED", turn=turns(), fields=_FIELDS)
async def unknown_fields_change_nothing(bench: ProviderBench, turn: Turn, fields: dict[str, Any]) -> None:
    dialect = bench.dialect
    play = Play(
        turn,
        lambda events: [dialect.event_with_unknown_fields(event, fields) for event in events],
        lambda body: dialect.with_unknown_fields(body, fields),
    )
    for way in bench.ways:
        await _expect_same(bench, way, turn, play)


@check("WIRE-ARGS-FAILURE-NOT-EMPTY-INPUT", at_most=10, told=broken_rounds())
async def a_failed_call_and_its_refusal_are_written_as_text(bench: ProviderBench, told: BrokenRound) -> None:
    for way in bench.ways:
        body = await bench.sent(way, bench.request(*told.messages, tools=told.tools))
        expect_equal([(c.name, c.args) for c in body.calls], [(told.good.name, told.good.args)], f"the calls ({way})")
        expect_equal([result.text for result in body.results], [told.result], f"the results ({way})")
        text = "\n".join(turn.text for turn in body.turns)
        expect(told.failed.name in text, f"no text names the tool of the failed call ({way})", text=text)
        expect(told.refusal in text, f"the text of the refusal is lost ({way})", text=text)
