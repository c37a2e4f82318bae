"""Argument texts: gathering them, and the reasons when they cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.ports import ToolArgumentsFailure
from agentports.providers._arguments import CallGatherer, arguments_text, read_arguments

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=6), JSON, max_size=4)


def reason(text: str, *, closed: bool = True, limited: bool = False) -> str | None:
    """Return the reason of a failure; the arguments of a failure are always the empty placeholder."""
    args, failure = read_arguments(text, closed=closed, limited=limited)
    assert failure is None or args == {}
    return failure.reason if failure else None


@given(OBJECTS)
@settings(deadline=None)
def test_objects_are_read(value: dict[str, Any]) -> None:
    """An object comes out as it went in."""
    assert read_arguments(json.dumps(value)) == (value, None)


@pytest.mark.parametrize("text", ["{", '{"x":', "{'x': 1}", "x", '{"x": NaN}', '{"x": Infinity}', "[" * 100_000, " "])
def test_text_that_is_not_json(text: str) -> None:
    """Broken text is invalid-json, or incomplete-stream when the token limit cut the answer."""
    assert reason(text) == "invalid-json"
    assert reason(text, limited=True) == "incomplete-stream"


@pytest.mark.parametrize("text", ["[]", "3", '"x"', "true", "null", "[{}]"])
def test_json_that_is_no_object(text: str) -> None:
    """JSON of another shape has a reason of its own, whatever ended the answer."""
    assert reason(text) == reason(text, limited=True) == "invalid-argument-shape"


@pytest.mark.parametrize("text", ["", "{}", '{"x":1}', "[]", "{"])
def test_open_call_is_incomplete(text: str) -> None:
    """Without an end everything is incomplete, also text that parses so far."""
    assert reason(text, closed=False) == reason(text, closed=False, limited=True) == "incomplete-stream"


def test_no_text_means_no_arguments() -> None:
    """A finished call without argument text has none."""
    assert read_arguments("") == ({}, None)


def test_failure_keeps_nothing_of_the_text() -> None:
    """The failure is its reason alone."""
    _, failure = read_arguments('{"secret-marker": ')
    assert isinstance(failure, ToolArgumentsFailure)
    assert failure.model_dump() == {"reason": "invalid-json"}


def test_arguments_that_are_not_text() -> None:
    """A server that sends the object itself, or nothing, is understood."""
    values: list[object] = [None, "{", {"x": 1}, []]
    assert [arguments_text(value) for value in values] == ["", "{", '{"x": 1}', "[]"]


@given(st.lists(OBJECTS, min_size=1, max_size=4), st.data())
@settings(deadline=None)
def test_interleaved_pieces_are_told_apart_by_index(values: list[dict[str, Any]], data: st.DataObject) -> None:
    """However the texts are cut and mixed, each call gets its own; the first piece of an index gives its place."""
    queues = []
    for index, value in enumerate(values):
        text = json.dumps(value)
        cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
        queues.append([(index, text[a:b]) for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)])
    gathered, order = CallGatherer(), []
    while any(queues):
        index, piece = data.draw(st.sampled_from([queue for queue in queues if queue])).pop(0)
        gathered.at(index).add(call_id=f"id-{index}", name=f"tool{index}", text=piece)
        order += [] if index in order else [index]
    assert [(call.id, json.loads(call.text)) for call in gathered] == [(f"id-{at}", values[at]) for at in order]


def test_id_and_name_come_once() -> None:
    """Later pieces with an empty, missing or other id and name change nothing."""
    gathered = CallGatherer()
    gathered.at(0).add(call_id="a", name="add", text="{")
    gathered.at(0).add(call_id="", name=None, text="}")
    gathered.at(0).add(call_id="b", name="sub")
    assert [(call.id, call.name, call.text) for call in gathered] == [("a", "add", "{}")]


def test_late_id_is_taken() -> None:
    """An id may come after the first piece."""
    gathered = CallGatherer()
    gathered.at(0).add(call_id=None, text="{}")
    gathered.at(0).add(call_id="a", name="add")
    assert [(call.id, call.name) for call in gathered] == [("a", "add")]


def test_end_of_message_closes_all() -> None:
    """Calls are open until something closes them."""
    gathered = CallGatherer()
    gathered.at(0)
    gathered.at(1).closed = True
    assert [call.closed for call in gathered] == [False, True]
    gathered.close_all()
    assert [call.closed for call in gathered] == [True, True]
    assert gathered.last_index() == 1
    assert len(gathered) == 2
