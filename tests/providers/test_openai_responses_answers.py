"""How OpenAIResponsesProvider reads answers (document 12, section 3)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.ports import ProviderError, ThinkingBlock
from agentports.providers import OpenAIResponsesProvider

from .provider_doubles import KEY, Vendor
from .responses_doubles import (
    COUNTS,
    ask,
    complete,
    ended,
    event,
    message,
    provider_of,
    response,
    stream,
    streamed,
    wire_call,
)

DECLINED = {"type": "refusal", "refusal": "I will not."}
HANDLER = OpenAIResponsesProvider().thinking_handler


def reasoning(*summary: str, content: Any = None, **fields: Any) -> dict[str, Any]:
    """A reasoning item."""
    steps = [{"type": "summary_text", "text": text} for text in summary]
    return {"id": "rs_0", "type": "reasoning", "summary": steps, "content": content, **fields}


def added(index: int, item: dict[str, Any]) -> dict[str, Any]:
    """An item that begins."""
    return event("output_item.added", output_index=index, item=item)


def piece(index: int, delta: str) -> dict[str, Any]:
    """A piece of arguments."""
    return event("function_call_arguments.delta", output_index=index, delta=delta)


def said(delta: str, kind: str = "output_text") -> dict[str, Any]:
    """A piece of text."""
    return event(f"{kind}.delta", output_index=0, content_index=0, delta=delta)


# ---- whole answers


def test_text_is_that_of_all_messages() -> None:
    """Parts are joined without anything between; parts and items of other kinds are passed over."""
    other = {"type": "zz", "text": "zz"}
    answer = complete(response(message("a", other, "b"), {"type": "web_search_call", "id": "ws"}, message("c")))
    assert (answer.content, answer.stop_reason, answer.provider_ref) == ("abc", "stop", "resp_1")
    assert answer.raw_thinking is None


def test_calls_have_their_call_id() -> None:
    """Arguments are read from their text; none at all are empty ones."""
    answer = complete(response(wire_call(), wire_call("call_b", "")))
    assert [(c.id, c.name, c.args) for c in answer.tool_calls] == [("call_a", "add", {"x": 1}), ("call_b", "add", {})]
    assert answer.stop_reason == "tool_use"


def test_counts_come_with_their_details() -> None:
    """A detail that was left out is absent; no counts at all are zeros."""
    usage = complete(response()).usage
    assert (usage.input, usage.output) == (26, 11)
    assert (usage.cache_read, usage.cache_write, usage.thinking) == (3, 0, 2)
    older = complete(response(usage=COUNTS | {"input_tokens_details": {"cached_tokens": 3}})).usage
    assert older.cache_write is None
    assert complete(response(usage=None)).usage.input == 0


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "stop"),
        ({"status": None}, "stop"),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "max_tokens"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "content_filter"),
        ({"status": "incomplete", "incomplete_details": {"reason": "steered"}}, "steered"),
        ({"status": "incomplete"}, "incomplete"),
        ({"status": "archived"}, "archived"),
    ],
)
def test_an_end_has_the_reason_of_its_status(fields: dict[str, Any], reason: str) -> None:
    """Known reasons are translated, others are as the vendor wrote them; a stream ends alike."""
    document = response(message("a"), **fields)
    assert complete(document).stop_reason == reason
    kind = "incomplete" if fields.get("status") == "incomplete" else "completed"
    assert streamed(said("a"), event(kind, response=document)).stop_reason == reason


@pytest.mark.parametrize("status", ["failed", "cancelled", "queued", "in_progress"])
def test_a_response_that_is_no_answer_raises(status: str) -> None:
    """Whatever it holds; the message says in what state it is."""
    with pytest.raises(ProviderError, match=status):
        complete(response(message("half"), status=status))
    with pytest.raises(ProviderError, match=status):
        stream(said("half"), ended(status=status))


@pytest.mark.parametrize(
    ("code", "status"), [("server_error", 500), ("rate_limit_exceeded", 429), ("invalid_prompt", 400), ("odd", None)]
)
def test_a_failed_response_raises_what_the_vendor_says(code: str, status: int | None) -> None:
    """The code is kept, and stands for a status where it is a known one; whole and in a stream."""
    failed = response(status="failed", error={"code": code, "message": "It broke."}, usage=None)
    for attempt in (lambda: complete(failed), lambda: stream(said("a"), event("failed", response=failed))):
        with pytest.raises(ProviderError, match="It broke") as raised:
            attempt()
        assert (raised.value.code, raised.value.status) == (code, status)


def test_the_event_of_a_failure_raises_even_if_it_says_nothing_else() -> None:
    """There may be neither an error nor a status in it."""
    with pytest.raises(ProviderError, match="failed"):
        stream(said("a"), event("failed", response={"id": "resp_1"}))


@pytest.mark.parametrize("document", [{}, {"output": None}, {"output": "text"}, []])
def test_what_is_no_response_is_malformed(document: Any) -> None:
    """It is never taken for an empty answer."""
    with pytest.raises(ProviderError) as raised:
        complete(document)
    assert raised.value.code == "MALFORMED_RESPONSE"


def test_a_refusal_is_text_and_a_filtered_end() -> None:
    """Alone and beside text; a limit that was reached stays the reason."""
    assert (answer := complete(response(message("Well. ", DECLINED)))).content == "Well. I will not."
    assert answer.stop_reason == "content_filter"
    cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    assert complete(response(message(DECLINED), **cut)).stop_reason == "max_tokens"
    chunks = stream(said("Well. "), said("I will", "refusal"), said(" not.", "refusal"), ended())
    assert [chunk.content for chunk in chunks] == ["Well. ", "I will", " not.", ""]
    assert chunks[-1].response is not None
    assert (chunks[-1].response.content, chunks[-1].response.stop_reason) == ("Well. I will not.", "content_filter")


# ---- reasoning


def test_reasoning_items_are_handed_out_whole() -> None:
    """The handler reads each step of a summary, and the reasoning itself, in order."""
    items = [
        reasoning("One.", "Two.", encrypted_content="e=="),
        reasoning(content=[{"type": "reasoning_text", "text": "x"}]),
    ]
    answer = complete(response(*items, message("a")))
    assert answer.raw_thinking == items
    assert HANDLER.normalize(answer.raw_thinking) == [
        ThinkingBlock(content="One.", summary=True),
        ThinkingBlock(content="Two.", summary=True),
        ThinkingBlock(content="x"),
    ]
    assert answer.content == "a"


def test_reasoning_streams_apart_from_the_text() -> None:
    """Both kinds become chunks; the item of the end is kept, since the first one is not whole."""
    whole = reasoning("One.", encrypted_content="e==")
    chunks = stream(
        added(0, reasoning(encrypted_content="e")),
        said("On", "reasoning_summary_text"),
        said("e.", "reasoning_summary_text"),
        said("x", "reasoning_text"),
        event("output_item.done", output_index=0, item=whole),
        said("a"),
        ended(),
    )
    assert [(c.thinking_delta, c.content) for c in chunks] == [
        ("On", ""),
        ("e.", ""),
        ("x", ""),
        (None, "a"),
        (None, ""),
    ]
    assert chunks[-1].response is not None
    assert (chunks[-1].response.raw_thinking, chunks[-1].response.content) == ([whole], "a")


@given(
    st.recursive(
        st.none() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["type", "summary", "content", "text"]),
                inner | st.sampled_from(["reasoning", "summary_text"]),
            )
        ),
    )
)
@settings(max_examples=100, deadline=None)
def test_the_handler_takes_anything(raw: Any) -> None:
    """What is no reasoning gives no blocks, and nothing raises."""
    assert all(block.content for block in HANDLER.normalize(raw))


# ---- streams


def test_pieces_of_calls_are_told_apart_by_the_index_of_their_item() -> None:
    """However they are interleaved; the id of the item is not that of the call."""
    answer = streamed(
        added(1, wire_call("call_a", "")),
        added(3, wire_call("call_b", "", name="sub")),
        piece(3, '{"y":'),
        piece(1, '{"x":'),
        piece(3, "2}"),
        piece(1, "1}"),
        ended(),
    )
    assert [(c.id, c.name, c.args) for c in answer.tool_calls] == [
        ("call_a", "add", {"x": 1}),
        ("call_b", "sub", {"y": 2}),
    ]
    assert answer.stop_reason == "tool_use"


def test_whole_arguments_take_the_place_of_their_pieces() -> None:
    """The events that end arguments and items hold all of them, and nothing is added twice."""
    pieces = [added(0, wire_call("call_a", "")), piece(0, '{"x"'), piece(0, ":1}")]
    done = event("function_call_arguments.done", output_index=0, arguments='{"x":1}')
    whole = event("output_item.done", output_index=0, item=wire_call())
    for ends in ([done], [whole], [done, whole], []):
        assert streamed(*pieces, *ends, ended()).tool_calls[0].args == {"x": 1}
    assert streamed(whole, ended()).tool_calls[0].id == "call_a"


def test_the_end_brings_counts_and_reason() -> None:
    """Nothing behind it is read, and no `[DONE]` is waited for."""
    chunks = stream(event("created", response={"id": "resp_0"}), said("a"), ended(), said("b"))
    assert [chunk.content for chunk in chunks] == ["a", ""]
    assert chunks[-1].response is not None
    assert (chunks[-1].response.usage.input, chunks[-1].response.provider_ref) == (26, "resp_1")


def test_events_that_say_nothing_new_are_passed_over() -> None:
    """Those that repeat text, those that open and close parts, and unknown ones."""
    text = {"type": "output_text", "text": "a"}
    kinds = (
        "in_progress",
        "queued",
        "content_part.added",
        "content_part.done",
        "output_text.done",
        "zz",
        "refusal.done",
    )
    extra = [event(kind, output_index=0, part=text, text="a", refusal="a", delta="a") for kind in kinds]
    item = event("output_item.done", output_index=0, item=message("a"))
    assert streamed(*extra, said("a"), *extra, item, "not json", ended()).content == "a"


def test_a_cut_stream_raises_or_says_that_its_calls_are_unfinished() -> None:
    """A call that was closed keeps its arguments; the id of the response is known from the beginning."""
    with pytest.raises(ProviderError) as raised:
        stream(said("half"))
    assert raised.value.code == "STREAM_INCOMPLETE"
    begun = event("created", response={"id": "resp_1"})
    closed = event("output_item.done", output_index=0, item=wire_call())
    answer = streamed(begun, closed, added(1, wire_call("call_b", "")), piece(1, "{}"))
    reasons = [c.arguments_failure and c.arguments_failure.reason for c in answer.tool_calls]
    assert (answer.stop_reason, answer.provider_ref, reasons) == (
        "incomplete_stream",
        "resp_1",
        [None, "incomplete-stream"],
    )


def test_arguments_that_the_limit_cut_are_unfinished() -> None:
    """Though the vendor closes the item that holds them."""
    limited = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    item = wire_call("call_a", '{"x":', status="incomplete")
    whole = complete(response(item, **limited))
    piecewise = streamed(event("output_item.done", output_index=0, item=item), ended("incomplete", **limited))
    for answer in (whole, piecewise):
        failure = answer.tool_calls[0].arguments_failure
        assert (failure and failure.reason, answer.stop_reason) == ("incomplete-stream", "max_tokens")


ERROR = {"code": "rate_limit_exceeded", "message": f"Slow down, {KEY}. Please try again in 2s.", "param": None}


@pytest.mark.parametrize("fields", [ERROR, {"error": {"type": "tokens", **ERROR}}], ids=["at the top", "inside"])
def test_an_error_event_raises(fields: dict[str, Any]) -> None:
    """Its fields may stand at the top or inside; the status is that of the code, and the key is not shown."""
    with pytest.raises(ProviderError, match="Slow down") as raised:
        stream(said("a"), event("error", **fields))
    error = raised.value
    assert (error.code, error.status, error.retry_after_ms) == ("rate_limit_exceeded", 429, 2000)
    assert KEY not in str(error)


def test_an_error_event_without_a_code_has_none() -> None:
    """That an event is an error is not its code."""
    with pytest.raises(ProviderError, match="gone") as raised:
        stream(event("error", code=None, message="gone", param=None))
    assert (raised.value.code, raised.value.status) == (None, None)


def test_a_whole_response_is_no_stream() -> None:
    """A server that does not stream is told from one that says nothing."""
    vendor = Vendor(response(message("a")), headers={"content-type": "application/json"})

    async def read() -> None:
        async for _ in provider_of(vendor).stream(ask()):
            pass

    with pytest.raises(ProviderError, match="not a stream"):
        asyncio.run(read())
