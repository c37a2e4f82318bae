"""The adapter for Gemini: what it asks."""

from __future__ import annotations

import asyncio

import pytest

from agentports.ports import (
    LLMMessage,
    LLMToolCall,
    OutputFormat,
    ProviderError,
    ThinkingBlock,
    ThinkingIntent,
    ToolArgumentsFailure,
    ToolChoice,
    UnsupportedNativeOutputError,
)
from agentports.providers import GeminiProvider
from tests.providers.gemini_doubles import (
    SIGNATURE,
    TOOL,
    USER,
    ask,
    body_of,
    call_message,
    candidate,
    gemini,
    result_message,
    sent,
)
from tests.providers.provider_doubles import KEY, Vendor, read

HI = {"role": "user", "parts": [{"text": "hi"}]}


def test_a_small_request_holds_the_contents_alone() -> None:
    """What is absent is not written; the model stands in the path."""
    assert body_of() == {"contents": [HI]}
    assert body_of(ask(tools=[], stop=[], system_prompt="")) == body_of()


def test_the_configuration_holds_cap_temperature_stop_and_thinking() -> None:
    """Zero is a value of the temperature, and of the budget, which it switches off."""
    request = ask(max_tokens=50, temperature=0, stop=["END"], thinking=ThinkingIntent(budget=0))
    assert body_of(request)["generationConfig"] == {
        "temperature": 0,
        "maxOutputTokens": 50,
        "stopSequences": ["END"],
        "thinkingConfig": {"thinkingBudget": 0},
    }
    assert body_of(max_tokens=9)["generationConfig"] == {"maxOutputTokens": 9}
    assert body_of(ask(max_tokens=50), max_tokens=9)["generationConfig"] == {"maxOutputTokens": 50}


def test_tools_are_declared_with_their_schema_as_json_schema() -> None:
    """The system prompt stands apart; a forced choice allows one function, and needs tools."""
    body = body_of(ask(system_prompt="Be brief.", tools=[TOOL], tool_choice=ToolChoice(name="add")))
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief."}]}
    declared = {"name": "add", "description": "Adds.", "parametersJsonSchema": TOOL.input_schema}
    assert body["tools"] == [{"functionDeclarations": [declared]}]
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["add"]}}
    assert body_of(ask(tool_choice=ToolChoice(name="add"))) == body_of()


def test_the_key_door_has_its_addresses_and_its_header() -> None:
    """The key is in no URL; a model id is quoted; a stream is asked for as server-sent events."""
    whole, streaming = sent(), sent(ask(model="a/b:c"), streaming=True)
    assert str(whole.url) == "http://vendor/v1beta/models/gemini-2.5-flash:generateContent"
    assert whole.url.query == b""
    assert str(streaming.url) == "http://vendor/v1beta/models/a%2Fb%3Ac:streamGenerateContent?alt=sse"
    assert whole.headers["x-goog-api-key"] == KEY
    assert "authorization" not in whole.headers


@pytest.mark.parametrize(
    ("base_url", "start"),
    [
        ("http://vendor/", "http://vendor/v1beta/models/"),
        ("http://vendor/v1", "http://vendor/v1/models/"),
        ("http://vendor/proxy/v1alpha/", "http://vendor/proxy/v1alpha/models/"),
        (None, "https://generativelanguage.googleapis.com/v1beta/models/"),
    ],
)
def test_a_base_url_may_end_in_a_version(base_url: str | None, start: str) -> None:
    """Without one it is that of the documents."""
    assert str(sent(base_url=base_url).url).startswith(start)


@pytest.mark.parametrize(
    ("location", "host"),
    [("global", "aiplatform.googleapis.com"), ("europe-west4", "europe-west4-aiplatform.googleapis.com")],
)
def test_vertex_has_its_addresses_and_a_bearer_token(location: str, host: str) -> None:
    """There the adapter's name stands for a model without anybody's doing."""
    request = sent(ask(model="gemini"), base_url=None, project="p-1", location=location)
    place = f"v1/projects/p-1/locations/{location}/publishers/google"
    assert str(request.url) == f"https://{host}/{place}/models/gemini-2.5-flash:generateContent"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert "x-goog-api-key" not in request.headers


def test_the_name_stands_for_the_model_that_was_given() -> None:
    """Without one, at the key door, the request is refused before it is sent."""
    assert sent(ask(model="gemini"), model="gemini-2.5-pro").url.path.endswith("/gemini-2.5-pro:generateContent")
    vendor = Vendor(candidate())
    with pytest.raises(ProviderError, match="no default model") as caught:
        asyncio.run(gemini(vendor).complete(ask(model="gemini")))
    assert caught.value.code == "MODEL_REQUIRED"
    assert not vendor.requests


def test_native_output_is_refused_before_sending() -> None:
    """Neither way sends anything."""
    vendor, request = Vendor(candidate()), ask(output_format=OutputFormat(schema={"type": "object"}))
    for asked in (gemini(vendor).complete(request), read(gemini(vendor), request)):
        with pytest.raises(UnsupportedNativeOutputError):
            asyncio.run(asked)
    assert not vendor.requests


def test_capabilities_are_declared() -> None:
    """A forced choice is written; system messages and an output format are not."""
    provider = GeminiProvider()
    assert provider.carries_in_messages == ("user", "assistant")
    assert provider.carries_forced_tool_choice is True
    assert not hasattr(provider, "carries_native_output_schema")


# ---- the conversation


def test_calls_and_results_are_parts() -> None:
    """The vendor's id goes back in both, and the signature beside its call."""
    signed = LLMToolCall(id="v-1", name="add", args={"x": 1}, provider_meta={"thoughtSignature": SIGNATURE})
    plain = LLMToolCall(id="v-2", name="now", args={})
    said = call_message(signed, plain, content="Let me see.")
    contents = body_of(ask(USER, said, result_message("2", "v-1"), result_message("noon", "v-2", "now")))["contents"]
    assert contents == [
        HI,
        {
            "role": "model",
            "parts": [
                {"text": "Let me see."},
                {"functionCall": {"id": "v-1", "name": "add", "args": {"x": 1}}, "thoughtSignature": SIGNATURE},
                {"functionCall": {"id": "v-2", "name": "now", "args": {}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": "v-1", "name": "add", "response": {"output": "2"}}},
                {"functionResponse": {"id": "v-2", "name": "now", "response": {"output": "noon"}}},
            ],
        },
    ]


@pytest.mark.parametrize("call_id", ["gemini-call-1", "gemini-call-12"])
def test_invented_ids_stay_at_home(call_id: str) -> None:
    """Whichever process invented them."""
    said = call_message(LLMToolCall(id=call_id, name="add", args={}))
    _, model, user = body_of(ask(USER, said, result_message("2", call_id)))["contents"]
    assert model["parts"] == [{"functionCall": {"name": "add", "args": {}}}]
    assert user["parts"] == [{"functionResponse": {"name": "add", "response": {"output": "2"}}}]


@pytest.mark.parametrize("call_id", ["gemini-call-", "gemini-call-1a", "my-gemini-call-1", "call-1"])
def test_ids_that_only_look_invented_are_sent(call_id: str) -> None:
    """The kind is exact."""
    said = call_message(LLMToolCall(id=call_id, name="add", args={}))
    assert body_of(ask(USER, said))["contents"][1]["parts"][0]["functionCall"]["id"] == call_id


@pytest.mark.parametrize("bag", [None, {}, {"thoughtSignature": ""}, {"thoughtSignature": 5}, {"other": "x"}])
def test_what_is_no_signature_is_not_sent(bag: dict[str, object] | None) -> None:
    """A garbled signature would be refused less clearly than a missing one."""
    said = call_message(LLMToolCall(id="a", name="add", args={}, provider_meta=bag))
    assert set(body_of(ask(USER, said))["contents"][1]["parts"][0]) == {"functionCall"}


def test_a_result_without_a_name_gets_that_of_its_call() -> None:
    """The vendor pairs by name."""
    said = call_message(LLMToolCall(id="a", name="add", args={}))
    user = body_of(ask(USER, said, result_message("2", name=None)))["contents"][2]
    assert user["parts"][0]["functionResponse"]["name"] == "add"


def test_turns_alternate() -> None:
    """Neighbours of one role share a turn, an empty turn keeps its place, system messages have none."""
    system, silent = LLMMessage(role="system", content="Sing."), LLMMessage(role="assistant", content="")
    assert body_of(ask(USER, system, USER, silent, USER))["contents"] == [
        {"role": "user", "parts": [{"text": "hi"}, {"text": "hi"}]},
        {"role": "model", "parts": [{"text": ""}]},
        HI,
    ]


def test_thoughts_are_not_sent_back() -> None:
    """The vendor wants the signatures of its calls and nothing else."""
    said = LLMMessage(role="assistant", content="4", thinking_blocks=[ThinkingBlock(content="2+2")])
    assert body_of(ask(USER, said, USER))["contents"][1] == {"role": "model", "parts": [{"text": "4"}]}


def test_a_failed_call_and_its_refusal_are_text() -> None:
    """The text of the refusal comes behind the results of the turn."""
    failure = ToolArgumentsFailure(reason="invalid-json")
    failed = LLMToolCall(id="b", name="look", args={}, arguments_failure=failure)
    said = call_message(failed, LLMToolCall(id="a", name="add", args={"x": 1}))
    refusal = result_message("Not JSON.", "b", "look", tool_arguments_failure=failure)
    _, model, user = body_of(ask(USER, said, refusal, result_message("2")))["contents"]
    text, good = model["parts"]
    assert "look" in text["text"]
    assert "invalid-json" in text["text"]
    assert good["functionCall"]["name"] == "add"
    assert [set(part) for part in user["parts"]] == [{"functionResponse"}, {"text"}]
    assert user["parts"][1] == {"text": "Not JSON."}
