"""The adapter for Ollama: what it asks, and how it reads answers."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agentports.ports import (
    LLMChunk,
    LLMMessage,
    LLMResponse,
    LLMToolCall,
    LLMToolSchema,
    OutputFormat,
    ProviderError,
    ThinkingBlock,
    ThinkingIntent,
    ToolArgumentsFailure,
    ToolChoice,
    UnsupportedNativeOutputError,
    UnsupportedToolChoiceError,
    Usage,
    WireToolManifest,
)
from agentports.providers import OllamaProvider
from tests.providers.provider_doubles import Vendor, read
from tests.providers.provider_doubles import ask as openai_ask

TOOL = LLMToolSchema(name="add", description="Adds.", input_schema={"type": "object", "properties": {"ü": {}}})
COUNTS = {"prompt_eval_count": 26, "eval_count": 11}


def ask(*messages: LLMMessage, **fields: Any) -> Any:
    """Build a request."""
    return openai_ask(**{"model": "ollama", **({"messages": list(messages)} if messages else {}), **fields})


def said(content: str = "", done: bool = False, **fields: Any) -> dict[str, Any]:
    """Build one line; the fields of the last line stand beside its message, the others in it."""
    beside = {name: fields.pop(name) for name in (*COUNTS, "done_reason") if name in fields}
    message = {"role": "assistant", "content": content, **fields}
    return {"model": "llama3.2", "created_at": "now", "message": message, "done": done, **beside}


def ended(**fields: Any) -> dict[str, Any]:
    """Build the last line of a stream."""
    return said(done=True, **{"done_reason": "stop", **COUNTS, **fields})


def call(name: str = "add", arguments: Any = None, **fields: Any) -> dict[str, Any]:
    """Build a call as the wire carries it."""
    return {"function": {"name": name, "arguments": {"x": 1} if arguments is None else arguments}, **fields}


def ollama(vendor: Vendor, **options: Any) -> OllamaProvider:
    """Build the adapter that talks to a vendor."""
    return OllamaProvider(**{"base_url": "http://vendor", "client": vendor.client, **options})


def complete(document: Any, request: Any = None, **options: Any) -> LLMResponse:
    """Ask once; the vendor answers with this."""
    return asyncio.run(ollama(Vendor(document), **options).complete(request or ask()))


def stream(*lines: Any, request: Any = None, **options: Any) -> list[LLMChunk]:
    """Ask once for a stream of these lines."""
    return asyncio.run(read(ollama(vendor_of(written(*lines)), **options), request or ask()))


def vendor_of(*pieces: bytes) -> Vendor:
    """A vendor that streams these bytes."""
    return Vendor(pieces=pieces, headers={"content-type": "application/x-ndjson"})


def written(*lines: Any) -> bytes:
    """Write lines; a str goes as it is, anything else as JSON."""
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    return "".join(f"{text}\n" for text in texts).encode()


def answers(document: dict[str, Any], request: Any = None, **options: Any) -> list[LLMResponse]:
    """Return what both ways give for one answer; as a stream it is a single line."""
    last = stream(document, request=request, **options)[-1].response
    assert last is not None
    return [complete(document, request, **options), last]


def body_of(request: Any = None, *, streaming: bool = False, **options: Any) -> dict[str, Any]:
    """Return the body that a request becomes."""
    vendor = vendor_of(written(ended())) if streaming else Vendor(said("ok", done=True))
    provider = ollama(vendor, **options)
    asyncio.run(read(provider, request or ask()) if streaming else provider.complete(request or ask()))
    body: dict[str, Any] = vendor.bodies[0]
    return body


# ---- the request


def test_a_small_request_has_three_fields() -> None:
    """What is absent is not written, but for stream, whose default is true."""
    messages = [{"role": "user", "content": "hi"}]
    assert body_of() == {"model": "llama3.2", "messages": messages, "stream": False}
    assert body_of(streaming=True) == {"model": "llama3.2", "messages": messages, "stream": True}
    assert body_of(ask(tools=[], stop=[], system_prompt="")) == body_of()


def test_the_name_stands_for_the_configured_model() -> None:
    """Any other id goes through unchanged."""
    assert body_of(model="qwen3")["model"] == "qwen3"
    assert body_of(ask(model="gemma3:4b"), model="qwen3")["model"] == "gemma3:4b"


def test_options_hold_cap_temperature_and_stop() -> None:
    """They are ignored at the top level of a body."""
    body = body_of(ask(max_tokens=50, temperature=0, stop=["END"]))
    assert body["options"] == {"num_predict": 50, "temperature": 0, "stop": ["END"]}
    assert set(body) == {"model", "messages", "stream", "options"}
    assert body_of(ask(max_tokens=50), max_tokens=9)["options"] == {"num_predict": 50}
    assert body_of(max_tokens=9)["options"] == {"num_predict": 9}


def test_thinking_is_a_switch_and_the_budget_is_nowhere() -> None:
    """A budget in num_predict would cut the answer."""
    wish = ThinkingIntent(budget=2048)
    assert body_of(ask(thinking=wish)) == body_of() | {"think": True}
    assert body_of(ask(thinking=wish, max_tokens=9)) == body_of(ask(max_tokens=9)) | {"think": True}


@pytest.mark.parametrize("think", [True, False, "low", "max"])
def test_a_configured_level_of_thinking_is_always_written(think: Any) -> None:
    """It wins over the request's wish."""
    assert body_of(think=think)["think"] == think
    assert body_of(ask(thinking=ThinkingIntent(budget=2048)), think=think)["think"] == think


@pytest.mark.parametrize("keep_alive", ["5m", -1, 0])
def test_keep_alive_is_written_when_configured(keep_alive: Any) -> None:
    """Zero unloads the model at once; it is a value."""
    assert body_of(keep_alive=keep_alive)["keep_alive"] == keep_alive


def test_tools_go_unchanged_and_the_manifest_names_them() -> None:
    """Name, description and schema are those of the request; the manifest is read from the body."""
    body = body_of(ask(tools=[TOOL]))
    function = {"name": "add", "description": "Adds.", "parameters": TOOL.input_schema}
    assert body["tools"] == [{"type": "function", "function": function}]
    manifests = [answer.wire_manifest for answer in answers(said("ok", done=True), ask(tools=[TOOL]))]
    assert manifests == [WireToolManifest(tool_names=["add"])] * 2


def test_messages_keep_their_roles() -> None:
    """The system prompt comes first, system messages stay in their places, arguments are an object."""
    body = body_of(
        ask(
            LLMMessage(role="user", content="hi"),
            LLMMessage(role="system", content="be kind"),
            LLMMessage(role="assistant", content="", tool_calls=[LLMToolCall(id="c1", name="add", args={"x": [1]})]),
            LLMMessage(role="tool", content="2", tool_call_id="c1", tool_name="add"),
            LLMMessage(
                role="assistant",
                content="so",
                tool_calls=[],
                thinking_blocks=[ThinkingBlock(content="hm")],
                tool_chars=3,
            ),
            system_prompt="be brief",
        )
    )
    assert body["messages"] == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hi"},
        {"role": "system", "content": "be kind"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c1", "function": {"name": "add", "arguments": {"x": [1]}}}],
        },
        {"role": "tool", "content": "2", "tool_name": "add", "tool_call_id": "c1"},
        {"role": "assistant", "content": "so"},
    ]


def test_a_results_name_is_found_by_its_id() -> None:
    """The nearest call before it counts; a result that answers nothing has no name."""
    calls = [LLMToolCall(id="c1", name="add", args={}), LLMToolCall(id="c2", name="now", args={})]
    results = [LLMMessage(role="tool", content="", tool_call_id=i) for i in ("c2", "c1", "c3", None)]
    body = body_of(ask(LLMMessage(role="assistant", content="", tool_calls=calls), *results))
    assert [m.get("tool_name") for m in body["messages"][1:]] == ["now", "add", None, None]
    assert [m.get("tool_call_id") for m in body["messages"][1:]] == ["c2", "c1", "c3", None]


def test_failed_calls_and_their_refusals_are_text() -> None:
    """The refusal comes behind the results of its turn, so that these follow their call."""
    failure = ToolArgumentsFailure(reason="invalid-json")
    broken = LLMToolCall(id="c1", name="add", args={}, arguments_failure=failure)
    body = body_of(
        ask(
            LLMMessage(role="assistant", content="", tool_calls=[broken, LLMToolCall(id="c2", name="now", args={})]),
            LLMMessage(role="tool", content="refused", tool_call_id="c1", tool_arguments_failure=failure),
            LLMMessage(role="tool", content="noon", tool_call_id="c2"),
            LLMMessage(role="user", content="go on"),
        )
    )
    turn, *rest = body["messages"]
    assert [call["id"] for call in turn["tool_calls"]] == ["c2"]
    assert all(word in turn["content"] for word in ("c1", "add", "invalid-json"))
    assert [(m["role"], m["content"]) for m in rest] == [("tool", "noon"), ("user", "refused"), ("user", "go on")]


def test_guarantees_are_refused_before_anything_is_sent() -> None:
    """This wire has no place for a forced choice or a schema; a choice among no tools is none."""
    vendor = Vendor(said("ok", done=True))
    choice = ToolChoice(name="add")
    for request, error in (
        (ask(tools=[TOOL], tool_choice=choice), UnsupportedToolChoiceError),
        (ask(output_format=OutputFormat(schema={})), UnsupportedNativeOutputError),
    ):
        with pytest.raises(error):
            asyncio.run(ollama(vendor).complete(request))
        with pytest.raises(error):
            asyncio.run(read(ollama(vendor), request))
    assert vendor.requests == []
    assert body_of(ask(tool_choice=choice)) == body_of()


@pytest.mark.parametrize("base_url", ["http://vendor", "http://vendor/", "http://vendor/v1", "vendor/v1/", " vendor "])
def test_every_spelling_of_the_address_is_the_same(base_url: str) -> None:
    """A configuration that was written for the compatible endpoint works."""
    vendor = Vendor(said("ok", done=True))
    asyncio.run(ollama(vendor, base_url=base_url).complete(ask()))
    assert str(vendor.requests[0].url) == "http://vendor/api/chat"


def test_a_key_goes_as_a_bearer_token() -> None:
    """The server needs none; what stands in front of it may."""
    vendor = Vendor(said("ok", done=True))
    asyncio.run(ollama(vendor).complete(ask()))
    asyncio.run(ollama(vendor, api_key="sk-1").complete(ask()))
    assert [request.headers.get("authorization") for request in vendor.requests] == [None, "Bearer sk-1"]


# ---- the answer


def test_both_ways_read_the_same() -> None:
    """Text, calls, thinking, counts and the reason; there is no id of the answer."""
    document = ended(content="hello", thinking="hm", tool_calls=[call(id="c1"), call("now", {}, id="c2")])
    for answer in answers(document):
        assert answer == LLMResponse(
            content="hello",
            tool_calls=[LLMToolCall(id="c1", name="add", args={"x": 1}), LLMToolCall(id="c2", name="now", args={})],
            usage=Usage(input=26, output=11),
            stop_reason="tool_use",
            raw_thinking={"kind": "field", "thinking": "hm"},
            wire_manifest=WireToolManifest(tool_names=[]),
        )


def test_counts_that_are_absent_are_zero() -> None:
    """The server leaves out what it has served from its cache."""
    for answer in answers(said("ok", done=True, eval_count=3)):
        assert answer.usage == Usage(input=0, output=3)


@pytest.mark.parametrize(
    ("word", "reason"), [("stop", "stop"), ("length", "max_tokens"), ("load", "load"), (None, "stop")]
)
def test_reasons_are_translated(word: str | None, reason: str) -> None:
    """An ordinary end with calls is an end for tool use; other words stay."""
    for answer in answers(said("ok", done=True, done_reason=word)):
        assert answer.stop_reason == reason
    with_calls = said(done=True, done_reason=word, tool_calls=[call()])
    assert [a.stop_reason for a in answers(with_calls)] == ["tool_use" if reason == "stop" else reason] * 2


@pytest.mark.parametrize(
    ("arguments", "args", "failure"),
    [
        ({"ü": [1.5, None], "n": {"x": 10**20}}, {"ü": [1.5, None], "n": {"x": 10**20}}, None),
        ('{"x": 1}', {"x": 1}, None),
        ("", {}, None),
        ("{broken", {}, "invalid-json"),
        ("[1]", {}, "invalid-argument-shape"),
        ([1], {}, "invalid-argument-shape"),
    ],
)
def test_arguments_are_objects_and_text_is_tolerated(arguments: Any, args: Any, failure: str | None) -> None:
    """Text follows the rules for argument text."""
    for answer in answers(said(done=True, tool_calls=[call(arguments=arguments, id="c1")])):
        (got,) = answer.tool_calls
        assert (got.args, got.arguments_failure and got.arguments_failure.reason) == (args, failure)


def test_missing_ids_are_invented_and_given_ones_kept() -> None:
    """Invented ids count on over the life of the provider, and pass over those of the conversation."""
    provider = ollama(Vendor(said(done=True, tool_calls=[call(), call(id="c1"), call()])))
    old = LLMToolCall(id="ollama-call-2", name="add", args={})
    request = ask(LLMMessage(role="assistant", content="", tool_calls=[old]))
    given = [[c.id for c in asyncio.run(provider.complete(request)).tool_calls] for _ in range(2)]
    assert given == [["ollama-call-1", "c1", "ollama-call-3"], ["ollama-call-4", "c1", "ollama-call-5"]]


def test_answers_that_are_none_raise() -> None:
    """An error with status 200, another JSON object, a page."""
    documents: list[Any] = [{"error": "model failed to load"}, {}, [], {"message": "hi"}, b"<html>welcome</html>"]
    for document in documents:
        with pytest.raises(ProviderError, match=r"\[ollama\]"):
            complete(document)
    with pytest.raises(ProviderError, match="failed to load"):
        complete({"error": "model failed to load"})


# ---- thinking


def blocks_of(raw: Any) -> list[str]:
    """Return the contents of the blocks that the handler reads."""
    return [block.content for block in ollama(Vendor()).thinking_handler.normalize(raw)]


def test_thinking_of_the_field_is_no_content() -> None:
    """In a stream it comes as thinking chunks, before the text of the same line."""
    chunks = stream(said(thinking="a"), said("x", thinking=" b"), said("y"), ended())
    assert [(c.thinking_delta, c.content) for c in chunks] == [
        ("a", ""),
        (" b", ""),
        (None, "x"),
        (None, "y"),
        (None, ""),
    ]
    assert [c.token_index for c in chunks] == [0, 1, 2, 3, 4]
    response = chunks[-1].response
    assert response is not None
    assert (response.content, response.raw_thinking) == ("xy", {"kind": "field", "thinking": "a b"})
    assert blocks_of(response.raw_thinking) == ["a b"]


@pytest.mark.parametrize(
    ("content", "blocks"),
    [("<think>a\nb</think>so", ["a\nb"]), ("<think>a", ["a"]), ("<think></think>x<think>b</think>", ["b"])],
)
def test_thinking_between_tags_stays_in_the_content(content: str, blocks: list[str]) -> None:
    """The adapter edits no answer; the handler finds the thinking in it."""
    for answer in answers(said(content, done=True)):
        assert (answer.content, answer.raw_thinking) == (content, {"kind": "inline", "content": content})
        assert blocks_of(answer.raw_thinking) == blocks


@pytest.mark.parametrize("raw", [None, "x", [], {}, {"kind": "field"}, {"kind": "inline", "content": 1}, {"kind": "x"}])
def test_the_handler_knows_nothing_of_other_shapes(raw: Any) -> None:
    """They give no blocks."""
    assert blocks_of(raw) == []


def test_the_handler_serves_the_provider_under_its_name() -> None:
    """A renamed provider's thinking is still this wire's."""
    assert ollama(Vendor(), name="local").thinking_handler.provider_names == ("ollama", "local")
