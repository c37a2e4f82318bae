"""What the adapter for chat completions writes."""

from __future__ import annotations

import asyncio
import copy
import gc
import json
import weakref
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.clients import Clients
from agentports.ports import (
    ArgumentsFailureReason,
    CacheMarker,
    InjectedBy,
    LLMCallHooks,
    LLMMessage,
    LLMRequest,
    LLMToolCall,
    LLMToolSchema,
    NotDispatched,
    OutputFormat,
    PausedCall,
    ProviderError,
    ThinkingBlock,
    ThinkingIntent,
    ToolArgumentsFailure,
    ToolChoice,
    UnsupportedNativeOutputError,
    carried_roles,
    forced_tool_choice_for,
    native_output_schema_for,
)
from agentports.providers import OpenAIChatProvider
from tests.providers.provider_doubles import KEY, Vendor, ask, complete, completion, delta, openai, shown, sse, stream

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True)
TOOLS = st.lists(
    st.builds(
        LLMToolSchema,
        name=NAMES,
        description=st.text(min_size=1),
        input_schema=st.dictionaries(st.text(max_size=5), JSON, max_size=3),
    ),
    max_size=4,
)
TOOL = LLMToolSchema(name="add", description="Adds.", input_schema={"type": "object"})


def bodies(request: LLMRequest, **options: Any) -> list[dict[str, Any]]:
    """Return the bodies of a complete and of a stream call."""
    whole, streamed = Vendor(completion()), Vendor(pieces=[sse(delta("stop"), "[DONE]")])
    complete(whole, request, **options)
    stream(streamed, request, **options)
    return whole.bodies + streamed.bodies


def body(request: LLMRequest, **options: Any) -> dict[str, Any]:
    """Return the body of a complete call, which the stream call's repeats with its own fields behind."""
    whole, streamed = bodies(request, **options)
    assert {key: value for key, value in streamed.items() if key not in ("stream", "stream_options")} == whole
    return whole


def messages(*given_: LLMMessage, **fields: Any) -> list[dict[str, Any]]:
    """Return the messages that a conversation becomes."""
    wire: list[dict[str, Any]] = body(ask(messages=list(given_), **fields))["messages"]
    return wire


def call(call_id: str = "call_a", failure: ArgumentsFailureReason | None = None, **args: Any) -> LLMToolCall:
    """Build a call."""
    broken = ToolArgumentsFailure(reason=failure) if failure else None
    return LLMToolCall(id=call_id, name=f"tool_{call_id}", args=args, arguments_failure=broken)


def result(call_id: str, content: str = "3", *, failure: ArgumentsFailureReason | None = None) -> LLMMessage:
    """Build the result of a call."""
    broken = ToolArgumentsFailure(reason=failure) if failure else None
    return LLMMessage(role="tool", content=content, tool_call_id=call_id, tool_arguments_failure=broken)


def assistant(content: str, *calls: LLMToolCall, **fields: Any) -> LLMMessage:
    """Build an assistant turn."""
    return LLMMessage(role="assistant", content=content, tool_calls=list(calls), **fields)


USER = LLMMessage(role="user", content="hi")


# ---- address, headers, key


def test_one_post_with_json_to_the_wires_path() -> None:
    """One request; the base URL may end in a slash; the key is in its header and nowhere else."""
    vendor = Vendor(completion())
    complete(vendor, base_url="http://vendor/v1/", organization="org-1")
    (request,) = vendor.requests
    assert (request.method, str(request.url)) == ("POST", "http://vendor/v1/chat/completions")
    assert request.headers["content-type"] == "application/json"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["openai-organization"] == "org-1"
    assert KEY not in str(request.url) + request.content.decode()


def test_no_key_writes_no_header() -> None:
    """A server without keys gets none, and no organization either."""
    vendor = Vendor(completion())
    complete(vendor, api_key=None)
    assert not {"authorization", "openai-organization"} & set(vendor.requests[0].headers)


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_key_function_is_asked_once_per_call(kind: str) -> None:
    """Each call is authenticated with the current answer."""
    asked: list[str] = []

    def sync() -> str:
        asked.append(f"rotating-key-{len(asked)}")
        return asked[-1]

    async def asynchronous() -> str:
        await asyncio.sleep(0)
        return sync()

    vendor = Vendor(completion())
    provider = openai(vendor, api_key=sync if kind == "sync" else asynchronous)

    async def go() -> None:
        for _ in range(3):
            await provider.complete(ask())

    asyncio.run(go())
    assert [request.headers["authorization"] for request in vendor.requests] == [f"Bearer {key}" for key in asked]
    assert len(asked) == 3


@pytest.mark.parametrize(
    "key",
    [
        "",
        " ",
        "sk-secret-0123456789\n",
        "sk-secret\n0123456789",
        "sk-secret-0123456789é",
        None,
        b"sk-secret-0123456789",
    ],
)
def test_unusable_key_is_refused_without_sending(key: Any) -> None:
    """What no header can carry is refused before anything is sent, and not printed."""
    vendor = Vendor(completion())
    for ask_for in (complete, stream):
        with pytest.raises(ProviderError, match=r"\[openai\]") as caught:
            ask_for(vendor, api_key=lambda: key)
        assert "secret" not in f"{caught.value!s} {caught.value!r}"
    assert vendor.requests == []


def test_failing_key_function_is_the_callers() -> None:
    """Its exception reaches the caller as it is."""
    vendor = Vendor(completion())

    def broken() -> str:
        raise LookupError("vault is sealed")

    with pytest.raises(LookupError, match="vault is sealed"):
        complete(vendor, api_key=broken)
    assert vendor.requests == []


def test_representation_shows_no_secret() -> None:
    """Neither the key nor a password in the address is shown."""
    provider = OpenAIChatProvider(api_key=KEY, base_url="http://user:password@vendor/v1")
    assert KEY not in repr(provider)
    assert "password" not in repr(provider)
    assert "openai" in repr(provider)


def test_name_must_not_be_empty() -> None:
    """A provider without a name cannot be told from others."""
    with pytest.raises(ValueError, match="name"):
        OpenAIChatProvider(name="")


# ---- model, caps, sampling


@given(NAMES.filter(lambda name: name != "openai"))
@settings(deadline=None, max_examples=20)
def test_model_goes_through_unchanged(model: str) -> None:
    """Any id but the adapter's own name is the vendor's."""
    assert body(ask(model=model))["model"] == model


def test_own_name_is_the_default_model() -> None:
    """The shorthand follows a renamed adapter."""
    assert body(ask())["model"] == "gpt-4o-mini"
    assert body(ask(), model="m")["model"] == "m"
    assert body(ask(model="mine"), name="mine", model="m")["model"] == "m"
    assert body(ask(model="openai"), name="mine", model="m")["model"] == "openai"


def test_minimal_body() -> None:
    """What the request does not say is not written, and empty values say nothing."""
    minimal = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "hi"}]}
    assert body(ask()) == minimal
    assert body(ask(tools=[], stop=[], system_prompt="", cache_markers=[])) == minimal
    assert body(ask(tool_choice=ToolChoice(name="add"))) == body(ask(tool_choice=ToolChoice(name="add"), tools=[]))
    assert body(ask(tool_choice=ToolChoice(name="add"))) == minimal


@pytest.mark.parametrize("temperature", [0, 0.0, 0.7, 2])
def test_temperature_is_written_as_it_is(temperature: float) -> None:
    """Zero is a value."""
    assert body(ask(temperature=temperature))["temperature"] == temperature


@pytest.mark.parametrize(
    ("model", "reasons"),
    [("o1", True), ("o3-mini", True), ("O4-mini", True), ("gpt-4o", False), ("custom-o1", False), ("omega", False)],
)
def test_reasoning_models(model: str, reasons: bool) -> None:
    """An o-series model takes no temperature, and instructions as `developer`, also those within the list."""
    inner = [USER, LLMMessage(role="system", content="inner")]
    sent = body(ask(model=model, temperature=1, system_prompt="outer", messages=inner, max_tokens=9))
    assert ("temperature" in sent) is not reasons
    role = "developer" if reasons else "system"
    assert [message["role"] for message in sent["messages"]] == [role, "user", role]
    assert sent["max_completion_tokens"] == 9
    assert "max_tokens" not in sent


def test_reasoning_option() -> None:
    """The option makes every model one that reasons."""
    sent = body(ask(model="custom", temperature=1, system_prompt="outer"), reasoning=True)
    assert "temperature" not in sent
    assert sent["messages"][0]["role"] == "developer"


def test_output_cap_is_written_once() -> None:
    """The request's cap wins over the adapter's; there is one field for it."""
    assert body(ask(max_tokens=7))["max_completion_tokens"] == 7
    assert body(ask(), max_tokens=5)["max_completion_tokens"] == 5
    assert body(ask(max_tokens=7), max_tokens=5)["max_completion_tokens"] == 7
    assert not [key for key in body(ask()) if "max" in key]
    compatible = body(ask(max_tokens=7), compatible=True)
    assert compatible["max_tokens"] == 7
    assert "max_completion_tokens" not in compatible


def test_stop_sequences() -> None:
    """They go through in order."""
    assert body(ask(stop=["b", "a"]))["stop"] == ["b", "a"]


def test_streaming_fields() -> None:
    """A stream asks for usage at the vendor, and a whole answer has neither field."""
    whole, streamed = bodies(ask())
    assert not {"stream", "stream_options"} & set(whole)
    assert (streamed["stream"], streamed["stream_options"]) == (True, {"include_usage": True})
    _, compatible = bodies(ask(), compatible=True)
    assert compatible["stream"] is True
    assert "stream_options" not in compatible


def test_hints_that_the_wire_has_no_place_for_change_nothing() -> None:
    """Thinking is chosen by the model, caching is automatic; unknown fields of the request are not sent."""
    marker = CacheMarker(field="system", boundary_index=0, reason="stable")
    assert body(ask(thinking=ThinkingIntent(budget=2000), cache_markers=[marker], novelty=1)) == body(ask())


# ---- tools


@given(TOOLS)
@settings(deadline=None, max_examples=30)
def test_tools_are_verbatim(tools: list[LLMToolSchema]) -> None:
    """Name, description and schema arrive equal, in order; the manifest is read from the body."""
    vendor = Vendor(completion())
    response = complete(vendor, ask(tools=tools))
    sent = vendor.bodies[0].get("tools", [])
    expected = [(tool.name, tool.description, tool.input_schema) for tool in tools]
    assert [tool["type"] for tool in sent] == ["function"] * len(tools)
    assert [tuple(tool["function"][key] for key in ("name", "description", "parameters")) for tool in sent] == expected
    assert response.wire_manifest is not None
    assert response.wire_manifest.tool_names == [tool.name for tool in tools]
    assert response.wire_manifest.output_format is None


def test_manifest_is_the_bodys_not_the_requests() -> None:
    """A variant that drops a tool on the way shows it; the stream states one too, and no tools is a stated zero."""

    class Dropping(OpenAIChatProvider):
        def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
            fields = super().tool_fields(request)
            return fields | {"tools": fields["tools"][1:], "response_format": {"type": "json_schema"}}

    other = LLMToolSchema(name="sub", description="Subtracts.", input_schema={})
    whole = Vendor(completion())
    provider = Dropping(api_key=KEY, base_url="http://vendor", client=whole.client)
    manifest = asyncio.run(provider.complete(ask(tools=[TOOL, other]))).wire_manifest
    assert manifest is not None
    assert (manifest.tool_names, manifest.output_format) == (["sub"], "json_schema")
    last = stream(Vendor(pieces=[sse(delta("stop"))]))[-1].response
    assert last is not None
    assert last.wire_manifest is not None
    assert last.wire_manifest.tool_names == []


def test_forced_choice() -> None:
    """The dialect of this wire, also behind a server for which the capability is not claimed."""
    request = ask(tools=[TOOL], tool_choice=ToolChoice(name="add"))
    for options in ({}, {"compatible": True}):
        for sent in bodies(request, **options):
            assert sent["tool_choice"] == {"type": "function", "function": {"name": "add"}}


def test_output_format_is_refused_before_sending() -> None:
    """Both methods refuse, naming provider and the resolved model, and ask for no key."""
    request = ask(output_format=OutputFormat(schema={"type": "object"}))
    vendor = Vendor(completion())

    def key() -> str:
        raise AssertionError("the key was asked for")

    for ask_for in (complete, stream):
        with pytest.raises(UnsupportedNativeOutputError) as caught:
            ask_for(vendor, request, api_key=key)
        assert (caught.value.provider, caught.value.model) == ("openai", "gpt-4o-mini")
    assert vendor.requests == []


def test_capabilities() -> None:
    """What the wire carries is declared; thinking and caching are not, nor a forced choice in compatible mode."""
    provider, compatible = OpenAIChatProvider(), OpenAIChatProvider(compatible=True)
    assert carried_roles(provider) == ("system", "user", "assistant")
    assert forced_tool_choice_for(provider, "any")
    assert not hasattr(compatible, "carries_forced_tool_choice")
    assert not native_output_schema_for(provider, "any")
    for absent in ("thinking_handler", "thinking_mode", "prompt_caching", "supports_forced_tool_choice"):
        assert not hasattr(provider, absent)


# ---- messages


def test_system_texts_keep_their_places() -> None:
    """The system prompt is first; system messages stay where they are."""
    system = LLMMessage(role="system", content="inner")
    assert messages(USER, system, assistant("yes"), system, USER, system_prompt="outer") == [
        {"role": "system", "content": "outer"},
        {"role": "user", "content": "hi"},
        {"role": "system", "content": "inner"},
        {"role": "assistant", "content": "yes"},
        {"role": "system", "content": "inner"},
        {"role": "user", "content": "hi"},
    ]


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=4))
@settings(deadline=None, max_examples=50)
def test_calls_are_json_text(args: dict[str, Any]) -> None:
    """The arguments parse to what the call holds."""
    sent = messages(USER, assistant("", call("call_a").model_copy(update={"args": args})), result("call_a"))
    (wire_call,) = sent[1]["tool_calls"]
    assert (wire_call["id"], wire_call["type"], wire_call["function"]["name"]) == ("call_a", "function", "tool_call_a")
    assert json.loads(wire_call["function"]["arguments"]) == args


def test_turns_with_calls_and_results() -> None:
    """Content is null when it is empty and there are calls; results are one message each, in their order."""
    sent = messages(USER, assistant("", call("a"), call("b")), result("b", "2"), result("a", ""), assistant(""))
    assert sent[1]["content"] is None
    assert [wire_call["id"] for wire_call in sent[1]["tool_calls"]] == ["a", "b"]
    assert sent[2:] == [
        {"role": "tool", "tool_call_id": "b", "content": "2"},
        {"role": "tool", "tool_call_id": "a", "content": ""},
        {"role": "assistant", "content": ""},
    ]
    assert messages(USER, assistant("so", call("a")), result("a"))[1]["content"] == "so"


def test_failed_call_becomes_text() -> None:
    """The failed call and its refusal are text, behind the results of the calls that stay."""
    history = [
        USER,
        assistant("let me see", call("bad", "invalid-json"), call("good", x=1)),
        result("bad", "the arguments were broken", failure="invalid-json"),
        result("good"),
        USER,
    ]
    sent = messages(*history)
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "user", "user"]
    assert [wire_call["id"] for wire_call in sent[1]["tool_calls"]] == ["good"]
    assert sent[1]["content"].startswith("let me see\n\n")
    assert all(word in sent[1]["content"] for word in ("bad", "tool_bad", "invalid-json"))
    assert (sent[2]["tool_call_id"], sent[3]["content"]) == ("good", "the arguments were broken")


def test_turn_of_failed_calls_alone() -> None:
    """Nothing of such a turn is a call, and a refusal without a mark of its own is recognised by its id."""
    sent = messages(USER, assistant("", call("bad", "incomplete-stream")), result("bad", "refused"))
    assert [sorted(message) for message in sent] == [["content", "role"]] * 3
    assert "incomplete-stream" in sent[1]["content"]
    assert sent[2] == {"role": "user", "content": "refused"}


def test_refusal_is_recognised_by_its_mark() -> None:
    """Also where its call is not in the conversation any more."""
    sent = messages(USER, result("gone", "refused", failure="invalid-json"), USER)
    assert sent[1] == {"role": "user", "content": "refused"}


def test_only_known_fields_are_written() -> None:
    """Framework fields, thinking and the ephemeral mark stay at home; an ephemeral message is sent."""
    marks: dict[str, Any] = {
        "ephemeral": True,
        "injected_by": InjectedBy(injection_id="leak-1", flavor="leak-2", iteration=1),
        "tool_chars": 77_177,
        "folded_exempt": ["leak-3"],
        "not_dispatched": NotDispatched(paused_call=PausedCall(tool_call_id="leak-4", tool_name="leak-5")),
        "thinking_blocks": [ThinkingBlock(content="leak-6", signature="leak-7")],
    }
    meta = call("a").model_copy(update={"provider_meta": {"leak-8": "leak-9"}})
    plain = [USER, assistant("x", call("a")), result("a"), LLMMessage(role="system", content="s")]
    marked = [message.model_copy(update=marks) for message in [USER, assistant("x", meta), *plain[2:]]]
    assert messages(*marked) == messages(*plain)


@given(st.text())
@settings(deadline=None, max_examples=50)
def test_text_goes_unchanged(text: str) -> None:
    """Whatever the text holds, it arrives."""
    assert messages(LLMMessage(role="user", content=text))[0]["content"] == text


def test_lone_surrogates_are_escaped() -> None:
    """Half a surrogate pair, for which UTF-8 has no form, is written as an escape beside ordinary text."""
    vendor = Vendor(completion())
    complete(vendor, ask("\ud83d é"))
    assert vendor.bodies[0]["messages"][0]["content"] == "\ud83d é"
    assert vendor.requests[0].content.isascii()


def test_body_is_utf8() -> None:
    """Ordinary text is not escaped."""
    vendor = Vendor(completion())
    complete(vendor, ask("é😀"))
    assert "é😀".encode() in vendor.requests[0].content


def test_numbers_that_are_not_json_are_refused() -> None:
    """They would make the body something that no vendor reads."""
    vendor = Vendor(completion())
    with pytest.raises(ValueError, match="JSON"):
        complete(vendor, ask(temperature=float("nan")))
    with pytest.raises(ValueError, match="JSON"):
        complete(vendor, ask(messages=[USER, assistant("", call("a", x=float("inf"))), result("a")]))
    assert vendor.requests == []


def test_request_is_not_changed() -> None:
    """Neither method edits the request or anything inside it."""
    request = ask(
        messages=[USER, assistant("", call("a", x=[1]), call("b", "invalid-json")), result("a"), result("b")],
        tools=[TOOL],
        tool_choice=ToolChoice(name="add"),
        stop=["x"],
        system_prompt="s",
    )
    before = copy.deepcopy(request)
    bodies(request)
    assert request == before


def test_hooks_may_be_given_in_any_way() -> None:
    """None, empty, by position or by keyword."""

    async def go() -> None:
        provider = openai(Vendor(completion()))
        streaming = openai(Vendor(pieces=[sse(delta("stop"))]))
        for args, named in [((), {}), ((None,), {}), ((LLMCallHooks(),), {}), ((), {"hooks": LLMCallHooks()})]:
            assert (await provider.complete(ask(), *args, **named)).content == "hello"
            assert [chunk.done async for chunk in streaming.stream(ask(), *args, **named)] == [True]

    asyncio.run(go())


# ---- clients


def test_given_client_stays_open() -> None:
    """Closing the provider does not close what it was given."""
    vendor = Vendor(completion())

    async def go() -> None:
        provider = openai(vendor)
        await provider.complete(ask())
        await provider.aclose()
        assert not vendor.client.is_closed

    asyncio.run(go())


def test_timeout_of_the_provider_is_the_requests() -> None:
    """A timeout goes onto each request; without one the client's own holds."""
    vendor = Vendor(completion())
    complete(vendor, timeout=3.0)
    complete(vendor, timeout=httpx.Timeout(2.0, read=9.0))
    complete(vendor)
    assert [request.extensions["timeout"]["read"] for request in vendor.requests] == [3.0, 9.0, 5.0]


class Counting(OpenAIChatProvider):
    """Counts the clients that it makes."""

    made: list[httpx.AsyncClient]

    def new_client(self) -> httpx.AsyncClient:
        vendor = Vendor(completion())
        self.made.append(vendor.client)
        return vendor.client


def test_own_client_is_made_at_the_first_call_for_each_loop() -> None:
    """One client for each event loop, closed with it, and made again after aclose."""
    provider = Counting()
    provider.made = []

    async def twice() -> None:
        await asyncio.gather(provider.complete(ask()), provider.complete(ask()))

    asyncio.run(twice())
    asyncio.run(twice())
    assert [client.is_closed for client in provider.made] == [True, True]

    async def closing() -> None:
        await provider.complete(ask())
        await provider.aclose()
        assert provider.made[-1].is_closed
        await provider.aclose()
        await provider.complete(ask())

    asyncio.run(closing())
    assert [client.is_closed for client in provider.made] == [True] * 4


def test_clients_of_closed_loops_are_dropped() -> None:
    """A provider that lives longer than its loops keeps nothing of them."""
    clients = Clients(lambda: Vendor().client)

    async def client() -> weakref.ref[httpx.AsyncClient]:
        return weakref.ref(await clients.get())

    first = asyncio.run(client())
    asyncio.run(client())
    gc.collect()
    assert first() is None


def test_own_client_trusts_nobody_over_plain_http() -> None:
    """Certificates are loaded for https alone; the defaults are those of a model that thinks for minutes."""

    async def go() -> None:
        for url in ("http://vendor", "https://vendor"):
            client = OpenAIChatProvider(base_url=url).new_client()
            assert client.timeout == httpx.Timeout(600.0, connect=10.0)
            await client.aclose()
        client = OpenAIChatProvider(base_url="http://vendor", timeout=4.0).new_client()
        assert client.timeout == httpx.Timeout(4.0)
        await client.aclose()

    asyncio.run(go())


def test_nothing_is_shown_by_a_failure_before_sending() -> None:
    """A body that cannot be written fails without the key in any frame that a report shows with its locals."""
    vendor = Vendor(completion())
    request = ask(tools=[TOOL.model_copy(update={"input_schema": {"x": object()}})])
    with pytest.raises(TypeError) as caught:
        complete(vendor, request)
    assert KEY not in shown(caught.value, with_locals=True)


def test_streams_of_one_provider_are_independent() -> None:
    """Two streams, advanced in turn, give each its own answer."""
    answers = iter([("a", "b"), ("x", "y")])

    def handler(request: httpx.Request) -> httpx.Response:
        texts = next(answers)
        content = sse(*[delta(content=text) for text in texts], delta("stop"), "[DONE]")
        return httpx.Response(200, content=content, headers={"content-type": "text/event-stream"})

    async def go() -> list[str]:
        provider = openai(Vendor(handler=handler))
        first, second = provider.stream(ask()), provider.stream(ask())
        said = []
        for _ in range(3):
            said += [(await anext(first)).content, (await anext(second)).content]
        return said

    assert asyncio.run(go()) == ["a", "x", "b", "y", "", ""]
