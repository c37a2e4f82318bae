"""Simulated streams through an adapter, beside a reader that only takes the same bytes apart into lines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import httpx
import pytest

from agentports import providers
from agentports.ports import LLMMessage, LLMRequest
from agentports.sim import SimulatedTransport, ToolCall, Turn, Upstream, wire_named
from tests.benchmarks.measuring import in_turns

_ADAPTERS = {
    "openai-chat": (providers.OpenAIChatProvider, "gpt-4o-mini"),
    "openai-responses": (providers.OpenAIResponsesProvider, "gpt-4o-mini"),
    "anthropic-messages": (providers.AnthropicMessagesProvider, "claude-sonnet-4-5"),
    "bedrock-converse": (providers.BedrockConverseProvider, "anthropic.claude-sonnet-4-5-20250929-v1:0"),
    "gemini": (providers.GeminiProvider, "gemini-2.5-flash"),
    "ollama": (providers.OllamaProvider, "llama3.2"),
}
_STREAMS = 50
_TURNS = {
    "a word": Turn.of("fine"),
    "a sentence and a call": Turn.of("I shall add them up.", ToolCall("call-1", "add", {"x": 1})),
    "a page": Turn.of(" ".join(f"word{number}" for number in range(200))),
}


class _Prepared(httpx.AsyncByteStream):
    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece


@pytest.mark.parametrize("turn", _TURNS.values(), ids=_TURNS)
@pytest.mark.parametrize("wire_name", _ADAPTERS)
def test_streams_a_second(benchmark: Any, found: Callable[..., None], wire_name: str, turn: Turn) -> None:
    """The simulator, an adapter, JSON and chunks, against lines alone; on bedrock-converse, against bytes alone."""
    loop = asyncio.new_event_loop()
    wire = wire_named(wire_name)
    upstream = Upstream(wire)
    upstream.play(turn)
    client = httpx.AsyncClient(transport=SimulatedTransport(upstream))
    adapter, model = _ADAPTERS[wire_name]
    provider = adapter(base_url=f"http://sim.invalid{wire.base_path}", api_key="sk-simulated", client=client)
    request = LLMRequest(model=model, messages=[LLMMessage(role="user", content="hi")])

    async def through_the_adapter() -> None:
        for _ in range(_STREAMS):
            chunks = [chunk async for chunk in provider.stream(request)]
            assert chunks[-1].done
        upstream.forget()

    async def taken_apart() -> None:
        for _ in range(_STREAMS):
            async with bare.stream("POST", url, content=asked.body, headers=headers) as answer:
                read = [part async for part in (answer.aiter_bytes() if framed else answer.aiter_lines())]
            assert len(read) == parts

    loop.run_until_complete(anext(provider.stream(request)))
    asked, served = upstream.requests[-1], upstream.served[-1]
    pieces = [step for step in served.steps if isinstance(step, bytes)]
    framed = wire_name == "bedrock-converse"
    parts = len(pieces) if framed else len(b"".join(pieces).splitlines())
    url, headers = f"http://sim.invalid{asked.target}", {"content-type": "application/json"}
    prepared = httpx.MockTransport(
        lambda request: httpx.Response(200, headers=list(served.headers), stream=_Prepared(pieces))
    )
    bare = httpx.AsyncClient(transport=prepared)

    ours, alone = in_turns(
        lambda: loop.run_until_complete(through_the_adapter()),
        lambda: loop.run_until_complete(taken_apart()),
        rounds=20,
    )
    found(events=len(pieces), streams_per_s=_STREAMS / ours, bare_per_s=_STREAMS / alone, ratio=alone / ours)
    benchmark.pedantic(lambda: loop.run_until_complete(through_the_adapter()), rounds=5)
    loop.run_until_complete(client.aclose())
    loop.close()
