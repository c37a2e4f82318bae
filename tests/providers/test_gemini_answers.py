"""The adapter for Gemini: how it reads answers."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agentports.ports import LLMToolCall, ProviderError, ThinkingBlock, Usage, WireToolManifest
from tests.providers.gemini_doubles import (
    SIGNATURE,
    TOOL,
    USER,
    answers,
    ask,
    call,
    call_message,
    candidate,
    complete,
    gemini,
    stream,
)
from tests.providers.provider_doubles import Vendor, read, sse

SO_FAR = {"promptTokenCount": 9}
COUNTS = {"promptTokenCount": 9, "candidatesTokenCount": 4, "totalTokenCount": 44}


def test_an_answer_is_read_whole_and_in_one_event() -> None:
    """Text, calls, counts, reason and id have their places."""
    document = candidate({"text": "Well"}, {"text": ", then"}, call(id="v-1"), usageMetadata=COUNTS, responseId="r-1")
    for answer in answers(document, ask(tools=[TOOL])):
        assert answer.content == "Well, then"
        assert answer.tool_calls == [LLMToolCall(id="v-1", name="add", args={"x": 1})]
        assert answer.usage == Usage(input=9, output=4)
        assert (answer.stop_reason, answer.provider_ref, answer.raw_thinking) == ("tool_use", "r-1", None)
        assert answer.wire_manifest == WireToolManifest(tool_names=["add"])


def test_a_stream_comes_in_pieces() -> None:
    """Thoughts are chunks of their own, calls are none, and the last counts win."""
    chunks = stream(
        candidate({"text": "Hm", "thought": True}, reason=None),
        candidate(
            {"text": ", so", "thought": True}, {"text": "One "}, reason=None, usageMetadata={"promptTokenCount": 9}
        ),
        candidate({"text": "two"}, call(), reason=None),
        candidate({"text": ""}, usageMetadata=COUNTS),
        {"usageMetadata": COUNTS | {"candidatesTokenCount": 7}},
    )
    assert [c.thinking_delta for c in chunks if c.thinking_delta] == ["Hm", ", so"]
    assert [c.content for c in chunks if c.content] == ["One ", "two"]
    assert [c.token_index for c in chunks] == list(range(5))
    last = chunks[-1].response
    assert last is not None
    assert (last.content, last.stop_reason, last.usage) == ("One two", "tool_use", Usage(input=9, output=7))


def test_thoughts_are_handed_out_for_the_handler() -> None:
    """It reads them from the answer, and from any list of parts."""
    document = candidate({"text": "2+", "thought": True}, {"text": "4"}, {"text": "2", "thought": True})
    handler = gemini(Vendor(document)).thinking_handler
    for answer in answers(document):
        assert answer.content == "4"
        assert handler.normalize(answer.raw_thinking) == [ThinkingBlock(content="2+2")]
    assert handler.normalize([{"text": "4"}, 7, {"text": "", "thought": True}, {"thought": True}]) == []


@pytest.mark.parametrize("signature", [None, "", 5])
def test_what_is_no_signature_is_not_kept(signature: Any) -> None:
    """Then there is nothing to carry."""
    for answer in answers(candidate(call(signature=signature))):
        assert answer.tool_calls[0].provider_meta is None


def test_each_signature_stays_with_its_call() -> None:
    """A call in a thought is a call."""
    document = candidate(call(id="a"), call(id="b", signature=SIGNATURE) | {"thought": True}, call(id="c"))
    for answer in answers(document):
        metas = [each.provider_meta for each in answer.tool_calls]
        assert metas == [None, {"thoughtSignature": SIGNATURE}, None]


def test_missing_ids_are_invented_and_collide_with_none() -> None:
    """Neither with one another nor with those of a conversation that another process began."""
    before = call_message(LLMToolCall(id="gemini-call-1", name="add", args={}))
    answer = complete(candidate(call(), call(id="v-1"), call()), ask(USER, before))
    assert [each.id for each in answer.tool_calls] == ["gemini-call-2", "v-1", "gemini-call-3"]


def test_a_call_without_arguments_has_none() -> None:
    """Arguments that are no object are a failure."""
    document = candidate({"functionCall": {"name": "now"}}, call(args=[1]))
    for answer in answers(document):
        now, odd = answer.tool_calls
        assert (now.args, now.arguments_failure) == ({}, None)
        assert odd.arguments_failure is not None
        assert odd.arguments_failure.reason == "invalid-argument-shape"


@pytest.mark.parametrize(
    ("reason", "expected", "with_calls"),
    [
        ("STOP", "stop", "tool_use"),
        ("MAX_TOKENS", "max_tokens", "max_tokens"),
        ("SAFETY", "content_filter", "content_filter"),
        ("PROHIBITED_CONTENT", "content_filter", "content_filter"),
        ("BLOCKLIST", "content_filter", "content_filter"),
        ("SPII", "content_filter", "content_filter"),
        ("RECITATION", "RECITATION", "RECITATION"),
        ("MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL"),
    ],
)
def test_reasons_are_translated(reason: str, expected: str, with_calls: str) -> None:
    """An ordinary end with calls is one for tool use."""
    assert {answer.stop_reason for answer in answers(candidate({"text": "Hm"}, reason=reason))} == {expected}
    assert {answer.stop_reason for answer in answers(candidate(call(), reason=reason))} == {with_calls}


@pytest.mark.parametrize("reason", [None, ""])
def test_a_whole_answer_need_not_say_why_it_ends(reason: str | None) -> None:
    """Nothing is missing from it."""
    assert complete(candidate({"text": "Hm"}, reason=reason)).stop_reason == "stop"
    assert complete(candidate(call(), reason=reason)).stop_reason == "tool_use"


def test_counts_are_read_as_they_are() -> None:
    """Thoughts are not in the output; what is not stated is absent, or zero where something must stand."""
    stated = {"promptTokenCount": 9, "cachedContentTokenCount": 0, "thoughtsTokenCount": 31, "candidatesTokenCount": 4}
    for answer in answers(candidate({"text": "Hm"}, usageMetadata=stated)):
        assert answer.usage == Usage(input=9, output=4, cache_read=0, thinking=31)
    for answer in answers(candidate({"text": "Hm"}, usageMetadata={})):
        assert answer.usage == Usage(input=0, output=0)


@pytest.mark.parametrize(
    "document",
    [
        {"candidates": [], "usageMetadata": COUNTS},
        {"responseId": "r-1"},
        {"candidates": [{"finishReason": "STOP"}]},
        {"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]},
    ],
)
def test_an_answer_of_nothing_is_empty(document: Any) -> None:
    """A model may have nothing to say."""
    answer = complete(document)
    assert (answer.content, answer.tool_calls, answer.stop_reason) == ("", [], "stop")


def test_a_blocked_prompt_was_filtered() -> None:
    """Whatever it was blocked for."""
    for reason in ("SAFETY", "OTHER"):
        for answer in answers({"promptFeedback": {"blockReason": reason}, "usageMetadata": COUNTS}):
            assert (answer.content, answer.stop_reason) == ("", "content_filter")


@pytest.mark.parametrize("document", [{}, {"choices": []}, [], "no"])
def test_what_is_not_of_this_wire_is_malformed(document: Any) -> None:
    """It is no silent model."""
    with pytest.raises(ProviderError) as caught:
        complete(document)
    assert caught.value.code == "MALFORMED_RESPONSE"


# ---- failures


def test_a_stream_without_a_reason_is_cut() -> None:
    """Calls that came whole are delivered, but not as a finished answer."""
    with pytest.raises(ProviderError) as caught:
        stream(candidate({"text": "Half"}, reason=None))
    assert caught.value.code == "STREAM_INCOMPLETE"
    last = stream(candidate(call(), reason=None))[-1].response
    assert last is not None
    assert (last.stop_reason, last.tool_calls[0].args) == ("incomplete_stream", {"x": 1})


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": 503, "message": "Overloaded.", "status": "UNAVAILABLE"}, 503),
        ({"message": "Slow down.", "status": "RESOURCE_EXHAUSTED"}, 429),
        ({"code": 7, "message": "No.", "status": "PERMISSION_DENIED"}, 403),
        ({"message": "Hm."}, None),
    ],
)
def test_an_error_object_raises(error: dict[str, Any], status: int | None) -> None:
    """In a stream and in a whole answer, although the answer itself had status 200."""
    for asked in (
        lambda: complete({"error": error}),
        lambda: stream(candidate({"text": "Hi"}, reason=None), {"error": error}),
    ):
        with pytest.raises(ProviderError, match=error["message"]) as caught:
            asked()
        assert caught.value.status == status
        assert caught.value.code == error.get("status")


def test_an_http_error_states_what_the_vendor_said() -> None:
    """The wait among its details too."""
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "44s"}
    error = {"code": 429, "message": "Quota.", "status": "RESOURCE_EXHAUSTED", "details": [{"@type": "other"}, retry]}
    vendor = Vendor({"error": error}, status=429)
    for asked in (gemini(vendor).complete(ask()), read(gemini(vendor), ask())):
        with pytest.raises(ProviderError, match="Quota") as caught:
            asyncio.run(asked)
        said = caught.value
        assert (said.status, said.code, said.retry_after_ms) == (429, "RESOURCE_EXHAUSTED", 44_000)


def test_a_whole_answer_to_a_streaming_request_is_no_stream() -> None:
    """Without alt=sse the vendor would send one JSON array."""
    vendor = Vendor([candidate({"text": "Hi"})], headers={"content-type": "application/json"})
    with pytest.raises(ProviderError, match="not a stream"):
        asyncio.run(read(gemini(vendor), ask()))


def test_a_stream_may_be_cut_anywhere() -> None:
    """Also inside of a character."""
    body = sse(candidate({"text": "ü"}, reason=None), candidate({"text": "é"}, usageMetadata=COUNTS))
    vendor = Vendor(pieces=[body[at : at + 1] for at in range(len(body))])
    chunks = asyncio.run(read(gemini(vendor), ask()))
    assert "".join(chunk.content for chunk in chunks) == "üé"


def test_the_manifest_is_read_from_the_body() -> None:
    """It would also state an output format."""
    sent = {"tools": [{"functionDeclarations": [{"name": "a"}, {"name": "b"}]}, {"googleSearch": {}}]}
    formatted = sent | {"generationConfig": {"responseJsonSchema": {}}}
    provider = gemini(Vendor(candidate()))
    assert provider.read_manifest(json.dumps(sent).encode()) == WireToolManifest(tool_names=["a", "b"])
    manifest = provider.read_manifest(json.dumps(formatted).encode())
    assert manifest == WireToolManifest(tool_names=["a", "b"], output_format="json_schema")
