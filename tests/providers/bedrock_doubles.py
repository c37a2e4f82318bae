"""What Bedrock says, and the adapter that talks to it in process."""

from __future__ import annotations

from typing import Any

import httpx

from agentports.ports import LLMMessage, LLMRequest
from agentports.providers import BedrockConverseProvider
from agentports.sim import SimulatedTransport, Turn, Upstream, wire_named
from tests.providers import anthropic_doubles
from tests.providers.anthropic_doubles import KEY, USER

DEFAULT_MODEL = "anthropic.claude-sonnet-4-5-20250929-v1:0"


class Service(anthropic_doubles.Service):
    """The simulated vendor, and the adapter on it."""

    def __init__(self, *answers: Any, **options: Any) -> None:
        self.upstream = Upstream(wire_named("bedrock-converse"))
        self.upstream.play(*(answers or (Turn.of("fine"),)))
        client = httpx.AsyncClient(transport=SimulatedTransport(self.upstream))
        usual = {"api_key": KEY, "base_url": "http://vendor", "client": client}
        self.provider = BedrockConverseProvider(**{**usual, **options})  # type: ignore[assignment]


def ask(*messages: LLMMessage, **fields: Any) -> LLMRequest:
    """Build a request, of one user message where none is given."""
    return LLMRequest(**{"model": "bedrock", "messages": list(messages or [USER]), **fields})


def body(*messages: LLMMessage, options: Any = None, **fields: Any) -> dict[str, Any]:
    """The body of a request, which is the same for a stream."""
    service = Service(**(options or {}))
    service.complete(ask(*messages, **fields))
    service.stream(ask(*messages, **fields))
    whole, streamed = service.bodies
    assert streamed == whole
    return whole
