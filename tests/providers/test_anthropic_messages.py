"""What the adapter for Anthropic's messages asks."""

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
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
    WireToolManifest,
    carried_roles,
    forced_tool_choice_for,
    native_output_schema_for,
)
from agentports.providers import AnthropicMessagesProvider
from tests.providers.anthropic_doubles import KEY, USER, Service, ask, assistant, body, call, result, thought

TOOL = LLMToolSchema(name="add", description="Adds.", input_schema={"type": "object", "x-ü": [1]})
OTHER = LLMToolSchema(name="sub", description="Subtracts.", input_schema={"type": "object"})
SYSTEM = LLMMessage(role="system", content="Rhyme.")
FAILURE = ToolArgumentsFailure(reason="invalid-json")


# ---- address, headers, fields


@pytest.mark.parametrize("base_url", ["http://vendor", "http://vendor/", "http://vendor/v1", "http://vendor/v1/"])
def test_the_base_url_may_hold_the_version(base_url: str) -> None:
    """One POST to the wire's path, with the key in its own header and the version beside it."""
    service = Service(base_url=base_url)
    service.complete()
    (request,) = service.upstream.requests
    assert (request.method, request.path) == ("POST", "/v1/messages")
    assert request.headers["x-api-key"] == KEY
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert request.headers["content-type"] == "application/json"
    assert "authorization" not in request.headers


def test_a_bare_request_writes_what_the_vendor_requires_and_nothing_else() -> None:
    """The shorthand is the default model; a cap is always there; empty optional fields are not."""
    bare = {
        "model": "claude-sonnet-4-5-20250929",
        "max_tokens": 4096,
        "messages": [{"role": "user", "content": "hi"}],
    }
    assert body() == bare
    assert body(tools=[], stop=[], system_prompt="", cache_markers=[]) == bare


def test_every_field_has_its_place() -> None:
    """System at the top, tools in order with their schema as it is, zero as a value."""
    sent = body(
        model="claude-x",
        system_prompt="Be brief.",
        tools=[TOOL, OTHER],
        temperature=0,
        max_tokens=7,
        stop=["END"],
        tool_choice=ToolChoice(name="add"),
        output_format=OutputFormat(schema={"type": "object"}),
    )
    assert sent == {
        "model": "claude-x",
        "max_tokens": 7,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [
            {"name": "add", "description": "Adds.", "input_schema": {"type": "object", "x-ü": [1]}},
            {"name": "sub", "description": "Subtracts.", "input_schema": {"type": "object"}},
        ],
        "tool_choice": {"type": "tool", "name": "add"},
        "temperature": 0,
        "stop_sequences": ["END"],
        "output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}},
    }


def test_the_manifest_is_read_from_the_body() -> None:
    """Tools and output format, in both ways of asking; without them a stated zero."""
    rich = ask(tools=[OTHER, TOOL], output_format=OutputFormat(schema={}))
    stated = WireToolManifest(tool_names=["sub", "add"], output_format="json_schema")
    assert Service().complete(rich).wire_manifest == Service().streamed(rich).wire_manifest == stated
    assert Service().complete().wire_manifest == WireToolManifest(tool_names=[])


def test_one_call_at_a_time_is_asked_for_where_no_tool_is_forced() -> None:
    """A forced choice wins over the option, and without tools neither is written."""
    single: dict[str, Any] = {"parallel_tool_calls": False}
    auto = {"type": "auto", "disable_parallel_tool_use": True}
    assert body(tools=[TOOL], options=single)["tool_choice"] == auto
    forced = body(tools=[TOOL], tool_choice=ToolChoice(name="add"), options=single)
    assert forced["tool_choice"] == {"type": "tool", "name": "add"}
    assert "tool_choice" not in body(tool_choice=ToolChoice(name="add"), options=single)


def test_capabilities_are_declared() -> None:
    """Roles, both guarantees, and caching by markers."""
    provider = AnthropicMessagesProvider()
    assert carried_roles(provider) == ("user", "assistant")
    assert forced_tool_choice_for(provider, "anthropic")
    assert native_output_schema_for(provider, "anthropic")
    assert provider.prompt_caching.model_dump() == {"mode": "markers", "reports_usage": True, "max_markers": 4}
    assert provider.thinking_handler.provider_names == ("anthropic",)


# ---- models


@pytest.mark.parametrize(
    ("model", "mode"),
    [
        ("anthropic", "budget"),
        ("claude-sonnet-4-5-20250929", "budget"),
        ("claude-3-7-sonnet-20250219", "budget"),
        ("claude-opus-4-20250514", "budget"),
        ("anthropic.claude-haiku-4-5-20251001-v1:0", "budget"),
        ("claude-3-5-haiku-20241022", "none"),
        ("claude-3-opus-20240229", "none"),
        ("claude-2.1", "none"),
        ("claude-instant-1.2", "none"),
        ("claude-opus-4-6", "adaptive"),
        ("claude-sonnet-5", "adaptive"),
        ("claude-opus-5-5", "adaptive"),
        ("claude-mythos-preview", "adaptive"),
        ("some-other-model", "budget"),
        ("", "budget"),
    ],
)
def test_how_a_model_thinks_is_in_its_id(model: str, mode: str) -> None:
    """Old models do not think, later ones take a budget, new ones decide themselves."""
    assert AnthropicMessagesProvider().thinking_mode(model) == mode


@pytest.mark.parametrize(
    ("model", "heeds"),
    [
        ("anthropic", True),
        ("claude-opus-5-5", False),
        ("claude-sonnet-5-5-20261101", False),
        ("claude-fable-5-1", False),
        ("claude-mythos-5-1", False),
        ("claude-3-5-sonnet-20241022", True),
        ("claude-opus-5", True),
        ("claude-haiku-5-5", True),
        ("", True),
    ],
)
def test_a_few_models_reject_a_forced_choice(model: str, heeds: bool) -> None:
    """What is declared for a model is what a call does: refuse before sending, or send."""
    service = Service()
    assert service.provider.supports_forced_tool_choice(model) is heeds
    forced = ask(model=model or "m", tools=[TOOL], tool_choice=ToolChoice(name="add"))
    if heeds:
        service.complete(forced)
    else:
        for asking in (service.complete, service.stream):
            with pytest.raises(UnsupportedToolChoiceError):
                asking(forced)
    assert len(service.bodies) == heeds


def test_a_choice_without_tools_is_neither_written_nor_refused() -> None:
    """Every wire rejects it, so it is dropped even for a model that would reject it anyway."""
    assert "tool_choice" not in body(model="claude-opus-5-5", tool_choice=ToolChoice(name="add"))


# ---- thinking that is asked for


@pytest.mark.parametrize(
    ("model", "cap", "sent"),
    [
        ("claude-sonnet-4-5", None, 4096),
        ("claude-sonnet-4-5", 3000, 3000),
        ("claude-sonnet-4-5", 2000, 3024),
        ("claude-sonnet-4-5", 1999, 3024),
        ("claude-opus-4-6", None, 4096),
        ("claude-opus-4-6", 3000, 3024),
    ],
)
def test_there_is_room_for_an_answer_beside_the_thinking(model: str, cap: int | None, sent: int) -> None:
    """A budget stays below the cap; where the model decides itself, 1024 tokens are left beside it."""
    written = body(model=model, max_tokens=cap, thinking=ThinkingIntent(budget=2000))
    budget = {"type": "enabled", "budget_tokens": 2000}
    adaptive = {"type": "adaptive", "display": "summarized"}
    assert written["max_tokens"] == sent
    assert written["thinking"] == (adaptive if model == "claude-opus-4-6" else budget)


@pytest.mark.parametrize(
    ("model", "budget", "error"),
    [
        ("claude-3-5-haiku-20241022", 2000, UnsupportedThinkingError),
        ("claude-sonnet-4-5", 1023, ValueError),
        ("claude-sonnet-4-5", 1024.5, ValueError),
        ("claude-opus-4-6", -1, ValueError),
    ],
)
def test_thinking_that_the_vendor_would_not_do_is_refused(model: str, budget: Any, error: type[Exception]) -> None:
    """A model that does not think, and a budget that is no whole number of at least 1024: nothing is sent."""
    service = Service()
    intent = ThinkingIntent.model_construct(budget=budget)
    for asking in (service.complete, service.stream):
        with pytest.raises(error):
            asking(ask(model=model, thinking=intent))
    assert service.bodies == []


# ---- messages


def test_a_turn_with_calls_is_blocks_and_its_results_share_one_turn() -> None:
    """Text before calls, arguments as objects, results in their order."""
    said = [USER, assistant("Well", call("a", x=1), call("b")), result("b", "2"), result("a", "1"), USER]
    assert body(*said)["messages"][1:] == [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Well"},
                {"type": "tool_use", "id": "a", "name": "tool_a", "input": {"x": 1}},
                {"type": "tool_use", "id": "b", "name": "tool_b", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "b", "content": "2"},
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
            ],
        },
        {"role": "user", "content": "hi"},
    ]


def test_a_turn_of_text_alone_is_plain_text() -> None:
    """No blocks where there is nothing else, not even when there is nothing at all."""
    assert [m["content"] for m in body(USER, assistant("Yes?"), USER, assistant(""), USER)["messages"]] == [
        "hi",
        "Yes?",
        "hi",
        "",
        "hi",
    ]


def test_system_messages_are_left_out_and_part_no_results() -> None:
    """They have no place in the conversation; the results around one still share their turn."""
    said = [SYSTEM, USER, assistant("", call("a"), call("b")), result("a"), SYSTEM, result("b")]
    sent = body(*said)["messages"]
    assert [turn["role"] for turn in sent] == ["user", "assistant", "user"]
    assert [block["tool_use_id"] for block in sent[2]["content"]] == ["a", "b"]


def test_a_failed_call_and_its_refusal_become_text() -> None:
    """The sentence names tool, id and reason; the refusal stands behind the results of the turn."""
    said = [USER, assistant("Hm", call("a", FAILURE), call("b")), result("a", "Bad JSON.", FAILURE), result("b")]
    _, spoken, answered = body(*said)["messages"]
    assert [block["type"] for block in spoken["content"]] == ["text", "text", "tool_use"]
    assert all(word in spoken["content"][1]["text"] for word in ("tool_a", "a", "invalid-json"))
    assert answered["content"] == [
        {"type": "tool_result", "tool_use_id": "b", "content": "3"},
        {"type": "text", "text": "Bad JSON."},
    ]


# ---- cache markers

SHORT, LONG = {"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}


def marker(field: Any, index: int = 0, ttl: Any = "short") -> CacheMarker:
    """Build a marker."""
    return CacheMarker(field=field, boundary_index=index, ttl=ttl)


def test_a_marked_system_prompt_is_one_block() -> None:
    """Its text stays as it is; without a system prompt the marker marks nothing."""
    assert body(system_prompt="Be brief.", cache_markers=[marker("system", ttl="long")])["system"] == [
        {"type": "text", "text": "Be brief.", "cache_control": LONG}
    ]
    assert body(cache_markers=[marker("system")]) == body()


@pytest.mark.parametrize(("index", "marked"), [(0, 0), (1, 1), (5, 1), (-1, None)])
def test_a_marker_of_tools_marks_the_tool_of_its_index(index: int, marked: int | None) -> None:
    """The last one where the index is beyond, and no other."""
    tools = body(tools=[TOOL, OTHER], cache_markers=[marker("tools", index)])["tools"]
    assert [tool.get("cache_control") for tool in tools] == [SHORT if at == marked else None for at in range(2)]


CONVERSATION = [SYSTEM, USER, assistant("Well", call("a"), call("b")), result("a"), result("b"), assistant("So"), USER]


@pytest.mark.parametrize(
    ("index", "turn", "block"),
    [(1, 0, 0), (2, 1, 2), (3, 2, 1), (4, 2, 1), (5, 3, 0), (6, 4, 0), (0, None, 0), (7, None, 0), (-1, None, 0)],
)
def test_a_marker_of_messages_marks_where_its_message_ended_up(index: int, turn: int | None, block: int) -> None:
    """The last block of that wire turn; a message that is not on the wire marks nothing, and no neighbour either."""
    plain, marked = body(*CONVERSATION), body(*CONVERSATION, cache_markers=[marker("messages", index)])
    if turn is None:
        assert marked == plain
        return
    found = [
        (at, position)
        for at, each in enumerate(marked["messages"])
        if isinstance(each["content"], list)
        for position, part in enumerate(each["content"])
        if "cache_control" in part
    ]
    assert found == [(turn, block)]


def test_thinking_is_never_marked() -> None:
    """The vendor refuses it: the block before it is marked, and a turn of thinking alone is not."""
    last = assistant("", thinking=[thought()])
    assert body(USER, last, USER, cache_markers=[marker("messages", 1)]) == body(USER, last, USER)


def test_the_first_four_markers_are_written() -> None:
    """The vendor refuses a fifth."""
    markers = [marker("messages", index, "long") for index in range(5)]
    said = [USER, assistant("a"), USER, assistant("b"), USER]
    turns = body(*said, cache_markers=markers)["messages"]
    assert [isinstance(turn["content"], list) for turn in turns] == [True, True, True, True, False]
