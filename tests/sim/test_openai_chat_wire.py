"""The simulated chat completions have the vendor's shapes (document 12, section 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from agentports.sim import Event, RecordedRequest, Text, Thinking, TokenCounts, ToolCall, Turn, VendorError, wire_named
from portproof.strategies import turns

WIRE = wire_named("openai-chat")
CALL = ToolCall("call_a", "add", {"x": 1}, (3,))


def chunks(turn: Turn, *, usage: bool = True) -> list[dict[str, Any]]:
    """The chunks of a stream, without the end marker."""
    return [event.data for event in WIRE.events(turn, "gpt-4o", usage) if event.data != "[DONE]"]


def deltas(turn: Turn) -> list[dict[str, Any]]:
    """The deltas of a stream."""
    return [chunk["choices"][0]["delta"] for chunk in chunks(turn) if chunk["choices"]]


def asked(body: Any, path: str = "/v1/chat/completions", method: str = "POST") -> RecordedRequest:
    """A request with this body."""
    return RecordedRequest(method, path, {}, json.dumps(body).encode())


def test_whole_answer() -> None:
    """Text, calls, reason, id and counts stand where the vendor puts them."""
    body = WIRE.body(Turn.of("I add.", CALL, counts=TokenCounts(12, 7), ref="chatcmpl-1"), "gpt-4o")
    choice = body["choices"][0]
    assert (body["id"], body["object"], body["model"]) == ("chatcmpl-1", "chat.completion", "gpt-4o")
    assert (choice["index"], choice["finish_reason"], choice["message"]["content"]) == (0, "tool_calls", "I add.")
    function = {"name": "add", "arguments": '{"x": 1}'}
    assert choice["message"]["tool_calls"] == [{"id": "call_a", "type": "function", "function": function}]
    assert body["usage"] == {"prompt_tokens": 12, "completion_tokens": 7, "total_tokens": 19}


def test_content_is_null_beside_calls_alone() -> None:
    """An answer of calls alone has null for content; one without anything has the empty text."""
    assert WIRE.body(Turn.of(CALL), "m")["choices"][0]["message"]["content"] is None
    assert WIRE.body(Turn(), "m")["choices"][0]["message"]["content"] == ""
    assert "tool_calls" not in WIRE.body(Turn(), "m")["choices"][0]["message"]


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        (Turn.of("a"), "stop"),
        (Turn.of(CALL), "tool_calls"),
        (Turn.of("a", stop="max_tokens"), "length"),
        (Turn.of("a", stop="content_filter"), "content_filter"),
        (Turn.of("a", stop="stop_sequence"), "stop"),
        (Turn.of(CALL, stop="stop"), "stop"),
        (Turn.of("a", stop="eos"), "eos"),
    ],
)
def test_reasons_in_the_vendors_spelling(turn: Turn, reason: str) -> None:
    """Each reason has the vendor's word, in a whole answer and in a stream; other words go out as they are."""
    assert WIRE.body(turn, "m")["choices"][0]["finish_reason"] == reason
    finished = [c["choices"][0]["finish_reason"] for c in chunks(turn) if c["choices"]]
    assert finished[-1] == reason
    assert set(finished[:-1]) == {None}


def test_optional_counts_stand_in_the_details() -> None:
    """A count that is None is left out, with its object when that would be empty; a zero is written."""
    usage = WIRE.body(Turn.of(counts=TokenCounts(9, 5, 0, None, 3)), "m")["usage"]
    assert usage["prompt_tokens_details"] == {"cached_tokens": 0}
    assert usage["completion_tokens_details"] == {"reasoning_tokens": 3}
    assert "prompt_tokens_details" not in WIRE.body(Turn.of(), "m")["usage"]


def test_a_vendor_may_report_nothing() -> None:
    """Without counts there is no usage, and without a ref no id."""
    turn = Turn.of("a", counts=None, ref=None)
    assert not {"usage", "id"} & WIRE.body(turn, "m").keys()
    assert all("id" not in chunk and not chunk.get("usage") for chunk in chunks(turn))


def test_stream_opens_with_the_role_and_ends_with_done() -> None:
    """The first delta has the role and no text, the last event is the end marker."""
    events = WIRE.events(Turn.of("a b"))
    assert events[0].data["choices"][0]["delta"] == {"role": "assistant", "content": "", "refusal": None}
    assert events[-1] == Event("[DONE]")


def test_text_comes_in_its_pieces() -> None:
    """Each piece of text is a delta, the empty ones too."""
    said = [delta["content"] for delta in deltas(Turn.of(Text("abc", (1, 1))))[1:] if "content" in delta]
    assert said == ["a", "", "bc"]


def test_calls_open_with_id_and_name_and_go_on_by_index() -> None:
    """Id, type and name come once, with no arguments yet; the pieces have the index alone."""
    pieces = [delta["tool_calls"][0] for delta in deltas(Turn.of("a", CALL)) if "tool_calls" in delta]
    opening = {"id": "call_a", "type": "function", "function": {"name": "add", "arguments": ""}}
    assert pieces[0] == {"index": 0, **opening}
    assert [(piece["index"], piece["function"]) for piece in pieces[1:]] == [
        (0, {"arguments": '{"x'}),
        (0, {"arguments": '": 1}'}),
    ]


def test_interleaved_calls_open_in_their_own_order() -> None:
    """However pieces are interleaved, an index appears first where its turn has come."""
    turn = Turn.of(CALL, ToolCall("call_b", "sub", "{}", (1,)), order=(1, 0, 1))
    seen = [delta["tool_calls"][0]["index"] for delta in deltas(turn) if "tool_calls" in delta]
    assert list(dict.fromkeys(seen)) == [0, 1]
    assert seen == [0, 1, 1, 0, 1, 0]


def test_calls_without_argument_text_are_opened_all_the_same() -> None:
    """A call without a single piece still has its opening delta."""
    pieces = [delta for delta in deltas(Turn.of(ToolCall("c", "now", ""))) if "tool_calls" in delta]
    assert len(pieces) == 1


def test_usage_comes_last_and_without_a_choice() -> None:
    """Counts that were asked for stand on a chunk of their own; the other chunks have null."""
    with_usage, without = chunks(Turn.of("a")), chunks(Turn.of("a"), usage=False)
    assert with_usage[-1]["choices"] == []
    assert with_usage[-1]["usage"]["prompt_tokens"] == 9
    assert {chunk["usage"] for chunk in with_usage[:-1]} == {None}
    assert all("usage" not in chunk for chunk in without)


def test_the_request_decides() -> None:
    """Streaming, the model's name and the counts are as the request asks."""
    plain = {"model": "gpt-4o", "messages": []}
    assert [WIRE.streams(asked({**plain, "stream": value})) for value in (True, False, None)] == [True, False, False]
    assert not WIRE.streams(asked(plain))
    assert WIRE.options(asked(plain)) == ("gpt-4o", False)
    assert WIRE.options(asked({**plain, "stream_options": {"include_usage": True}})) == ("gpt-4o", True)


def test_only_its_own_path_is_answered() -> None:
    """A generation is asked for by POST to a path that ends as the vendor's does, Azure's included."""
    azure = "/openai/deployments/d/chat/completions"
    assert WIRE.asks(asked({}))
    assert WIRE.asks(asked({}, azure))
    assert not WIRE.asks(asked({}, "/v1/responses"))
    assert not WIRE.asks(asked({}, method="GET"))


def test_requests_without_a_conversation_are_refused() -> None:
    """The vendor says what is missing."""
    refusal = WIRE.refusal(asked({"model": "m"}))
    assert refusal is not None
    assert (refusal.status, "messages" in refusal.message) == (400, True)
    assert WIRE.refusal(asked({"model": "m", "messages": []})) is None


USER = {"role": "user", "content": "hi"}
CALLED = {"role": "assistant", "content": None, "tool_calls": [{"id": i, "type": "function"} for i in ("a", "b")]}


def result(ref: str) -> dict[str, str]:
    """The result of a call."""
    return {"role": "tool", "tool_call_id": ref, "content": "1"}


def refused(*messages: Any) -> dict[str, Any]:
    """The error that the vendor answers to this conversation with."""
    refusal = WIRE.refusal(asked({"messages": list(messages)}))
    assert refusal is not None
    reply = WIRE.error(refusal)
    error: dict[str, Any] = json.loads(reply.plain or b"")["error"]
    assert (reply.status, error["type"], error["code"]) == (400, "invalid_request_error", None)
    return error


@pytest.mark.parametrize("before", [[], [USER], [USER, {"role": "assistant", "content": "no calls"}]])
def test_a_result_is_refused_where_nothing_was_called(before: list[Any]) -> None:
    """A tool message stands behind an assistant's message with calls, and behind nothing else."""
    error = refused(*before, result("a"))
    said = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
    assert error["message"] == f"Invalid parameter: {said}"
    assert error["param"] == f"messages.[{len(before)}].role"


def test_a_result_is_refused_whose_call_is_not_in_the_message_before() -> None:
    """An id that was never called, and one of an earlier round."""
    later = {**CALLED, "tool_calls": [{"id": "c", "type": "function"}]}
    for messages in ([USER, CALLED, result("c")], [USER, CALLED, result("b"), result("a"), later, result("a")]):
        error, ref = refused(*messages), messages[-1]["tool_call_id"]
        said = f"Invalid parameter: 'tool_call_id' of '{ref}' not found in 'tool_calls' of previous message."
        assert (error["message"], error["param"]) == (said, f"messages.[{len(messages) - 1}].tool_call_id")


@pytest.mark.parametrize(
    ("behind", "missing", "position"),
    [
        ([], "a, b", 2),
        ([USER], "a, b", 2),
        ([result("b")], "a", 3),
        ([result("a"), USER, result("b")], "b", 3),
        ([result("a"), CALLED, result("a"), result("b")], "b", 3),
    ],
)
def test_calls_are_refused_without_all_of_their_results(behind: list[Any], missing: str, position: int) -> None:
    """Each call of a turn has its result before anybody says something else, and before the conversation ends."""
    error = refused(USER, CALLED, *behind)
    assert error["message"] == (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
        f"The following tool_call_ids did not have response messages: {missing}"
    )
    assert error["param"] == f"messages.[{position}].role"


def test_answered_calls_are_taken() -> None:
    """In any order, one round behind another, with and without a word between them."""
    rounds = [CALLED, result("b"), result("a"), CALLED, result("a"), result("b")]
    for messages in (rounds, [USER, *rounds, USER], [USER, {"role": "assistant", "content": "x", "tool_calls": []}]):
        assert WIRE.refusal(asked({"messages": messages})) is None


def test_errors_have_one_shape_everywhere() -> None:
    """An error is the same object as an HTTP answer and inside a stream."""
    error = VendorError(429, "Slow down.", code="rate_limit_exceeded")
    body = json.loads(WIRE.error(error).plain or b"")
    assert body == WIRE.error_event(error).data
    assert body["error"] == {
        "message": "Slow down.",
        "type": "rate_limit_error",
        "param": None,
        "code": "rate_limit_exceeded",
    }


def test_thinking_has_no_place() -> None:
    """This wire carries no reasoning."""
    turn = Turn.of(Thinking("secret thought"), "a")
    assert "secret" not in json.dumps([WIRE.body(turn, "m"), chunks(turn)])


@given(turns())
@settings(max_examples=50, deadline=None)
def test_whole_and_stream_say_the_same(turn: Turn) -> None:
    """The pieces of a stream make the message of the whole answer."""
    message = WIRE.body(turn, "m")["choices"][0]["message"]
    assert "".join(delta.get("content") or "" for delta in deltas(turn)) == (message["content"] or "")
    texts = [""] * len(turn.calls)
    for delta in deltas(turn):
        for piece in delta.get("tool_calls", ()):
            texts[piece["index"]] += piece["function"]["arguments"]
    assert texts == [call["function"]["arguments"] for call in message.get("tool_calls", ())]
    assert WIRE.body(turn, "m")["usage"] == chunks(turn)[-1]["usage"]


@given(turns(thinking=True))
@settings(max_examples=50, deadline=None)
def test_the_vendors_own_types_read_it(turn: Turn) -> None:
    """The official client's types accept every answer and every chunk, and read the same from them."""
    chat = pytest.importorskip("openai.types.chat")
    whole = chat.ChatCompletion.model_validate(WIRE.body(turn, "gpt-4o"), strict=True)
    assert whole.choices[0].message.content == (turn.text or (None if turn.calls else ""))
    assert [call.function.arguments for call in whole.choices[0].message.tool_calls or ()] == [
        call.text for call in turn.calls
    ]
    read = [chat.ChatCompletionChunk.model_validate(chunk, strict=True) for chunk in chunks(turn)]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in read if chunk.choices) == turn.text
