"""The simulated responses have the vendor's shapes (document 12, section 3)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from agentports.sim import (
    Play,
    RecordedRequest,
    Text,
    Thinking,
    TokenCounts,
    ToolCall,
    Turn,
    VendorError,
    wire_named,
)
from agentports.sim.wires.base import render
from agentports.sim.wires.openai_responses import unanswered
from portproof.strategies import reasoned_turns, turns

WIRE = wire_named("openai-responses")
CALL = ToolCall("call_a", "add", {"x": 1}, (3,))
FULL = Turn.of(
    Thinking("First. Then.", summary=True),
    "I add.",
    Text("Not that.", refusal=True),
    CALL,
    counts=TokenCounts(26, 11, 3, 0, 2),
    ref="resp_1",
)


def datas(turn: Turn) -> list[dict[str, Any]]:
    """The data of the events of a stream."""
    return [event.data for event in WIRE.events(turn)]


def of_type(turn: Turn, kind: str) -> list[dict[str, Any]]:
    """The events of one type."""
    return [data for data in datas(turn) if data["type"] == f"response.{kind}"]


def asked(body: Any, path: str = "/v1/responses", method: str = "POST") -> RecordedRequest:
    """A request with this body."""
    return RecordedRequest(method, path, {}, json.dumps(body).encode())


def served(play: Play, *, stream: bool) -> bytes:
    """What a client gets."""
    reply = render(WIRE, play, asked({"model": "gpt-4o", "input": "hi", "stream": stream}))
    return b"".join(step for step in reply.steps if isinstance(step, bytes))


# ---- whole answers


def test_whole_answer() -> None:
    """Items in order, each with an id of its own; texts that stand together share a message."""
    body = WIRE.body(FULL, "gpt-4o")
    assert (body["id"], body["object"], body["model"], body["status"]) == ("resp_1", "response", "gpt-4o", "completed")
    text = {"type": "output_text", "text": "I add.", "annotations": [], "logprobs": []}
    refusal = {"type": "refusal", "refusal": "Not that."}
    message = {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant"}
    call = {"id": "fc_2", "type": "function_call", "status": "completed", "call_id": "call_a", "name": "add"}
    assert body["output"] == [
        {"id": "rs_0", "type": "reasoning", "summary": [{"type": "summary_text", "text": "First. Then."}]},
        {**message, "content": [text, refusal]},
        {**call, "arguments": '{"x": 1}'},
    ]


def test_both_details_are_always_there() -> None:
    """A count that was not given is 0, but for that of what was written to the cache, which may be left out."""
    assert WIRE.body(FULL, "m")["usage"] == {
        "input_tokens": 26,
        "input_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 0},
        "output_tokens": 11,
        "output_tokens_details": {"reasoning_tokens": 2},
        "total_tokens": 37,
    }
    plain = WIRE.body(Turn(), "m")["usage"]
    assert plain["input_tokens_details"] == {"cached_tokens": 0}
    assert plain["output_tokens_details"] == {"reasoning_tokens": 0}
    assert WIRE.body(Turn(counts=None), "m")["usage"] is None


def test_reasoning_is_a_summary_or_itself() -> None:
    """Steps of one kind share an item; a signed or hidden thought has one of its own, and its value goes encrypted."""
    summary, content = {"type": "summary_text", "text": "a"}, {"type": "reasoning_text", "text": "b"}
    steps = [Thinking("a", summary=True), Thinking("a", summary=True), Thinking("b"), Thinking("b", "sig")]
    hidden = Thinking("", "aGlk", redacted=True)
    items = WIRE.body(Turn.of(*steps, hidden), "m")["output"]
    assert [{k: v for k, v in item.items() if k not in ("id", "type")} for item in items] == [
        {"summary": [summary, summary]},
        {"summary": [], "content": [content]},
        {"summary": [], "content": [content], "encrypted_content": "sig"},
        {"summary": [], "encrypted_content": "aGlk"},
    ]


@pytest.mark.parametrize(
    ("turn", "status", "reason"),
    [
        (Turn.of("a"), "completed", None),
        (Turn.of(CALL), "completed", None),
        (Turn.of("a", stop="stop_sequence"), "completed", None),
        (Turn.of("a", stop="max_tokens"), "incomplete", "max_output_tokens"),
        (Turn.of("a", stop="content_filter"), "incomplete", "content_filter"),
        (Turn.of("a", stop="steered"), "incomplete", "steered"),
    ],
)
def test_an_ending_is_a_status_and_perhaps_a_reason(turn: Turn, status: str, reason: str | None) -> None:
    """What is no natural end is the reason of an incomplete answer, whose last item is incomplete too."""
    body, last = WIRE.body(turn, "m"), datas(turn)[-1]
    assert (body["status"], body["output"][-1]["status"]) == (status, status)
    assert body["incomplete_details"] == (None if reason is None else {"reason": reason})
    assert last["type"] == f"response.{status}"
    assert (last["response"]["status"], last["response"]["output"]) == (status, body["output"])


# ---- streams


def test_every_event_is_named_and_numbered() -> None:
    """The name before the data is the type in it, and the numbers rise from 0."""
    events = WIRE.events(FULL)
    assert [event.event for event in events] == [event.data["type"] for event in events]
    assert [event.data["sequence_number"] for event in events] == list(range(len(events)))


def test_a_stream_says_each_item_and_then_the_whole() -> None:
    """A message opens, its parts open, grow and close, and it closes; the last event holds the whole answer."""
    within = ["output_item.added", "content_part.added", "output_text.delta", "output_text.delta", "output_text.done"]
    ends = ["content_part.done", "output_item.done"]
    kinds = ["created", "in_progress", *within, *ends, "completed"]
    assert [data["type"] for data in datas(Turn.of("I add."))] == [f"response.{kind}" for kind in kinds]
    assert datas(FULL)[0]["response"]["output"] == []
    assert datas(FULL)[0]["response"]["usage"] is None
    assert datas(FULL)[-1]["response"] == WIRE.body(FULL, "gpt-4o")


def test_pieces_say_where_they_belong() -> None:
    """A piece of text has the index of its item and of its part; a piece of arguments that of its item."""
    deltas = [data for data in datas(FULL) if data["type"].endswith(".delta")]
    place = ("output_index", "content_index", "summary_index", "item_id")
    assert [[data.get(key) for key in place] for data in deltas] == [
        [0, None, 0, "rs_0"],
        [0, None, 0, "rs_0"],
        [1, 0, None, "msg_1"],
        [1, 0, None, "msg_1"],
        [1, 1, None, "msg_1"],
        [1, 1, None, "msg_1"],
        [2, None, None, "fc_2"],
        [2, None, None, "fc_2"],
    ]


def test_items_interleave_as_the_turn_says() -> None:
    """An item opens behind those before it however the pieces are ordered, and closes behind its last piece."""
    turn = Turn.of("a b", CALL, ToolCall("c", "now", ""), order=(1, 0))
    events = [(d["type"].removeprefix("response."), d["output_index"]) for d in datas(turn) if "output_index" in d]
    assert [event for event in events if not event[0].startswith("content_part")] == [
        ("output_item.added", 0),
        ("output_item.added", 1),
        ("function_call_arguments.delta", 1),
        ("output_text.delta", 0),
        ("output_text.delta", 0),
        ("output_text.done", 0),
        ("output_item.done", 0),
        ("function_call_arguments.delta", 1),
        ("function_call_arguments.done", 1),
        ("output_item.done", 1),
        ("output_item.added", 2),
        ("function_call_arguments.done", 2),
        ("output_item.done", 2),
    ]


def test_an_encrypted_value_is_whole_only_when_its_item_is() -> None:
    """What the beginning of an item shows of it must not be kept."""
    turn = Turn.of(Thinking("", "aGlkZGVu", redacted=True))
    values = [data["item"]["encrypted_content"] for data in datas(turn) if "item" in data]
    assert values == ["aGlk", "aGlkZGVu"]
    assert len(datas(turn)) == 5


# ---- errors, and answers that are none


def test_errors_have_the_vendors_shapes() -> None:
    """An HTTP error stands under `error`; the event of a stream has its fields at the top."""
    error = VendorError(429, "Slow down.")
    assert json.loads(WIRE.error(error).plain or b"")["error"]["message"] == "Slow down."
    event = WIRE.error_event(error)
    said = {"code": "rate_limit_exceeded", "message": "Slow down.", "param": None}
    assert (event.event, event.data) == ("error", {"type": "error", **said, "sequence_number": 0})
    assert WIRE.error_event(VendorError(503)).data["code"] == "server_error"
    assert WIRE.error_event(VendorError(400, code="invalid_image")).data["code"] == "invalid_image"


@pytest.mark.parametrize("status", ["failed", "cancelled", "queued"])
def test_a_response_may_be_no_answer(status: str) -> None:
    """It has HTTP status 200, no counts, and an error where it failed; a stream ends with an event of that name."""
    play = unanswered(status, "invalid_prompt", Turn.of("a"))
    body = json.loads(served(play, stream=False))
    assert (body["status"], body["usage"], body["incomplete_details"]) == (status, None, None)
    assert (body["error"] or {}).get("code") == ("invalid_prompt" if status == "failed" else None)
    name, data = served(play, stream=True).decode().strip().split("\n\n")[-1].split("\n")
    last = json.loads(data.removeprefix("data: "))
    assert (name, last["type"], last["response"]) == (f"event: response.{status}", f"response.{status}", body)


# ---- requests


def test_the_request_decides() -> None:
    """Streaming and the model's name are as the request asks."""
    assert [WIRE.streams(asked({"stream": value})) for value in (True, False, None)] == [True, False, False]
    assert WIRE.options(asked({"model": "gpt-5"})) == ("gpt-5",)


def test_only_its_own_path_is_answered() -> None:
    """A generation is asked for by POST to a path that ends as the vendor's does."""
    assert WIRE.asks(asked({}))
    assert not WIRE.asks(asked({}, "/v1/responses/resp_1"))
    assert not WIRE.asks(asked({}, method="GET"))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ([], "parse the JSON body"),
        ({"model": "m"}, "'input'"),
        ({"input": [{"type": "function_call_output", "call_id": "a", "output": "1"}]}, "call_id a"),
        (
            {"input": [{"type": kind, "call_id": "a"} for kind in ("function_call_output", "function_call")]},
            "No tool call found",
        ),
        ({"input": [{"type": "function_call", "call_id": "a"}]}, "No tool output found for function call a."),
    ],
)
def test_illegal_requests_are_refused(body: Any, said: str) -> None:
    """The vendor says what is missing: a body, an input, the call that a result answers, or the result of a call."""
    refusal = WIRE.refusal(asked(body))
    assert refusal is not None
    assert (refusal.status, said in refusal.message) == (400, True)
    assert refusal.param == ("input" if body else None)


def test_legal_requests_are_taken() -> None:
    """A result behind its call, a plain text, and a result whose call the vendor may have kept."""
    result = {"type": "function_call_output", "call_id": "a", "output": "1"}
    pair = [{"type": "function_call", "call_id": "a", "name": "add", "arguments": "{}"}, result]
    bodies = [{"input": pair}, {"input": "hi"}, {"input": []}, {"input": [result], "previous_response_id": "resp_1"}]
    assert [WIRE.refusal(asked(body)) for body in bodies] == [None] * 4


# ---- the vendor's own types


def complete_counts(turn: Turn) -> Turn:
    """The turn with the count that older servers leave out and the newest types demand."""
    return replace(turn, counts=turn.counts and replace(turn.counts, cache_write=turn.counts.cache_write or 0))


def validated(turn: Turn) -> tuple[Any, list[Any]]:
    """The answer and the events as the official client's types read them, strictly."""
    responses = pytest.importorskip("openai.types.responses")
    pydantic = pytest.importorskip("pydantic")
    event = pydantic.TypeAdapter(responses.ResponseStreamEvent)
    turn = complete_counts(turn)
    whole = responses.Response.model_validate(WIRE.body(turn, "gpt-4o"), strict=True)
    return whole, [event.validate_python(data, strict=True) for data in datas(turn)]


@given(turns(thinking=True))
@settings(max_examples=50, deadline=None)
def test_the_vendors_own_types_read_it(turn: Turn) -> None:
    """They accept every answer and every event, and read the same from whole and from stream."""
    whole, events = validated(turn)
    assert whole.output_text == turn.text
    assert [item.arguments for item in whole.output if item.type == "function_call"] == [c.text for c in turn.calls]
    assert "".join(e.delta for e in events if e.type == "response.output_text.delta") == turn.text
    assert events[-1].response == whole


@given(reasoned_turns())
@settings(max_examples=20, deadline=None)
def test_the_vendors_own_types_read_reasoning(turn: Turn) -> None:
    """Reasoning too, as a summary and as it is, and an answer that the model declined."""
    blocks = [replace(b, summary=at % 2 == 0) if isinstance(b, Thinking) else b for at, b in enumerate(turn.blocks)]
    _, events = validated(replace(turn, blocks=(*blocks, Text("No.", refusal=True))))
    kinds = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
    thought = "".join(event.delta for event in events if event.type in kinds)
    assert thought == "".join(block.text for block in turn.thinking)
    assert [event.refusal for event in events if event.type == "response.refusal.done"] == ["No."]


def test_the_vendors_own_types_read_errors() -> None:
    """The error event, and the event of a response that failed."""
    responses = pytest.importorskip("openai.types.responses")
    error = WIRE.error_event(VendorError(429, "Slow down."))
    assert responses.ResponseErrorEvent.model_validate(error.data, strict=True).code == "rate_limit_exceeded"
    failed: Any = unanswered("failed", "rate_limit_exceeded").edit(WIRE.events(Turn()))[-1]
    assert responses.ResponseFailedEvent.model_validate(failed.data, strict=True).response.status == "failed"
    assert responses.Response.model_validate(failed.data["response"], strict=True).error.code == "rate_limit_exceeded"
