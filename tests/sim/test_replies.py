"""Answers as bytes and controls: events, cuts at any position, edits."""

from __future__ import annotations

import json
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentports.sim import Event, Gate, Hang, Pause, Play, RecordedRequest, Reply, Reset, Step, Turn, wire_named
from agentports.sim.replies import split_steps
from agentports.sim.wires.base import render

WIRE = wire_named("openai-chat")
CONTROLS = st.sampled_from([Hang(), Reset(), Gate()])
STEPS = st.lists(st.binary(min_size=1, max_size=12) | CONTROLS, max_size=6)


def asked(stream: bool) -> RecordedRequest:
    """A request for a whole answer, or for a stream."""
    body = json.dumps({"model": "m", "messages": [], "stream": stream}).encode()
    return RecordedRequest("POST", "/v1/chat/completions", {}, body)


def joined(steps: tuple[Step, ...] | list[Step]) -> bytes:
    """The bytes among the steps."""
    return b"".join(step for step in steps if isinstance(step, bytes))


def edges(steps: list[Step]) -> set[int]:
    """The positions between one step's bytes and the next one's."""
    return set(accumulate(len(step) for step in steps if isinstance(step, bytes)))


@given(STEPS, st.lists(st.integers(0, 80), max_size=6))
def test_cuts_keep_bytes_and_controls(steps: list[Step], positions: list[int]) -> None:
    """Cutting changes neither the bytes nor where among them the controls stand."""
    cut = split_steps(steps, tuple(positions))
    assert joined(cut) == joined(steps)

    def places(some: list[Step]) -> list[tuple[int, Step]]:
        return [(len(joined(some[:at])), s) for at, s in enumerate(some) if not isinstance(s, bytes | Pause)]

    assert places(cut) == places(steps)


@given(STEPS, st.lists(st.integers(1, 80), min_size=1, max_size=6))
def test_cuts_are_at_the_positions(steps: list[Step], positions: list[int]) -> None:
    """Every position inside the body is an edge between two pieces."""
    cut = split_steps(steps, tuple(positions))
    assert {p for p in positions if p < len(joined(steps))} <= edges(cut)


@given(STEPS)
def test_every_byte_may_go_alone(steps: list[Step]) -> None:
    """`every` makes each byte a piece of its own."""
    assert all(len(step) == 1 for step in split_steps(steps, "every") if isinstance(step, bytes))


def test_without_cuts_steps_stay() -> None:
    """Nothing is joined, and no pause comes in, when nothing is to be cut."""
    gate = Gate()
    assert split_steps([b"a", b"b", gate], ()) == [b"a", b"b", gate]


@pytest.mark.parametrize(
    ("event", "written"),
    [
        (Event("[DONE]"), b"data: [DONE]\n\n"),
        (Event({"a": "ü"}), 'data: {"a": "ü"}\n\n'.encode()),
        (Event({}, event="ping"), b"event: ping\ndata: {}\n\n"),
        (Event("x", line_end="\r\n"), b"data: x\r\n\r\n"),
        (Event("x", event="e", blank=False), b"event:e\ndata:x\n\n"),
        (Event("a\nb"), b"data: a\ndata: b\n\n"),
        (Event({"a": 1}, pretty=True), b'data: {\ndata:   "a": 1\ndata: }\n\n'),
    ],
)
def test_events_as_server_sent_events(event: Event, written: bytes) -> None:
    """An event is written with its name, line ends, blanks and several data lines, as the script wants."""
    assert event.sse() == written


def test_json_replies() -> None:
    """A JSON reply is one piece, keeps letters as they are, and has the headers that were given."""
    reply = Reply.json({"a": "ü"}, 429, [("retry-after", "7")])
    assert (reply.status, reply.plain) == (429, '{"a": "ü"}'.encode())
    assert dict(reply.headers) == {"content-type": "application/json", "retry-after": "7"}


def test_only_one_piece_of_bytes_is_plain() -> None:
    """A reply with controls, or in several pieces, has no length to announce."""
    assert Reply(steps=(b"a", b"b")).plain is None
    assert Reply(steps=(Hang(),)).plain is None


def test_requests_decide_between_whole_and_stream() -> None:
    """The same turn is served whole or as events, as the request asks."""
    whole, stream = (render(WIRE, Play(Turn.of("Hi there")), asked(stream)) for stream in (False, True))
    assert json.loads(whole.plain or b"")["choices"][0]["message"]["content"] == "Hi there"
    assert dict(stream.headers)["content-type"].startswith("text/event-stream")
    assert joined(stream.steps).endswith(b"data: [DONE]\n\n")


def test_edits_are_for_their_kind_of_answer() -> None:
    """`edit` changes a stream's events, `edit_body` a whole answer, and `headers` go with both."""

    def edit_body(body: dict[str, Any]) -> dict[str, Any]:
        return {**body, "id": "other"}

    play = Play(
        Turn.of("Hi"), edit=lambda events: [b": hello\n\n", *events[-1:]], edit_body=edit_body, headers=(("x", "y"),)
    )
    whole, stream = render(WIRE, play, asked(False)), render(WIRE, play, asked(True))
    assert json.loads(whole.plain or b"")["id"] == "other"
    assert joined(stream.steps) == b": hello\n\ndata: [DONE]\n\n"
    assert dict(whole.headers)["x"] == dict(stream.headers)["x"] == "y"


@given(st.lists(st.integers(1, 900), max_size=5))
def test_cuts_of_a_play_change_no_byte(positions: list[int]) -> None:
    """A stream served with cuts has the bytes of one served without."""
    turn = Turn.of("é 😀", ref="r")
    plain, cut = (render(WIRE, Play(turn, splits=splits), asked(True)) for splits in ((), tuple(positions)))
    assert joined(cut.steps) == joined(plain.steps)
