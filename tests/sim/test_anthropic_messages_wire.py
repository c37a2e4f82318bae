"""How the simulator speaks Anthropic's messages."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from pydantic import TypeAdapter

from agentports.sim import (
    Event,
    Play,
    SimulatedTransport,
    Text,
    Thinking,
    TokenCounts,
    ToolCall,
    Turn,
    Upstream,
    VendorError,
    wire_named,
)
from portproof.strategies import reasoned_turns, turns

WIRE = wire_named("anthropic-messages")
BODY = {"model": "claude-x", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}
FULL = Turn.of(
    Thinking("Add them.", "sig+/= ", cuts=(3,), signature_cuts=(2,)),
    "Well then",
    Thinking("", "aGlkZGVu", redacted=True),
    ToolCall("toolu_1", "add", {"x": 1}, cuts=(4,)),
    counts=TokenCounts(26, 11, 3, 0, 2),
    ref="msg_1",
)


def send(upstream: Upstream, content: bytes, path: str = "/v1/messages") -> httpx.Response:
    """Send bytes to the simulated server."""

    async def go() -> httpx.Response:
        async with httpx.AsyncClient(transport=SimulatedTransport(upstream), base_url="http://sim") as client:
            return await client.post(path, content=content)

    return asyncio.run(go())


def ask(answer: Any, path: str = "/v1/messages", **fields: Any) -> httpx.Response:
    """Ask once for this answer; a field that is None is left out."""
    upstream = Upstream(WIRE)
    upstream.play(answer)
    body = {name: value for name, value in {**BODY, **fields}.items() if value is not None}
    return send(upstream, json.dumps(body).encode(), path)


def events(answer: Any) -> list[tuple[str, Any]]:
    """The names and the data of the events of a stream."""
    blocks = [block.split("\n") for block in ask(answer, stream=True).text.split("\n\n") if block]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def kinds(answer: Any) -> list[tuple[Any, ...]]:
    """What the events of the blocks are, and at which index."""
    return [(data["index"], name.removeprefix("content_block_")) for name, data in events(answer) if "index" in data]


def said(*messages: Any) -> httpx.Response:
    """Ask with these messages."""
    return ask(Turn.of("fine"), messages=list(messages))


# ---- whole answers


def test_a_whole_answer_has_every_field_of_the_vendors_message() -> None:
    """Blocks in order, arguments as an object, counts where they were given, and no more."""
    assert ask(FULL).json() == {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": [
            {"type": "thinking", "thinking": "Add them.", "signature": "sig+/= "},
            {"type": "text", "text": "Well then"},
            {"type": "redacted_thinking", "data": "aGlkZGVu"},
            {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"x": 1}},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 26,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 3,
            "output_tokens": 11,
            "output_tokens_details": {"thinking_tokens": 2},
        },
    }


def test_counts_that_were_not_given_are_left_out() -> None:
    """Cache and thinking counts are optional; without any counts there is no usage, and without an id no id."""
    assert ask(Turn.of("x", counts=TokenCounts(1, 2))).json()["usage"] == {"input_tokens": 1, "output_tokens": 2}
    assert {"usage", "id"}.isdisjoint(ask(Turn.of("x", counts=None, ref=None)).json())


def test_thinking_without_a_signature_has_none() -> None:
    """Servers that sign nothing leave the field out."""
    assert ask(Turn.of(Thinking("hm"))).json()["content"] == [{"type": "thinking", "thinking": "hm"}]


@pytest.mark.parametrize("broken", ['{"x": ', "[1]", '"x"', ""])
def test_a_whole_answer_cannot_hold_broken_arguments(broken: str) -> None:
    """Only an object can stand where the arguments stand; broken text, which a stream carries, becomes an empty one."""
    assert ask(Turn.of(ToolCall("c", "add", broken))).json()["content"][0]["input"] == {}


@pytest.mark.parametrize(
    ("stop", "word"),
    [
        (None, "end_turn"),
        ("stop", "end_turn"),
        ("tool_use", "tool_use"),
        ("max_tokens", "max_tokens"),
        ("stop_sequence", "stop_sequence"),
        ("content_filter", "refusal"),
        ("pause_turn", "pause_turn"),
    ],
)
def test_stop_words_are_the_vendors(stop: str | None, word: str) -> None:
    """Known words in the vendor's spelling, others as they are, whole and streamed."""
    turn = Turn.of("x", stop=stop)
    assert ask(turn).json()["stop_reason"] == word
    assert events(turn)[-2][1]["delta"]["stop_reason"] == word


def test_the_path_may_stand_below_any_base() -> None:
    """A base URL with or without a version reaches the same wire."""
    assert {ask(Turn.of("x"), path).status_code for path in ("/messages", "/a/v1/messages", "/v1/v1/messages")} == {200}
    assert ask(Turn.of("x"), "/v1/messages/count_tokens").status_code == 404


# ---- streams


def test_every_event_is_named_as_its_data_says() -> None:
    """The name before the data and the type in it are the same."""
    assert all(name == data["type"] for name, data in events(FULL))


def test_a_stream_begins_and_ends_as_the_vendors() -> None:
    """The message with its first counts, a ping, the blocks, the reason with the cumulative counts, the end."""
    (start, message), (ping, _), *_, (delta, ended), (stop, _) = events(FULL)
    assert [start, ping, delta, stop] == ["message_start", "ping", "message_delta", "message_stop"]
    assert message["message"]["content"] == []
    assert message["message"]["stop_reason"] is None
    assert message["message"]["id"] == "msg_1"
    assert message["message"]["usage"]["input_tokens"] == 26
    assert message["message"]["usage"]["output_tokens"] == 1
    assert ended["usage"] == {"output_tokens": 11, "output_tokens_details": {"thinking_tokens": 2}}


def test_blocks_come_in_pieces() -> None:
    """Each block opens empty, grows by deltas of its own kind, and closes; a redacted one comes whole."""
    blocks = [
        (data["index"], data.get("content_block") or data.get("delta")) for _, data in events(FULL) if "index" in data
    ]
    assert blocks == [
        (0, {"type": "thinking", "thinking": "", "signature": ""}),
        (0, {"type": "thinking_delta", "thinking": "Add"}),
        (0, {"type": "thinking_delta", "thinking": " them."}),
        (0, {"type": "signature_delta", "signature": "si"}),
        (0, {"type": "signature_delta", "signature": "g+/= "}),
        (0, None),
        (1, {"type": "text", "text": ""}),
        (1, {"type": "text_delta", "text": "Well"}),
        (1, {"type": "text_delta", "text": " then"}),
        (1, None),
        (2, {"type": "redacted_thinking", "data": "aGlkZGVu"}),
        (2, None),
        (3, {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {}}),
        (3, {"type": "input_json_delta", "partial_json": '{"x"'}),
        (3, {"type": "input_json_delta", "partial_json": ": 1}"}),
        (3, None),
    ]


def test_pieces_interleave_as_the_turn_says() -> None:
    """A block opens before its first piece and behind those before it, and closes behind its last."""
    turn = Turn.of(Text("a b"), ToolCall("c", "add", "{}", cuts=(1,)), order=(1, 0, 1, 0))
    start, delta, stop = "start", "delta", "stop"
    assert kinds(turn) == [
        (0, start),
        (1, start),
        (1, delta),
        (0, delta),
        (1, delta),
        (1, stop),
        (0, delta),
        (0, stop),
    ]


def test_a_block_without_pieces_opens_and_closes() -> None:
    """Thinking whose text is kept back still carries its signature; a call may have no argument text at all."""
    turn = Turn.of(Thinking("", "sig"), ToolCall("c", "now", ""))
    assert kinds(turn) == [(0, "start"), (0, "delta"), (0, "stop"), (1, "start"), (1, "stop")]


@cache
def vendor_types() -> tuple[Any, TypeAdapter[Any]]:
    """The official client's types, and what reads any event of a stream."""
    types = pytest.importorskip("anthropic.types")
    return types, TypeAdapter(types.RawMessageStreamEvent)


@given(turns(thinking=True) | reasoned_turns())
@settings(max_examples=50, deadline=None)
def test_the_vendors_own_types_read_it(turn: Turn) -> None:
    """The official client's types accept every answer and every event, and read the same from them."""
    types, event_type = vendor_types()
    whole = types.Message.model_validate(WIRE.body(turn, "claude-x"), strict=True)
    assert "".join(block.text for block in whole.content if block.type == "text") == turn.text
    assert [block.input for block in whole.content if block.type == "tool_use"] == [
        json.loads(call.text) for call in turn.calls
    ]
    sent = [event.data for event in WIRE.events(turn) if event.event != "ping"]
    read = [event_type.validate_python(data, strict=True) for data in sent]
    deltas = [event.delta for event in read if event.type == "content_block_delta"]
    assert "".join(delta.text for delta in deltas if delta.type == "text_delta") == turn.text
    assert read[-2].usage.output_tokens == whole.usage.output_tokens


# ---- errors


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (402, "billing_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (409, "conflict_error"),
        (413, "request_too_large"),
        (422, "invalid_request_error"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (503, "api_error"),
        (504, "timeout_error"),
        (529, "overloaded_error"),
    ],
)
def test_errors_have_the_vendors_type_for_their_status(status: int, kind: str) -> None:
    """Status, type, message and headers of an error answer."""
    answer = ask(VendorError(status, "It did not work.", headers=(("retry-after", "7"),)))
    assert answer.status_code == status
    assert answer.headers["retry-after"] == "7"
    assert answer.json()["type"] == "error"
    assert answer.json()["error"] == {"type": kind, "message": "It did not work."}


def test_an_error_inside_a_stream_is_an_event_of_its_own() -> None:
    """The error event has the shape of the error answer; a type that was given is kept."""
    error = WIRE.error_event(VendorError(529, "busy", "odd_error"))

    def fail(sent: list[Event]) -> list[Event]:
        return [*sent[:3], error]

    name, data = events(Play(Turn.of("one two"), edit=fail))[-1]
    assert (name, data["type"], data["error"]) == ("error", "error", {"type": "odd_error", "message": "busy"})


# ---- what the vendor refuses


def refusal(response: httpx.Response) -> str:
    """The sentence of a refusal, which has the vendor's shape."""
    assert response.status_code == 400
    assert response.json()["error"]["type"] == "invalid_request_error"
    message: str = response.json()["error"]["message"]
    return message


def test_a_body_that_is_not_json_is_refused() -> None:
    """The vendor reads JSON only."""
    assert "not valid JSON" in refusal(send(Upstream(WIRE), b"{"))


@pytest.mark.parametrize("field", ["model", "max_tokens", "messages"])
def test_a_required_field_that_is_missing_is_refused(field: str) -> None:
    """The sentence names the field."""
    assert refusal(ask(Turn.of("x"), **{field: None})) == f"{field}: Field required"


USER = {"role": "user", "content": "hi"}
CALLS = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "add", "input": {}}]}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]}


def test_a_result_is_refused_without_its_call_in_the_turn_before() -> None:
    """No call at all, a call of another id, and a call too far back."""
    other = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "1"}]}
    for messages in (
        [USER, RESULT],
        [USER, CALLS, other],
        [USER, CALLS, RESULT, {"role": "assistant", "content": "x"}, RESULT],
    ):
        assert "must have a corresponding `tool_use` block" in refusal(said(*messages))


def test_a_call_is_refused_without_its_result_in_the_turn_behind() -> None:
    """No result at all, one too late, and one of two."""
    two = {
        "role": "assistant",
        "content": [*CALLS["content"], {"type": "tool_use", "id": "b", "name": "f", "input": {}}],
    }
    late = [{"role": "user", "content": "wait"}, {"role": "assistant", "content": "well"}, RESULT]
    for messages, missing in (([USER, CALLS], "a"), ([USER, CALLS, *late], "a"), ([USER, two, RESULT], "b")):
        sentence = refusal(said(*messages))
        assert sentence.startswith(
            "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after"
        )
        assert f": {missing}. " in sentence


@pytest.mark.parametrize("signed", [{}, {"signature": None}, {"signature": ""}])
def test_thinking_is_refused_without_its_signature(signed: dict[str, Any]) -> None:
    """The sentence names the block; hidden thinking has a value instead, and what is signed is taken."""
    hidden = {"type": "redacted_thinking", "data": "aGlkZGVu"}
    thinking = {"type": "thinking", "thinking": "hm"}
    answers = [
        said(USER, {**CALLS, "content": [hidden, each, *CALLS["content"]]}, RESULT)
        for each in ({**thinking, **signed}, {**thinking, "signature": "sig"})
    ]
    assert refusal(answers[0]) == (
        "messages.1.content.1: Invalid `signature` in `thinking` block"
        if signed.get("signature") is not None
        else "messages.1.content.1.thinking.signature: Field required"
    )
    assert answers[1].status_code == 200


def test_results_behind_their_call_are_taken() -> None:
    """Neighbours of one role count as one turn."""
    assert said(USER, CALLS, RESULT, {"role": "user", "content": "go on"}).status_code == 200
    assert said(USER, {"role": "assistant", "content": "wait"}, CALLS, RESULT).status_code == 200
