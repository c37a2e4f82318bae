"""How the adapter for Anthropic's messages reads answers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.ports import LLMToolCall, ProviderError, ToolArgumentsFailure, Usage
from agentports.sim import (
    Block,
    Disconnect,
    Event,
    Play,
    Reply,
    Text,
    Thinking,
    TokenCounts,
    ToolCall,
    Turn,
    VendorError,
    wire_named,
)
from tests.providers.anthropic_doubles import Service

WIRE = wire_named("anthropic-messages")
WORDS = st.text('ab é\n"\\', min_size=1, max_size=8)
CUTS = st.lists(st.integers(0, 8), max_size=3).map(tuple)
BLOCKS = st.one_of(
    st.builds(Text, WORDS, CUTS),
    st.builds(Thinking, WORDS, WORDS, st.just(False), CUTS, CUTS),
    st.builds(Thinking, st.just(""), WORDS, st.just(True)),
    st.builds(ToolCall, st.just("c"), st.just("add"), st.dictionaries(WORDS, WORDS, max_size=2), CUTS),
)


def numbered(blocks: list[Block]) -> tuple[Block, ...]:
    """The blocks, each call with an id of its own."""
    return tuple(
        ToolCall(f"c{at}", block.name, block.text, block.cuts) if isinstance(block, ToolCall) else block
        for at, block in enumerate(blocks)
    )


def edited(turn: Turn, *events: Any, keep: int) -> Play:
    """A stream that goes on with these events after so many of its own."""
    return Play(turn, edit=lambda sent: [*sent[:keep], *events])


def event(kind: str, **fields: Any) -> Event:
    """Build an event of the wire."""
    return Event({"type": kind, **fields}, kind)


def raised(*answers: Any, streaming: bool = True) -> ProviderError:
    """What asking raises."""
    service = Service(*answers)
    with pytest.raises(ProviderError) as caught:
        service.stream() if streaming else service.complete()
    return caught.value


# ---- the same answer in both ways


@settings(max_examples=60, deadline=None)
@given(st.lists(BLOCKS, max_size=5).map(numbered), st.lists(st.integers(0, 4), max_size=12))
def test_a_stream_comes_to_the_answer_that_complete_gives(blocks: tuple[Block, ...], order: list[int]) -> None:
    """Content, calls, thinking, evidence and counts, however the blocks are cut and interleaved."""
    order = [at for at in order if at < len(blocks)] if sum(isinstance(b, Text) for b in blocks) < 2 else []
    service = Service(Turn(blocks, TokenCounts(26, 11, 3, 0, 2), order=tuple(order)))
    chunks = service.stream()
    assert chunks[-1].response == service.complete()
    assert [chunk.token_index for chunk in chunks] == list(range(len(chunks)))
    assert "".join(chunk.content for chunk in chunks) == "".join(b.text for b in blocks if isinstance(b, Text))


def test_blocks_become_content_calls_and_raw_thinking() -> None:
    """Text is joined without a separator; the content array is kept when there is thinking in it."""
    turn = Turn.of("one", Thinking("hm", "sig"), Text(""), "two", ToolCall("c1", "add", {"x": 1}), ref="msg_1")
    response = Service(turn).complete()
    assert response.content == "onetwo"
    assert response.tool_calls == [LLMToolCall(id="c1", name="add", args={"x": 1})]
    assert response.provider_ref == "msg_1"
    assert response.raw_thinking == [
        {"type": "text", "text": "one"},
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "text", "text": ""},
        {"type": "text", "text": "two"},
        {"type": "tool_use", "id": "c1", "name": "add", "input": {"x": 1}},
    ]


def test_without_thinking_there_is_nothing_to_replay() -> None:
    """No raw thinking and no evidence."""
    for response in (Service().complete(), Service().streamed()):
        assert (response.raw_thinking, response.replay, response.replay_omissions) == (None, None, None)


@pytest.mark.parametrize(
    ("stop", "calls", "reason"),
    [
        ("end_turn", False, "stop"),
        ("end_turn", True, "tool_use"),
        ("tool_use", True, "tool_use"),
        ("max_tokens", True, "max_tokens"),
        ("stop_sequence", False, "stop_sequence"),
        ("refusal", False, "refusal"),
        ("pause_turn", False, "pause_turn"),
        ("model_context_window_exceeded", False, "model_context_window_exceeded"),
    ],
)
def test_stop_reasons(stop: str, calls: bool, reason: str) -> None:
    """An ordinary end is stop, or tool_use with calls; every other word stays the vendor's."""
    turn = Turn.of("x", *([ToolCall("c", "add")] if calls else []), stop=stop)
    assert Service(turn).complete().stop_reason == Service(turn).streamed().stop_reason == reason


def test_tool_use_without_a_call_contradicts_itself() -> None:
    """It raises instead of returning."""
    for streaming in (True, False):
        assert raised(Turn.of("x", stop="tool_use"), streaming=streaming).code == "TOOL_CALLS_LOST"


def test_counts_are_the_vendors() -> None:
    """Input holds no cached tokens; zero is a value; what is missing or null is absent."""
    turn = Turn.of("x", counts=TokenCounts(26, 11, 3, 0, 2))
    full = Usage(input=26, output=11, cache_read=3, cache_write=0, thinking=2)
    assert Service(turn).complete().usage == Service(turn).streamed().usage == full
    assert Service(Turn.of("x", counts=None)).streamed().usage == Usage()
    null = Play(turn, edit_body=lambda body: body | {"usage": {"input_tokens": 1, "output_tokens_details": None}})
    assert Service(null).complete().usage == Usage(input=1)


def test_later_counts_of_a_stream_take_the_place_of_the_earlier_ones() -> None:
    """They are cumulative: never added up, and null replaces nothing."""
    deltas = [
        event("message_delta", delta={}, usage={"output_tokens": count, "input_tokens": given})
        for count, given in ((2, None), (4, 30), (4, None))
    ]
    turn = Turn.of("x", counts=TokenCounts(26, 9, cache_read=1))
    usage = Service(edited(turn, *deltas, event("message_stop"), keep=5)).streamed().usage
    assert usage == Usage(input=30, output=4, cache_read=1)


# ---- arguments


@pytest.mark.parametrize(
    ("text", "stop", "reason"),
    [
        ('{"x": ', None, "invalid-json"),
        ('{"x": NaN}', None, "invalid-json"),
        ("[1]", None, "invalid-argument-shape"),
        ('{"x": ', "max_tokens", "incomplete-stream"),
    ],
)
def test_broken_arguments_are_said_to_be_broken(text: str, stop: str | None, reason: Any) -> None:
    """The other call is whole, and the raw text is kept nowhere, raw thinking included."""
    turn = Turn.of(Thinking("hm", "sig"), ToolCall("a", "add", text), ToolCall("b", "add", {"y": 2}), stop=stop)
    response = Service(turn).streamed()
    broken, whole = response.tool_calls
    assert (broken.args, broken.arguments_failure) == ({}, ToolArgumentsFailure(reason=reason))
    assert (whole.args, whole.arguments_failure) == ({"y": 2}, None)
    assert text not in json.dumps(response.model_dump())
    assert response.raw_thinking[1]["input"] == {}


@pytest.mark.parametrize("pieces", [(), ("",), ("", "")])
def test_a_call_without_argument_text_has_no_arguments(pieces: tuple[str, ...]) -> None:
    """No pieces, or only empty ones."""
    turn = Turn.of(ToolCall("c", "now", "", cuts=tuple(0 for _ in pieces[1:]) if pieces else None))
    (call,) = Service(turn).streamed().tool_calls
    assert (call.args, call.arguments_failure) == ({}, None)


# ---- the end of a stream


def test_a_cut_answer_is_never_a_finished_one() -> None:
    """Without a call under way it raises, even when the reason of the end was there already."""
    turn = Turn.of("one two")
    for keep in (1, 4, 7):
        assert raised(edited(turn, keep=keep)).code == "STREAM_INCOMPLETE"
        assert raised(edited(turn, Disconnect(), keep=keep)).code == "STREAM_INCOMPLETE"


def test_calls_of_a_cut_answer_are_delivered() -> None:
    """One whose block had closed is whole, one that was open is incomplete even if its text parses."""
    turn = Turn.of(ToolCall("a", "add", "{}"), ToolCall("b", "add", "{}"))
    response = Service(edited(turn, keep=7)).streamed()
    assert response.stop_reason == "incomplete_stream"
    first, second = response.tool_calls
    assert first.arguments_failure is None
    assert second.arguments_failure == ToolArgumentsFailure(reason="incomplete-stream")


def test_the_end_of_the_message_closes_open_blocks() -> None:
    """A block whose own end never came is whole when the message ended."""

    def without_stops(sent: list[Event]) -> list[Event]:
        return [each for each in sent if each.event != "content_block_stop"]

    (call,) = Service(Play(Turn.of(ToolCall("a", "add", {"x": 1})), edit=without_stops)).streamed().tool_calls
    assert (call.args, call.arguments_failure) == ({"x": 1}, None)


def test_nothing_is_read_behind_the_end() -> None:
    """What a server sends after the message's end says nothing."""
    more = [event("content_block_start", index=0, content_block={"type": "text", "text": "more"})]
    assert Service(Play(Turn.of("fine"), edit=lambda sent: [*sent, *more])).streamed().content == "fine"


def test_unknown_and_odd_events_say_nothing() -> None:
    """Pings, unknown types, deltas and blocks, and data that is no JSON object."""
    odd = [
        event("ping"),
        event("zz_event", delta={"type": "text_delta", "text": "zz"}),
        event("content_block_delta", index=0, delta={"type": "zz_delta", "text": "zz"}),
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": None}),
        event("content_block_start", index=9, content_block={"type": "server_tool_use", "text": "zz"}),
        event("content_block_stop", index=99),
        event("message_delta"),
        Event("[]", "message_delta"),
        Event("{", "message_stop"),
    ]
    response = Service(Play(Turn.of("fine"), edit=lambda sent: [*sent[:4], *odd, *sent[4:]])).streamed()
    assert (response.content, response.stop_reason) == ("fine", "stop")


def test_a_block_may_begin_with_text_or_not_begin_at_all() -> None:
    """The text that a block begins with is a piece; a piece without a beginning begins a block."""
    events = [
        event("content_block_start", index=0, content_block={"type": "text", "text": "be"}),
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": "gun"}),
        event("content_block_delta", index=1, delta={"type": "text_delta", "text": " late"}),
        event("content_block_delta", index=2, delta={"type": "thinking_delta", "thinking": "hm"}),
        event("message_stop"),
    ]
    chunks = Service(edited(Turn.of("x"), *events, keep=1)).stream()
    assert [chunk.content or chunk.thinking_delta for chunk in chunks[:-1]] == ["be", "gun", " late", "hm"]
    assert chunks[-1].response is not None
    assert chunks[-1].response.content == "begun late"


# ---- failures


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("invalid_request_error", 400),
        ("authentication_error", 401),
        ("billing_error", 402),
        ("permission_error", 403),
        ("not_found_error", 404),
        ("conflict_error", 409),
        ("request_too_large", 413),
        ("rate_limit_error", 429),
        ("api_error", 500),
        ("timeout_error", 504),
        ("overloaded_error", 529),
        ("brand_new_error", None),
    ],
)
def test_an_error_event_has_the_status_of_its_type(kind: str, status: int | None) -> None:
    """Never the 200 of the response; an unknown type has none."""
    error = raised(edited(Turn.of("one two"), WIRE.error_event(VendorError(500, "It broke.", kind)), keep=5))
    assert (error.status, error.code) == (status, kind)
    assert "It broke." in str(error)


def test_http_errors_say_what_the_vendor_said() -> None:
    """Status, type, message and the wait that was stated."""
    error = raised(VendorError(529, "Overloaded", headers=(("retry-after", "7"),)), streaming=False)
    assert (error.status, error.code, error.retry_after_ms) == (529, "overloaded_error", 7000)
    assert "Overloaded" in str(error)


@pytest.mark.parametrize("document", [[], {"type": "message"}, {"content": "text"}, {"content": None}])
def test_a_success_that_is_no_message_raises(document: Any) -> None:
    """What is not this wire's is not read as an empty answer."""
    assert raised(Reply.json(document), streaming=False).code == "MALFORMED_RESPONSE"


def test_an_error_with_status_200_raises() -> None:
    """A gateway's way of saying it."""
    document = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    assert raised(Reply.json(document), streaming=False).status == 529


def test_a_whole_message_in_answer_to_a_streaming_request_is_said_to_be_one() -> None:
    """The server ignored the wish for a stream."""
    assert "not a stream" in str(raised(Reply.json({"type": "message", "content": []})))
