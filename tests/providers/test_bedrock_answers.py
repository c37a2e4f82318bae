"""How the adapter for Bedrock reads answers, whole and streamed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from agentports.ports import ContextWindowExceededError, LLMResponse, ProviderError, Usage
from agentports.sim import (
    Disconnect,
    Event,
    Play,
    Reply,
    Step,
    Text,
    Thinking,
    TokenCounts,
    ToolCall,
    Turn,
    VendorError,
    cut_after,
    wire_named,
)
from tests.providers.anthropic_doubles import USER, assistant, result
from tests.providers.bedrock_doubles import Service, ask

WIRE = wire_named("bedrock-converse")
FULL = Turn.of(
    Thinking("Add them.", "sig+/= ", cuts=(3,), signature_cuts=(2,)),
    Text("Well é"),
    Thinking("", "aGlkZGVu", redacted=True, signature_cuts=(2,)),
    ToolCall("tooluse_1", "add", {"x": 1}, cuts=(4,)),
    counts=TokenCounts(26, 11, 3, 0),
    ref="req-1",
)


def both(*answers: Any) -> list[LLMResponse]:
    """The answer whole and streamed."""
    return [Service(*answers).complete(ask()), Service(*answers).streamed(ask())]


def test_an_answer_is_read_alike_in_both_ways() -> None:
    """Text, calls, counts, reason, the id of the header, and the reasoning as the vendor sent it."""
    whole, streamed = both(FULL)
    assert streamed == whole
    assert whole.content == "Well é"
    assert [(c.id, c.name, c.args) for c in whole.tool_calls] == [("tooluse_1", "add", {"x": 1})]
    assert whole.usage == Usage(input=26, output=11, cache_read=3, cache_write=0)
    assert (whole.stop_reason, whole.provider_ref) == ("tool_use", "req-1")
    assert whole.raw_thinking == WIRE.body(FULL, "m")["output"]["message"]["content"]


def test_chunks_are_text_and_thinking() -> None:
    """In the order of their arrival; signatures, hidden values and arguments make none."""
    chunks = Service(FULL).stream(ask())
    assert [(chunk.content, chunk.thinking_delta) for chunk in chunks[:-1]] == [
        ("", "Add"),
        ("", " them."),
        ("Well", None),
        (" é", None),
    ]


@pytest.mark.parametrize("way", [0, 1])
def test_reasoning_goes_back_in_its_place(way: int) -> None:
    """As the objects that came, in the order of the evidence."""
    response = both(FULL)[way]
    service = Service()
    blocks = service.provider.thinking_handler.normalize(response.raw_thinking)
    said = assistant(response.content, *response.tool_calls, thinking=blocks, replay=response.replay)
    service.complete(ask(USER, said, result("tooluse_1")))
    assert service.bodies[0]["messages"][1]["content"] == WIRE.body(FULL, "m")["output"]["message"]["content"]


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", "stop"),
        ("max_tokens", "max_tokens"),
        ("stop_sequence", "stop_sequence"),
        ("guardrail_intervened", "content_filter"),
        ("content_filtered", "content_filter"),
        ("malformed_tool_use", "malformed_tool_use"),
    ],
)
def test_reasons_are_translated(word: str, reason: str) -> None:
    """Those of the table; others pass."""
    assert [answer.stop_reason for answer in both(Turn.of("x", stop=word))] == [reason, reason]


def test_a_plain_end_with_calls_means_tool_use_and_tool_use_without_calls_nothing() -> None:
    """The one is an answer, the other contradicts itself."""
    assert [a.stop_reason for a in both(Turn.of(ToolCall("c", "add"), stop="stop"))] == ["tool_use", "tool_use"]
    for asking in (Service(Turn.of("x", stop="tool_use")).complete, Service(Turn.of("x", stop="tool_use")).stream):
        with pytest.raises(ProviderError) as lost:
            asking(ask())
        assert lost.value.code == "TOOL_CALLS_LOST"


def test_broken_arguments_of_a_stream_have_a_reason() -> None:
    """The text is JSON but no object, no JSON, or was cut by the limit."""
    calls = [ToolCall("a", "add", "[1]"), ToolCall("b", "add", '{"x'), ToolCall("c", "add", "")]
    failures = [c.arguments_failure for c in Service(Turn.of(*calls)).streamed(ask()).tool_calls]
    assert [f and f.reason for f in failures] == ["invalid-argument-shape", "invalid-json", None]
    cut = Service(Turn.of(calls[1], stop="max_tokens")).streamed(ask()).tool_calls[0].arguments_failure
    assert cut is not None
    assert cut.reason == "incomplete-stream"


def test_an_answer_without_a_message_is_malformed() -> None:
    """Whatever else it holds."""
    for body in ({}, {"output": {}}, {"output": {"message": {"content": "x"}}}, []):
        with pytest.raises(ProviderError) as raised:
            Service(Reply.json(body)).complete(ask())
        assert raised.value.code == "MALFORMED_RESPONSE"


# ---- streams


def edited(turn: Turn, edit: Any) -> Service:
    """A service whose stream is edited."""
    return Service(Play(turn, edit=edit))


def test_counts_come_behind_the_end_of_the_message() -> None:
    """Nothing behind them is read; without them the answer is finished all the same."""
    late = Event({"contentBlockIndex": 0, "delta": {"text": "late"}}, "contentBlockDelta")
    assert edited(FULL, lambda events: [*events, late]).streamed(ask()).content == "Well é"
    without = edited(FULL, lambda events: [*events[:-1], Disconnect()]).streamed(ask())
    assert (without.stop_reason, without.usage) == ("tool_use", Usage())


def test_every_cut_of_the_bytes_gives_the_same_answer() -> None:
    """Frames are binary, and the transport may divide them anywhere."""
    whole = Service(FULL).stream(ask())
    assert Service(Play(FULL, splits="every")).stream(ask()) == whole
    for offset in range(1, 40, 7):
        assert Service(Play(FULL, splits=tuple(range(offset, 3000, 41)))).stream(ask()) == whole


def test_a_stream_that_ends_early_is_no_answer() -> None:
    """Without calls it raises; a call under way is delivered with its failure."""
    with pytest.raises(ProviderError) as cut:
        edited(Turn.of("alder birch"), cut_after("alder")).stream(ask())
    assert cut.value.code == "STREAM_INCOMPLETE"
    response = edited(FULL, cut_after('{\\"x')).streamed(ask())
    assert response.stop_reason == "incomplete_stream"
    assert [c.arguments_failure and c.arguments_failure.reason for c in response.tool_calls] == ["incomplete-stream"]


def damaged(events: list[Event]) -> Sequence[Step]:
    """The stream with one bit changed in its fourth frame."""
    frames = [WIRE.frame(event) for event in events]
    frames[3] = frames[3][:-9] + bytes([frames[3][-9] ^ 1]) + frames[3][-8:]
    return [b"".join(frames)]


def test_damaged_bytes_end_what_can_be_read() -> None:
    """What came before them is text; the stream is cut there."""
    with pytest.raises(ProviderError, match="wrong checksum") as cut:
        edited(Turn.of("alder birch cedar"), damaged).stream(ask())
    assert cut.value.code == "STREAM_INCOMPLETE"


def test_text_where_frames_should_be_is_no_stream() -> None:
    """A page and a JSON document say so; other text fails its first checksum."""
    for kind, text in (("text/html", "<p>"), ("application/json", "{}"), ("text/plain", "upstream timed out, sorry")):
        with pytest.raises(ProviderError, match="is not a stream"):
            Service(Reply(200, (("content-type", kind),), (text.encode(),))).stream(ask())


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("throttlingException", 429),
        ("serviceUnavailableException", 503),
        ("internalServerException", 500),
        ("modelStreamErrorException", 424),
        ("validationException", 400),
        ("tomorrowsException", None),
    ],
)
def test_an_exception_in_a_stream_raises(kind: str, status: int | None) -> None:
    """Behind the text that came before it, with the status that its type stands for."""
    failure = WIRE.error_event(VendorError(418, "It broke.", kind))
    with pytest.raises(ProviderError, match="It broke") as raised:
        edited(Turn.of("alder birch"), cut_after("alder", failure)).stream(ask())
    assert (raised.value.code, raised.value.status) == (kind, status)


def test_a_prompt_that_is_too_long_is_recognised_in_a_stream_too() -> None:
    """The vendor may notice only when it has begun to answer."""
    failure = WIRE.error_event(VendorError(400, "Input is too long for requested model."))
    with pytest.raises(ContextWindowExceededError) as raised:
        edited(Turn.of("x"), lambda events: [events[0], failure]).stream(ask())
    assert raised.value.status == 400


def test_unknown_events_blocks_and_deltas_say_nothing() -> None:
    """As do events whose data is no object."""

    def later(events: list[Event]) -> list[Event]:
        unknown = {"contentBlockIndex": 9, "start": {"video": {}}}
        delta = {"contentBlockIndex": 9, "delta": {"video": {"text": "zz"}}}
        added = [Event({"text": "zz"}, "zzEvent"), Event("[1]", "metadata"), Event("{", "messageStop")]
        block = [Event(unknown, "contentBlockStart"), Event(delta, "contentBlockDelta")]
        return [*events[:2], *block, *added, *events[2:]]

    assert edited(FULL, later).streamed(ask()) == Service(FULL).streamed(ask())


# ---- errors


def test_an_http_error_has_the_type_of_its_header() -> None:
    """Status, code, stated wait and the vendor's sentence."""
    error = VendorError(429, "Too many tokens.", headers=(("retry-after", "2"),))
    for asking in (Service(error).complete, Service(error).stream):
        with pytest.raises(ProviderError, match=r"\[bedrock\] HTTP 429: Too many tokens\.") as raised:
            asking(ask())
        assert (raised.value.code, raised.value.status) == ("ThrottlingException", 429)
        assert raised.value.retry_after_ms == 2000


def test_an_error_whose_body_is_empty_still_has_its_type() -> None:
    """The header says it."""
    reply = Reply(503, (("x-amzn-errortype", "ServiceUnavailableException"),), (json.dumps({}).encode(),))
    with pytest.raises(ProviderError) as raised:
        Service(reply).complete(ask())
    assert (raised.value.code, raised.value.status) == ("ServiceUnavailableException", 503)
