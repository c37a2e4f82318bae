"""A vendor's adapter behind a relay's wire, and a relay's client where a provider is asked for."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import httpx
import pytest

from agentports import ports
from agentports.ports import (
    AbortController,
    LLMMessage,
    LLMRequest,
    LLMResponse,
    LLMToolCall,
    LLMToolSchema,
    OutputFormat,
    ThinkingIntent,
    ToolChoice,
    Usage,
)
from agentports.ports.http import (
    Message,
    ProviderAbortError,
    ProviderDelta,
    ProviderError,
    ProviderResult,
    ProviderStreamOptions,
    TokenUsage,
    ToolCall,
    ToolDefinition,
)
from agentports.providers import OpenAIChatProvider, ScriptedProvider
from agentports.relay import as_http_provider, as_llm_provider
from agentports.sim import SimulatedTransport, Turn, Upstream
from agentports.sim import ToolCall as TurnCall
from agentports.sim.wires import wire_named

SAY = [Message(id="1", role="user", content="hi")]
ADD = ToolDefinition(name="add", description="adds", parameters={"type": "object", "properties": {}})


def run(main: Any) -> Any:
    """The result of a coroutine."""
    return asyncio.run(main)


async def drained(provider: Any, messages: Any = SAY, **given: Any) -> list[Any]:
    """All items of a stream."""
    signal = given.pop("signal", None) or AbortController().signal
    return [item async for item in provider.stream(messages, signal, **given)]


async def adapter(turn: Turn) -> tuple[OpenAIChatProvider, Upstream]:
    """A vendor's adapter, and the simulated vendor that it asks."""
    upstream = Upstream(wire_named("openai-chat"))
    upstream.play(turn)
    client = httpx.AsyncClient(transport=SimulatedTransport(upstream))
    return OpenAIChatProvider(api_key="k", base_url="http://vendor/v1", client=client), upstream


def test_a_vendors_adapter_serves_as_a_provider_over_http() -> None:
    """Deltas, then the result with calls and usage; what the vendor is asked is the conversation."""

    async def main() -> None:
        llm, upstream = await adapter(Turn.of("Hello there", TurnCall("call_1", "add", {"x": 1})))
        messages = [Message(id="0", role="system", content="be brief"), *SAY]
        *deltas, result = await drained(as_http_provider(llm, model="gpt-4o"), messages, tools=[ADD])
        assert "".join(delta.text for delta in deltas) == "Hello there"
        assert result.content == "Hello there"
        assert result.tools == [ToolCall(id="call_1", name="add", arguments={"x": 1})]
        assert result.usage is not None
        assert result.usage.total == result.usage.prompt + result.usage.completion
        sent = upstream.requests[0].json
        assert [message["role"] for message in sent["messages"]] == ["system", "user"]
        assert sent["tools"][0]["function"]["name"] == "add"

    run(main())


def test_a_tool_round_keeps_calls_and_answers_together() -> None:
    """A tool message answers the call that it states, that has its id, or that waits."""

    async def main() -> list[Any]:
        calls = [ToolCall(id=id, name=name, arguments={}) for id, name in (("a", "one"), ("b", "two"), ("c", "three"))]
        answers = [
            Message(id="m", role="tool", content="to b", calls=[calls[1]]),
            Message(id="c", role="tool", content="to c"),
            Message(id="n", role="tool", content="to a"),
        ]
        llm = ScriptedProvider([LLMResponse(content="ok", usage=Usage(), stop_reason="stop")])
        asked = Message(id="2", role="assistant", content="", calls=calls)
        await drained(as_http_provider(llm, model="m"), [*SAY, asked, *answers])
        return llm.requests[0].messages

    told = run(main())
    assert [(message.tool_call_id, message.tool_name) for message in told[2:]] == [
        ("b", "two"),
        ("c", "three"),
        ("a", "one"),
    ]


def test_wishes_become_intents() -> None:
    """think asks for a budget, schema for an output format, and neither stands where neither was given."""

    async def main() -> list[Any]:
        answer = LLMResponse(content="ok", usage=Usage(), stop_reason="stop")
        llm = ScriptedProvider([answer, answer])
        bridged = as_http_provider(llm, model="m", thinking_budget=99)
        await drained(bridged, options=ProviderStreamOptions(think=True, schema={"type": "object"}))
        await drained(bridged, options=ProviderStreamOptions(think=False))
        return llm.requests

    first, second = run(main())
    assert first.thinking == ThinkingIntent(budget=99)
    assert first.output_format == OutputFormat(schema={"type": "object"})
    assert (second.thinking, second.output_format) == (None, None)


def test_images_are_refused_rather_than_dropped() -> None:
    """The provider port has no place for them."""
    llm = ScriptedProvider([])
    seen = [Message(id="1", role="user", content="look", images=["data"])]
    with pytest.raises(ProviderError, match="no images") as caught:
        run(drained(as_http_provider(llm, model="m"), seen))
    assert (caught.value.code, llm.calls) == ("PROTOCOL", [])


def test_a_provider_that_cannot_stream_gives_one_delta() -> None:
    """And the same result."""
    answer = LLMResponse(content="all at once", usage=Usage(input=1, output=2), stop_reason="stop")
    items = run(drained(as_http_provider(ScriptedProvider([answer], streams=False), model="m")))
    usage = TokenUsage(prompt=1, completion=2, total=3)
    assert items == [
        ProviderDelta(channel="content", text="all at once"),
        ProviderResult(content="all at once", usage=usage),
    ]


def test_failures_keep_status_and_cause() -> None:
    """A failure with a status is HTTP, another is PROVIDER."""
    failures = [ports.ProviderError("slow down", status=429), ValueError("odd")]
    llm = ScriptedProvider(failures)
    told = []
    for _ in failures:
        with pytest.raises(ProviderError) as caught:
            run(drained(as_http_provider(llm, model="m")))
        told.append((caught.value.code, caught.value.status, caught.value.cause))
    assert told == [("HTTP", 429, failures[0]), ("PROVIDER", None, failures[1])]


def test_an_abort_carries_what_was_said() -> None:
    """The partial has the deltas so far; before the first step nobody is asked."""

    async def main() -> tuple[ProviderAbortError, int]:
        llm, upstream = await adapter(Turn.of("one two three four"))
        controller, bridged = AbortController(), as_http_provider(llm, model="gpt-4o")
        async with aclosing(bridged.stream(SAY, controller.signal)) as items:  # type: ignore[type-var]
            first = await anext(items)
            controller.abort()
            with pytest.raises(ProviderAbortError) as caught:
                await anext(items)
        assert caught.value.partial.content == first.text  # type: ignore[union-attr]
        with pytest.raises(ProviderAbortError) as before:
            await bridged.generate(SAY, controller.signal)
        return before.value, len(upstream.requests)

    error, requests = run(main())
    assert (error.partial, error.cause, requests) == (ProviderResult(content=""), None, 1)


class Far:
    """A provider over HTTP that plays a script."""

    id, name, format = "1", "far", None

    def __init__(self, *items: Any) -> None:
        self.items, self.asked = items, list[Any]()

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        self.asked.append((messages, tools, options))
        for item in self.items:
            if isinstance(item, Exception):
                raise item
            yield item

    async def generate(self, *given: Any) -> Any:
        raise NotImplementedError


def ask(**stated: Any) -> LLMRequest:
    """A request."""
    return LLMRequest(model="m", messages=[LLMMessage(role="user", content="hi")], **stated)


def test_a_provider_over_http_serves_as_a_provider_port() -> None:
    """Chunks with rising indices, the last with the response; complete gives that response."""
    result = ProviderResult(
        content="ab",
        thinking="t",
        tools=[ToolCall(id="c", name="add", arguments={"x": 1})],
        usage=TokenUsage(prompt=3, completion=4, total=7),
    )
    far = Far(ProviderDelta(channel="thinking", text="t"), ProviderDelta(channel="content", text="ab"), result)
    provider: Any = as_llm_provider(far)

    async def main() -> tuple[list[Any], Any]:
        return [chunk async for chunk in provider.stream(ask())], await provider.complete(ask())

    chunks, response = run(main())
    assert [chunk.token_index for chunk in chunks] == [0, 1, 2]
    assert [(chunk.content, chunk.thinking_delta, chunk.done) for chunk in chunks] == [
        ("", "t", False),
        ("ab", None, False),
        ("", None, True),
    ]
    assert chunks[-1].response == response
    assert (response.content, response.stop_reason, response.raw_thinking) == ("ab", "tool_use", "t")
    assert response.tool_calls == [LLMToolCall(id="c", name="add", args={"x": 1})]
    assert response.usage == Usage(input=3, output=4)


def test_a_request_of_the_port_is_told_in_full() -> None:
    """System prompt, tools, answers of tools, and the wishes that have a place."""
    far = Far(ProviderResult(content=""))
    messages = [
        LLMMessage(role="user", content="hi"),
        LLMMessage(role="assistant", content="", tool_calls=[LLMToolCall(id="c", name="add", args={"x": 1})]),
        LLMMessage(role="tool", content="1", tool_call_id="c", tool_name="add"),
    ]
    request = LLMRequest(
        model="m",
        messages=messages,
        system_prompt="be brief",
        tools=[LLMToolSchema(name="add", description="adds", input_schema={"type": "object"})],
        thinking=ThinkingIntent(budget=5),
        output_format=OutputFormat(schema={"type": "object"}),
    )
    run(as_llm_provider(far).complete(request))
    told, tools, options = far.asked[0]
    assert [message.role for message in told] == ["system", "user", "assistant", "tool"]
    assert told[2].calls == [ToolCall(id="c", name="add", arguments={"x": 1})]
    assert told[3].calls[0].id == "c"
    assert tools == [ToolDefinition(name="add", description="adds", parameters={"type": "object"})]
    assert options == ProviderStreamOptions(think=True, schema={"type": "object"})


def test_guarantees_that_have_no_place_are_refused() -> None:
    """A forced tool choice is not dropped in silence."""
    far = Far()
    with pytest.raises(ports.UnsupportedToolChoiceError):
        run(as_llm_provider(far).complete(ask(tool_choice=ToolChoice(name="add"))))
    assert far.asked == []


def test_failures_of_the_far_side_are_those_of_the_port() -> None:
    """Code and status are kept; an abort there is a failure here, an abort here is an abort."""
    partial = ProviderAbortError(ProviderResult(content=""))
    for error, wanted in ((ProviderError("HTTP", "no", status=401), ("HTTP", 401)), (partial, ("ABORT", None))):
        with pytest.raises(ports.ProviderError) as caught:
            run(as_llm_provider(Far(error)).complete(ask()))
        assert ((caught.value.code, caught.value.status), caught.value.cause) == (wanted, error)
    controller = AbortController()
    controller.abort()
    with pytest.raises(ports.AbortError):
        run(as_llm_provider(Far(partial)).complete(ask(signal=controller.signal)))


def test_there_and_back_is_the_same_answer() -> None:
    """A port bridged twice answers as it does itself."""

    async def main() -> tuple[Any, Any]:
        turn = Turn.of("Hello there", TurnCall("call_1", "add", {"x": 1}))
        direct, _ = await adapter(turn)
        bridged, _ = await adapter(turn)
        twice = as_llm_provider(as_http_provider(bridged, model="gpt-4o"))
        tools = [LLMToolSchema(name="add", description="", input_schema={"type": "object"})]
        return await direct.complete(ask(tools=tools)), await twice.complete(ask(tools=tools))

    direct, twice = run(main())
    for name in ("content", "tool_calls", "stop_reason"):
        assert getattr(twice, name) == getattr(direct, name)
    assert (twice.usage.input, twice.usage.output) == (direct.usage.input, direct.usage.output)
