"""What the adapter for Bedrock asks."""

from __future__ import annotations

from typing import Any

import pytest

from agentports.ports import (
    CacheMarker,
    LLMMessage,
    LLMToolSchema,
    OutputFormat,
    ThinkingIntent,
    ToolArgumentsFailure,
    ToolChoice,
    UnsupportedNativeOutputError,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
    WireToolManifest,
    carried_roles,
    forced_tool_choice_for,
    native_output_schema_for,
)
from agentports.providers import BedrockConverseProvider
from tests.providers.anthropic_doubles import KEY, USER, assistant, call, result, thought
from tests.providers.bedrock_doubles import DEFAULT_MODEL, Service, ask, body

TOOL = LLMToolSchema(name="add", description="Adds.", input_schema={"type": "object", "x-ü": [1]})
OTHER = LLMToolSchema(name="sub", description="", input_schema={"type": "object"})
SYSTEM = LLMMessage(role="system", content="Rhyme.")
FAILURE = ToolArgumentsFailure(reason="invalid-json")
PROFILE = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2"


# ---- address, headers, fields


@pytest.mark.parametrize("base_url", ["http://vendor", "http://vendor/"])
def test_the_path_names_the_model_and_the_operation(base_url: str) -> None:
    """One POST to the model's address, with the key as a bearer token; nothing is signed."""
    service = Service(base_url=base_url)
    service.complete(ask())
    service.stream(ask(model=PROFILE))
    first, second = service.upstream.requests
    assert first.raw_path == f"/model/{DEFAULT_MODEL.replace(':', '%3A')}/converse"
    profile = "arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Aapplication-inference-profile%2Fa1b2"
    assert second.raw_path == f"/model/{profile}/converse-stream"
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert first.headers["content-type"] == "application/json"
    assert "x-amz-date" not in first.headers


def test_a_bare_request_writes_a_cap_and_nothing_else() -> None:
    """Empty optional fields are not there."""
    bare = {"messages": [{"role": "user", "content": [{"text": "hi"}]}], "inferenceConfig": {"maxTokens": 4096}}
    assert body() == bare
    assert body(tools=[], stop=[], system_prompt="", cache_markers=[], tool_choice=ToolChoice(name="add")) == bare
    assert body(options={"max_tokens": 9})["inferenceConfig"] == {"maxTokens": 9}


def test_every_field_has_its_place() -> None:
    """System is a list, tools are in order with their schema as it is, zero is a value."""
    sent = body(
        system_prompt="Be brief.",
        tools=[TOOL, OTHER],
        temperature=0,
        max_tokens=7,
        stop=["END"],
        tool_choice=ToolChoice(name="add"),
    )
    assert sent == {
        "messages": [{"role": "user", "content": [{"text": "hi"}]}],
        "system": [{"text": "Be brief."}],
        "inferenceConfig": {"maxTokens": 7, "temperature": 0, "stopSequences": ["END"]},
        "toolConfig": {
            "tools": [
                {
                    "toolSpec": {
                        "name": "add",
                        "description": "Adds.",
                        "inputSchema": {"json": {"type": "object", "x-ü": [1]}},
                    }
                },
                {"toolSpec": {"name": "sub", "inputSchema": {"json": {"type": "object"}}}},
            ],
            "toolChoice": {"tool": {"name": "add"}},
        },
    }


def test_the_manifest_is_read_from_the_body() -> None:
    """Tools in both ways of asking, cache points beside them; without any a stated zero."""
    marker = CacheMarker(field="tools", boundary_index=0, ttl="short")
    rich = ask(tools=[OTHER, TOOL], cache_markers=[marker])
    stated = WireToolManifest(tool_names=["sub", "add"])
    assert Service().complete(rich).wire_manifest == Service().streamed(rich).wire_manifest == stated
    assert Service().complete(ask()).wire_manifest == WireToolManifest(tool_names=[])


def test_capabilities_are_declared() -> None:
    """Roles, a forced choice, no native output, and caching by markers."""
    provider = BedrockConverseProvider()
    assert carried_roles(provider) == ("user", "assistant")
    assert forced_tool_choice_for(provider, "bedrock")
    assert not native_output_schema_for(provider, "bedrock")
    assert provider.prompt_caching.model_dump() == {"mode": "markers", "reports_usage": True, "max_markers": 4}
    assert BedrockConverseProvider(name="aws").thinking_handler.provider_names == ("bedrock", "aws")


def test_what_the_wire_or_the_model_would_not_do_is_refused_before_sending() -> None:
    """Native output everywhere, a forced choice by the models that reject it."""
    service = Service()
    forced = ask(model="us.anthropic.claude-opus-5-5-v1:0", tools=[TOOL], tool_choice=ToolChoice(name="add"))
    refused = [
        (ask(output_format=OutputFormat(schema={})), UnsupportedNativeOutputError),
        (forced, UnsupportedToolChoiceError),
    ]
    for request, error in refused:
        for asking in (service.complete, service.stream):
            with pytest.raises(error):
                asking(request)
    assert service.bodies == []


# ---- messages


def test_calls_and_results_are_blocks() -> None:
    """Text before calls, arguments as objects, results in their order with the question behind them."""
    said = [USER, assistant("Well", call("a", x=1), call("b")), result("b", "2"), result("a", "1"), USER]
    assert body(*said)["messages"][1:] == [
        {
            "role": "assistant",
            "content": [
                {"text": "Well"},
                {"toolUse": {"toolUseId": "a", "name": "tool_a", "input": {"x": 1}}},
                {"toolUse": {"toolUseId": "b", "name": "tool_b", "input": {}}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "b", "content": [{"text": "2"}]}},
                {"toolResult": {"toolUseId": "a", "content": [{"text": "1"}]}},
                {"text": "hi"},
            ],
        },
    ]


def test_neighbours_of_one_role_are_one_turn() -> None:
    """Also where a system message, which is left out, stood between them."""
    said = [USER, SYSTEM, LLMMessage(role="user", content="there"), assistant("a"), assistant(""), assistant("b"), USER]
    assert [(turn["role"], turn["content"]) for turn in body(*said)["messages"]] == [
        ("user", [{"text": "hi"}, {"text": "there"}]),
        ("assistant", [{"text": "a"}, {"text": "b"}]),
        ("user", [{"text": "hi"}]),
    ]


def test_a_turn_that_says_nothing_keeps_its_place() -> None:
    """It holds one empty text."""
    turns = body(USER, assistant(""), USER)["messages"]
    assert turns[1] == {"role": "assistant", "content": [{"text": ""}]}


def test_a_failed_call_and_its_refusal_become_text() -> None:
    """The sentence names tool, id and reason; the refusal stands behind the results of the turn."""
    said = [USER, assistant("Hm", call("a", FAILURE), call("b")), result("a", "Bad JSON.", FAILURE), result("b")]
    _, spoken, answered = body(*said)["messages"]
    assert [next(iter(block)) for block in spoken["content"]] == ["text", "text", "toolUse"]
    assert all(word in spoken["content"][1]["text"] for word in ("tool_a", "a", "invalid-json"))
    assert answered["content"] == [
        {"toolResult": {"toolUseId": "b", "content": [{"text": "3"}]}},
        {"text": "Bad JSON."},
    ]


# ---- thinking


@pytest.mark.parametrize(
    ("model", "mode"),
    [
        ("bedrock", "budget"),
        ("anthropic.claude-3-7-sonnet-20250219-v1:0", "budget"),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "budget"),
        ("arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1", "adaptive"),
        ("anthropic.claude-3-haiku-20240307-v1:0", "none"),
        ("anthropic.claude-v2:1", "none"),
        ("amazon.nova-pro-v1:0", "none"),
        ("meta.llama3-3-70b-instruct-v1:0", "none"),
        (PROFILE, "budget"),
        ("", "none"),
    ],
)
def test_only_models_that_may_be_claude_are_asked_to_think(model: str, mode: str) -> None:
    """How is in the id of a model; a profile that stands for any model is asked as most are."""
    assert BedrockConverseProvider().thinking_mode(model) == mode


def test_the_wish_for_thinking_goes_past_converse_to_the_model() -> None:
    """In Anthropic's words, with room under the cap."""
    sent = body(thinking=ThinkingIntent(budget=5000))
    assert sent["additionalModelRequestFields"] == {"thinking": {"type": "enabled", "budget_tokens": 5000}}
    assert sent["inferenceConfig"] == {"maxTokens": 6024}
    sent = body(model="anthropic.claude-opus-4-6-v1", thinking=ThinkingIntent(budget=1024), max_tokens=9000)
    assert sent["additionalModelRequestFields"] == {"thinking": {"type": "adaptive", "display": "summarized"}}
    assert sent["inferenceConfig"] == {"maxTokens": 9000}
    with pytest.raises(UnsupportedThinkingError):
        body(model="amazon.nova-pro-v1:0", thinking=ThinkingIntent(budget=1024))


def test_thinking_of_the_open_turn_goes_back_whatever_the_model() -> None:
    """Other vendors' models think without being asked to, and without signing it; old Claude models reject it."""
    said = [USER, assistant("", call(), thinking=[thought("hm", None)]), result()]
    blocks = body(*said, model="openai.gpt-oss-120b-1:0")["messages"][1]["content"]
    assert blocks[0] == {"reasoningContent": {"reasoningText": {"text": "hm"}}}
    with pytest.raises(UnsupportedThinkingError):
        body(*said, model="anthropic.claude-3-haiku-20240307-v1:0")


def test_unsigned_thinking_of_a_completed_turn_is_left_out() -> None:
    """The response lists it."""
    said = [USER, assistant("So.", thinking=[thought("hm", None), thought()]), USER]
    service = Service()
    (omission,) = service.complete(ask(*said)).replay_omissions or ()
    assert (omission.message_index, omission.blocks, omission.reason) == (1, 1, "unsigned")
    assert service.bodies[0]["messages"][1]["content"] == [
        {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "sig"}}},
        {"text": "So."},
    ]


# ---- cache points

SHORT, LONG = {"cachePoint": {"type": "default"}}, {"cachePoint": {"type": "default", "ttl": "1h"}}


def marker(field: Any, index: int = 0, ttl: Any = "short") -> CacheMarker:
    """Build a marker."""
    return CacheMarker(field=field, boundary_index=index, ttl=ttl)


def test_a_marked_system_prompt_has_a_point_behind_it() -> None:
    """Without a system prompt the marker marks nothing."""
    sent = body(system_prompt="Be brief.", cache_markers=[marker("system", ttl="long")])
    assert sent["system"] == [{"text": "Be brief."}, LONG]
    assert body(cache_markers=[marker("system")]) == body()


@pytest.mark.parametrize(("index", "place"), [(0, 1), (1, 2), (5, 2), (-1, None)])
def test_a_marker_of_tools_has_a_point_behind_the_tool(index: int, place: int | None) -> None:
    """Behind the last one where the index is beyond."""
    tools = body(tools=[TOOL, OTHER], cache_markers=[marker("tools", index)])["toolConfig"]["tools"]
    assert [at for at, tool in enumerate(tools) if tool == SHORT] == ([] if place is None else [place])


CONVERSATION = [SYSTEM, USER, assistant("Well", call("a"), call("b")), result("a"), result("b"), USER]


@pytest.mark.parametrize(
    ("index", "turn", "place"), [(1, 0, 1), (2, 1, 3), (3, 2, 1), (4, 2, 2), (5, 2, 3), (0, None, 0), (6, None, 0)]
)
def test_a_marker_of_messages_has_a_point_behind_its_message(index: int, turn: int | None, place: int) -> None:
    """Also in the middle of a turn; a message that is not on the wire has none."""
    turns = body(*CONVERSATION, cache_markers=[marker("messages", index)])["messages"]
    found = [(at, n) for at, each in enumerate(turns) for n, block in enumerate(each["content"]) if block == SHORT]
    assert found == ([] if turn is None else [(turn, place)])


def test_reasoning_is_never_the_end_of_a_prefix() -> None:
    """A turn of reasoning alone has no point."""
    last = assistant("", thinking=[thought()])
    assert body(USER, last, USER, cache_markers=[marker("messages", 1)]) == body(USER, last, USER)


def test_the_first_four_markers_are_written_and_only_for_models_that_cache() -> None:
    """The vendor refuses a fifth point, and any for other models."""
    said = [USER, assistant("a"), USER, assistant("b"), USER]
    markers = [marker("messages", index) for index in range(5)]
    counted = {
        model: str(body(*said, model=model, cache_markers=markers)).count("cachePoint")
        for model in ("bedrock", "amazon.nova-pro-v1:0", PROFILE, "meta.llama3-3-70b-instruct-v1:0")
    }
    assert list(counted.values()) == [4, 4, 4, 0]
