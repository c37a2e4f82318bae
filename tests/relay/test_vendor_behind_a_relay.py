"""A vendor's adapter behind a relay, and the relay's client where an adapter is asked for: end to end over sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from agentports.ports import AbortController, LLMMessage, LLMRequest
from agentports.ports.http import Message, ProviderDelta, ProviderError, ProviderResult
from agentports.providers import OpenAIChatProvider
from agentports.relay import RelayProvider, as_http_provider, as_llm_provider
from agentports.relay.server import create_relay
from agentports.sim import Answer, SimulatedTransport, Text, Turn, Upstream, VendorError, wire_named

from .serving_in_loop import serving

KEY = "sk-simulated-and-secret"
ASKED = Message(id="1", role="user", content="hello")


@asynccontextmanager
async def relayed(*answers: Answer) -> AsyncIterator[RelayProvider]:
    """The client of a relay, behind which an adapter asks a simulated vendor."""
    upstream = Upstream(wire_named("openai-chat"))
    upstream.play(*answers)
    async with httpx.AsyncClient(transport=SimulatedTransport(upstream)) as vendor, httpx.AsyncClient() as client:
        adapter = OpenAIChatProvider(api_key=KEY, base_url=upstream.base_url, client=vendor)
        app = create_relay(provider=as_http_provider(adapter, model="gpt-4o"), authorize=lambda request: True)
        async with serving(app) as port:
            yield RelayProvider(f"http://127.0.0.1:{port}/", client=client)


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(main())


def test_what_a_vendor_streams_reaches_the_relays_client() -> None:
    """Deltas as they come, and the settled result with what the vendor counted."""

    async def main() -> None:
        async with relayed(Turn.of(Text("Hello", cuts=(3,)))) as provider:
            items = [item async for item in provider.stream([ASKED], AbortController().signal)]
        assert items[:-1] == [ProviderDelta(channel="content", text="Hel"), ProviderDelta(channel="content", text="lo")]
        assert isinstance(items[-1], ProviderResult)
        assert items[-1].content == "Hello"
        assert items[-1].usage is not None

    run(main)


def test_the_relays_client_serves_as_an_adapter() -> None:
    """Bridged on both sides, an answer is what the vendor said."""

    async def main() -> None:
        async with relayed(Turn.of("Hello")) as provider:
            request = LLMRequest(model="any", messages=[LLMMessage(role="user", content="hello")])
            answer = await as_llm_provider(provider).complete(request)
        assert answer.content == "Hello"

    run(main)


def test_a_vendors_refusal_tells_the_client_nothing() -> None:
    """Neither its words nor the key."""

    async def main() -> None:
        async with relayed(VendorError(status=401, message=f"Incorrect API key provided: {KEY}")) as provider:
            with pytest.raises(ProviderError) as raised:
                await provider.generate([ASKED], AbortController().signal)
        assert (raised.value.code, raised.value.message) == ("PROVIDER", "relay provider failed")

    run(main)
