"""Simulated streams through an adapter, beside a reader that only takes the same bytes apart into lines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import httpx
import pytest

from agentports.ports import LLMMessage, LLMRequest
from agentports.providers import OpenAIChatProvider
from agentports.sim import SimulatedTransport, ToolCall, Turn, Upstream, wire_named
from tests.benchmarks.measuring import in_turns

_URL = "http://sim.invalid/v1"
_REQUEST = LLMRequest(model="gpt-4o-mini", messages=[LLMMessage(role="user", content="hi")])
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
def test_streams_a_second(benchmark: Any, found: Callable[..., None], turn: Turn) -> None:
    """The simulator, an adapter, JSON and chunks, against lines alone."""
    loop = asyncio.new_event_loop()
    upstream = Upstream(wire_named("openai-chat"))
    upstream.play(turn)
    client = httpx.AsyncClient(transport=SimulatedTransport(upstream))
    provider = OpenAIChatProvider(base_url=_URL, api_key="sk-simulated", client=client)

    async def through_the_adapter() -> None:
        for _ in range(_STREAMS):
            chunks = [chunk async for chunk in provider.stream(_REQUEST)]
            assert chunks[-1].done
        upstream.forget()

    async def line_by_line() -> None:
        for _ in range(_STREAMS):
            async with bare.stream("POST", f"{_URL}/chat/completions", content=body, headers=headers) as answer:
                lines = [line async for line in answer.aiter_lines()]
            assert lines[-2] == "data: [DONE]"

    loop.run_until_complete(anext(provider.stream(_REQUEST)))
    pieces = [step for step in upstream.served[-1].steps if isinstance(step, bytes)]
    body, headers = upstream.requests[-1].body, {"content-type": "application/json"}
    stream_head = {"content-type": "text/event-stream"}
    prepared = httpx.MockTransport(lambda request: httpx.Response(200, headers=stream_head, stream=_Prepared(pieces)))
    bare = httpx.AsyncClient(transport=prepared)

    ours, lines = in_turns(
        lambda: loop.run_until_complete(through_the_adapter()),
        lambda: loop.run_until_complete(line_by_line()),
        rounds=20,
    )
    found(events=len(pieces), streams_per_s=_STREAMS / ours, bare_per_s=_STREAMS / lines, ratio=lines / ours)
    benchmark.pedantic(lambda: loop.run_until_complete(through_the_adapter()), rounds=5)
    loop.run_until_complete(client.aclose())
    loop.close()
