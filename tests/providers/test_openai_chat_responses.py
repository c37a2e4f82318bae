"""How the adapter for chat completions reads a whole answer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.ports import LLMMessage, LLMToolCall, ProviderError, Usage
from tests.providers.provider_doubles import KEY, Vendor, ask, complete, completion, openai, wire_call


@given(st.text())
@settings(deadline=None, max_examples=50)
def test_text_comes_unchanged(text: str) -> None:
    """Whatever the answer holds arrives, nothing stripped."""
    response = complete(Vendor(completion(text)))
    assert (response.content, response.tool_calls, response.stop_reason) == (text, [], "stop")
    assert response.provider_ref == "c-1"
    assert response.raw_thinking is None


def test_null_content_is_empty_text() -> None:
    """The vendor writes null where there are only calls."""
    assert complete(Vendor(completion(None))).content == ""
    assert complete(Vendor({"choices": [{"message": {}}]})).content == ""


def test_calls_are_parsed_in_order() -> None:
    """Id, name and arguments of each call; an end for tool use."""
    calls = [wire_call("b", "sub", '{"y": [1, {"z": "é"}]}'), wire_call("a", "add", "{}")]
    response = complete(Vendor(completion("so", calls=calls, reason="tool_calls")))
    assert response.tool_calls == [
        LLMToolCall(id="b", name="sub", args={"y": [1, {"z": "é"}]}),
        LLMToolCall(id="a", name="add", args={}),
    ]
    assert (response.content, response.stop_reason) == ("so", "tool_use")


@pytest.mark.parametrize(
    ("arguments", "reason", "failure"),
    [
        ('{"marker": ', "tool_calls", "invalid-json"),
        ('{"marker": ', "length", "incomplete-stream"),
        ('["marker"]', "tool_calls", "invalid-argument-shape"),
        ("", "tool_calls", None),
        (None, "tool_calls", None),
        ({"x": 1}, "tool_calls", None),
        (["marker"], "tool_calls", "invalid-argument-shape"),
    ],
)
def test_broken_arguments(arguments: Any, reason: str, failure: str | None) -> None:
    """The call carries the reason, nothing of the text, and its neighbour is intact."""
    calls = [wire_call("a", "add", arguments), wire_call("b")]
    broken, whole = (response := complete(Vendor(completion(calls=calls, reason=reason)))).tool_calls
    assert (broken.arguments_failure.reason if broken.arguments_failure else None) == failure
    assert broken.args == (arguments if isinstance(arguments, dict) else {})
    assert (whole.args, whole.arguments_failure) == ({"x": 1}, None)
    assert "marker" not in response.model_dump_json()


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("stop", "stop"),
        ("length", "max_tokens"),
        ("content_filter", "content_filter"),
        ("insufficient_system_resource", "insufficient_system_resource"),
        (None, "stop"),
        ("", "stop"),
    ],
)
def test_stop_reasons(reason: str | None, expected: str) -> None:
    """The vendor's words are translated, others go through."""
    assert complete(Vendor(completion(reason=reason))).stop_reason == expected


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("stop", "tool_use"), ("tool_calls", "tool_use"), ("length", "max_tokens"), ("x", "x"), (None, "tool_use")],
)
def test_stop_reasons_with_calls(reason: str | None, expected: str) -> None:
    """An ordinary end with calls is one for tool use."""
    assert complete(Vendor(completion(calls=[wire_call()], reason=reason))).stop_reason == expected


@pytest.mark.parametrize("calls", [None, [], [{"id": "a", "type": "custom", "custom": {"name": "x"}}]])
def test_end_for_tool_use_without_calls_raises(calls: Any) -> None:
    """The answer contradicts itself; a call of another type is none of ours."""
    with pytest.raises(ProviderError, match=r"\[openai\]") as caught:
        complete(Vendor(completion(calls=calls, reason="tool_calls")))
    assert caught.value.code == "TOOL_CALLS_LOST"


@given(st.tuples(*[st.integers(0, 10**9)] * 5), st.sets(st.integers(0, 2)))
@settings(deadline=None, max_examples=40)
def test_usage(counts: tuple[int, ...], present: set[int]) -> None:
    """The two counts as they are; each detail where it is stated, zero included."""
    details = [("cached_tokens", "cache_read"), ("cache_write_tokens", "cache_write"), ("reasoning_tokens", "thinking")]
    stated = {details[at][0]: counts[at + 2] for at in present}
    usage = {
        "prompt_tokens": counts[0],
        "completion_tokens": counts[1],
        "total_tokens": counts[0] + counts[1],
        "prompt_tokens_details": {key: value for key, value in stated.items() if key != "reasoning_tokens"},
        "completion_tokens_details": {key: value for key, value in stated.items() if key == "reasoning_tokens"},
    }
    expected = {details[at][1]: counts[at + 2] for at in present}
    assert complete(Vendor(completion(usage=usage))).usage == Usage(input=counts[0], output=counts[1], **expected)


@pytest.mark.parametrize("usage", [None, {}, "many", {"prompt_tokens": None, "prompt_tokens_details": None}])
def test_usage_that_was_not_reported(usage: Any) -> None:
    """Nothing is estimated."""
    assert complete(Vendor(completion(usage=usage))).usage == Usage()
    assert complete(Vendor(completion())).usage == Usage()


def test_unreadable_counts_are_not_reported_ones() -> None:
    """Text, negative numbers and booleans are no counts."""
    usage = {"prompt_tokens": "5", "completion_tokens": -1, "completion_tokens_details": {"reasoning_tokens": True}}
    assert complete(Vendor(completion(usage=usage))).usage == Usage()


@pytest.mark.parametrize("ref", [None, "", 7])
def test_reference_is_never_invented(ref: Any) -> None:
    """Without an id there is none."""
    assert complete(Vendor(completion() | {"id": ref})).provider_ref is None


def test_unknown_fields_change_nothing() -> None:
    """At every level."""

    def extended(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: extended(inner) for key, inner in value.items()} | {"novelty": {"deep": [1]}}
        return [extended(inner) for inner in value] if isinstance(value, list) else value

    plain = completion("x", calls=[wire_call()], usage={"prompt_tokens": 1, "prompt_tokens_details": {}})
    assert complete(Vendor(extended(plain))) == complete(Vendor(plain))


def test_missing_ids_are_invented() -> None:
    """Each is new: within the answer, over several answers, and against the conversation."""
    history = [
        LLMMessage(role="user", content="hi"),
        LLMMessage(role="assistant", content="", tool_calls=[LLMToolCall(id="openai-call-2", name="x", args={})]),
        LLMMessage(role="tool", content="", tool_call_id="openai-call-3"),
    ]

    async def go() -> list[str]:
        calls = [wire_call(None), wire_call("", "sub"), wire_call("given"), wire_call("given")]
        provider = openai(Vendor(completion(calls=calls)))
        answers = [await provider.complete(ask(messages=history)) for _ in range(2)]
        return [call.id for answer in answers for call in answer.tool_calls]

    ids = asyncio.run(go())
    assert ids[2] == ids[6] == "given"
    assert len(set(ids)) == 7
    assert not {"openai-call-2", "openai-call-3", ""} & set(ids)


NO_CHOICES: list[Any] = [[], None, {}, "abc", [None], [{}], [{"message": None}]]


@pytest.mark.parametrize(
    "body",
    [b"<html>Bad gateway</html>", b'{"choices": [{"mess', b"", b"[]", b"{}", b"null", b'"text"', b"[" * 100_000]
    + [json.dumps({"choices": value}).encode() for value in NO_CHOICES],
)
def test_answer_that_is_not_the_wires_raises(body: bytes) -> None:
    """It is never an empty answer; the status 200 is not the error's."""
    with pytest.raises(ProviderError, match=r"\[openai\] the answer") as caught:
        complete(Vendor(body))
    assert (caught.value.provider, caught.value.status) == ("openai", None)
    assert len(str(caught.value)) < 400


def test_content_that_is_not_text_raises() -> None:
    """Nobody knows what it says."""
    with pytest.raises(ProviderError, match="not text"):
        complete(Vendor({"choices": [{"message": {"content": [{"type": "text", "text": "x"}]}}]}))


def test_error_object_with_status_200_raises() -> None:
    """A gateway's error keeps its words, and the status that it names."""
    with pytest.raises(ProviderError, match=r"upstream is down") as caught:
        complete(Vendor({"error": {"message": "upstream is down", "code": 502}}))
    assert caught.value.status == 502


def test_concurrent_calls_do_not_mix() -> None:
    """Each call gets the answer to its own question."""

    async def handler(request: httpx.Request) -> httpx.Response:
        text = json.loads(request.content)["messages"][0]["content"]
        await asyncio.sleep(int(text) % 3 / 100)
        return httpx.Response(200, json=completion(text, calls=[wire_call(f"id-{text}")]))

    async def go() -> None:
        provider = openai(Vendor(handler=handler))
        answers = await asyncio.gather(*[provider.complete(ask(str(number))) for number in range(30)])
        for number, answer in enumerate(answers):
            assert (answer.content, answer.tool_calls[0].id) == (str(number), f"id-{number}")

    asyncio.run(go())


def test_compressed_answers_are_read() -> None:
    """A proxy may compress what it passes on."""
    import gzip

    vendor = Vendor(gzip.compress(json.dumps(completion("packed")).encode()), headers={"content-encoding": "gzip"})
    assert complete(vendor).content == "packed"


def test_key_is_not_in_the_response() -> None:
    """Nothing of the request's headers is kept."""
    assert KEY not in repr(complete(Vendor(completion())))
