"""What OpenAIResponsesProvider sends (document 12, section 3)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agentports.ports import (
    CacheMarker,
    LLMMessage,
    LLMToolSchema,
    OutputFormat,
    ThinkingBlock,
    ThinkingIntent,
    ToolArgumentsFailure,
    ToolChoice,
)
from agentports.providers import OpenAIResponsesProvider

from .provider_doubles import KEY, Vendor
from .responses_doubles import USER, ask, assistant, body, call, complete, message, provider_of, response, result

SCHEMA = {"type": "object", "properties": {"ü": {}}}
TOOL = LLMToolSchema(name="add", description="Adds.", input_schema=SCHEMA)
BROKEN = ToolArgumentsFailure(reason="invalid-json")


def items(*messages: LLMMessage) -> list[Any]:
    """The input that a conversation becomes."""
    written: list[Any] = body(*messages)["input"]
    return written


def text(message: dict[str, Any]) -> str:
    """The text of an item."""
    content: str = message["content"]
    return content


# ---- fields


def test_a_small_request_has_three_fields() -> None:
    """What is absent is not written, but for store, which the vendor would take for true."""
    written = body()
    assert written == {"model": "gpt-4o-mini", "input": [{"role": "user", "content": "hi"}], "store": False}
    assert body(tools=[], stop=[], system_prompt="") == written


def test_the_request_goes_to_the_path_with_the_key_in_its_header() -> None:
    """A slash at the end of the base URL makes no difference; the key is nowhere else."""
    vendor = Vendor(response())
    provider = provider_of(vendor, base_url="http://vendor/v1/", organization="org-1")
    asyncio.run(provider.complete(ask()))
    request = vendor.requests[0]
    assert str(request.url) == "http://vendor/v1/responses"
    assert (request.headers["authorization"], request.headers["openai-organization"]) == (f"Bearer {KEY}", "org-1")
    assert KEY.encode() not in request.content


def test_the_name_stands_for_the_configured_model() -> None:
    """Any other id goes through unchanged, and the models that always reason get no temperature."""
    assert body(options={"model": "gpt-5"})["model"] == "gpt-5"
    assert body(options={"name": "mine", "model": "gpt-5"}, model="openai-responses")["model"] == "openai-responses"
    assert body(model="o3-mini", temperature=0.5).get("temperature") is None
    assert body(options={"reasoning": True}, model="gpt-5", temperature=0.5).get("temperature") is None
    assert body(model="gpt-4o", temperature=0)["temperature"] == 0


def test_the_cap_has_this_interfaces_name() -> None:
    """The request's cap goes before the adapter's own."""
    assert body(max_tokens=9)["max_output_tokens"] == 9
    assert body(options={"max_tokens": 7})["max_output_tokens"] == 7
    assert body(max_tokens=9, options={"max_tokens": 7})["max_output_tokens"] == 9


def test_what_has_no_place_is_not_written() -> None:
    """Stop sequences, cache markers and a thinking budget: the wire has no field for them."""
    marker = CacheMarker(field="system", boundary_index=0, ttl="long")
    assert body(stop=["END"], cache_markers=[marker], thinking=ThinkingIntent(budget=2048)) == body()


def test_tools_are_flat_and_not_strict() -> None:
    """Schemas stay as they are, and a choice among no tools is none."""
    written = body(tools=[TOOL], tool_choice=ToolChoice(name="add"))
    tool = {"type": "function", "name": "add", "description": "Adds.", "parameters": SCHEMA, "strict": False}
    assert (written["tools"], written["tool_choice"]) == ([tool], {"type": "function", "name": "add"})
    assert body(tool_choice=ToolChoice(name="add")) == body()


def test_an_output_format_is_the_format_of_the_text() -> None:
    """It has the name that the vendor demands, and the schema as it was given."""
    schema = {"name": "answer", "schema": SCHEMA, "strict": True}
    assert body(output_format=OutputFormat(schema=SCHEMA))["text"] == {"format": {"type": "json_schema", **schema}}


def test_the_manifest_is_read_from_the_body() -> None:
    """It states the tools by name, none as none, and the format only where there is one."""
    document = response(message("ok"))
    stated = complete(document, ask(tools=[TOOL], output_format=OutputFormat(schema=SCHEMA))).wire_manifest
    assert stated is not None
    assert (stated.tool_names, stated.output_format) == (["add"], "json_schema")
    plain = complete(document).wire_manifest
    assert plain is not None
    assert (plain.tool_names, plain.output_format) == ([], None)


# ---- the conversation


def test_messages_keep_their_roles_and_places() -> None:
    """The system prompt stands apart, other instructions where they were."""
    said = [USER, LLMMessage(role="system", content="Be brief."), assistant("fine")]
    written = body(*said, system_prompt="You help.")
    assert written["instructions"] == "You help."
    assert written["input"] == [
        {"role": "user", "content": "hi"},
        {"role": "system", "content": "Be brief."},
        {"role": "assistant", "content": "fine"},
    ]


def test_calls_and_results_share_an_id() -> None:
    """Text comes before the calls of its turn; arguments are JSON text."""
    assert items(USER, assistant("I add.", call(x="ü"), call("c2")), result(), result("c2", "4"))[1:] == [
        {"role": "assistant", "content": "I add."},
        {"type": "function_call", "call_id": "c1", "name": "tool_c1", "arguments": '{"x": "ü"}'},
        {"type": "function_call", "call_id": "c2", "name": "tool_c2", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "3"},
        {"type": "function_call_output", "call_id": "c2", "output": "4"},
    ]


def test_a_turn_of_calls_alone_has_no_message() -> None:
    """A turn with nothing at all keeps its place."""
    assert [item.get("type") for item in items(USER, assistant("", call()), result())[1:]] == [
        "function_call",
        "function_call_output",
    ]
    assert items(USER, assistant(""), USER)[1] == {"role": "assistant", "content": ""}


def test_a_broken_call_and_its_refusal_become_text() -> None:
    """The other calls of the turn stay calls."""
    said = assistant("Both.", call("c1", BROKEN), call("c2", x=1))
    written = items(USER, said, result("c1", "refused", BROKEN), result("c2"))
    assert [item.get("type") or item["role"] for item in written] == [
        "user",
        "assistant",
        "function_call",
        "function_call_output",
        "user",
    ]
    assert (written[2]["call_id"], written[4]["content"]) == ("c2", "refused")
    assert all(word in text(written[1]) for word in ("Both.", "c1", "tool_c1", "invalid-json"))


def test_reasoning_is_not_sent_back() -> None:
    """Nor is anything else that is not of this wire."""
    thought = ThinkingBlock(content="hm", summary=True)
    turn = assistant("fine", thinking_blocks=[thought], ephemeral=True)
    assert items(USER, turn) == items(USER, assistant("fine"))


def test_numbers_that_are_no_json_are_refused() -> None:
    """Nothing is sent that the vendor could not parse."""
    with pytest.raises(ValueError):
        body(USER, assistant("", call(x=float("nan"))), result())


def test_what_it_declares() -> None:
    """Its guarantees and roles can be read off the class, and it can be made without a key."""
    assert OpenAIResponsesProvider.carries_in_messages == ("system", "user", "assistant")
    assert OpenAIResponsesProvider.carries_forced_tool_choice
    assert OpenAIResponsesProvider.carries_native_output_schema
    vendor = Vendor(response(message("ok")))
    asyncio.run(OpenAIResponsesProvider(client=vendor.client).complete(ask()))
    assert "authorization" not in vendor.requests[0].headers
    assert json.loads(vendor.requests[0].content)["model"] == "gpt-4o-mini"
