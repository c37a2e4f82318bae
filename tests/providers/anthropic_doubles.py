"""What Anthropic's service says, and the adapter that talks to it in process."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx

from agentports.ports import LLMChunk, LLMMessage, LLMRequest, LLMResponse, LLMToolCall, ThinkingBlock
from agentports.providers import AnthropicMessagesProvider
from agentports.sim import SimulatedTransport, Turn, Upstream, wire_named

KEY = "sk-ant-secret-0123456789"
USER = LLMMessage(role="user", content="hi")


class Service:
    """The simulated vendor, and the adapter on it."""

    def __init__(self, *answers: Any, **options: Any) -> None:
        self.upstream = Upstream(wire_named("anthropic-messages"))
        self.upstream.play(*(answers or (Turn.of("fine"),)))
        client = httpx.AsyncClient(transport=SimulatedTransport(self.upstream))
        usual = {"api_key": KEY, "base_url": "http://vendor", "client": client}
        self.provider = AnthropicMessagesProvider(**{**usual, **options})

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The bodies that arrived."""
        return [request.json for request in self.upstream.requests]

    def complete(self, request: LLMRequest | None = None, hooks: Any = None) -> LLMResponse:
        """Ask once."""
        return asyncio.run(self.provider.complete(request or ask(), hooks))

    def stream(self, request: LLMRequest | None = None, hooks: Any = None) -> list[LLMChunk]:
        """Ask once for a stream."""

        async def read() -> list[LLMChunk]:
            return [chunk async for chunk in self.provider.stream(request or ask(), hooks)]

        return asyncio.run(read())

    def streamed(self, request: LLMRequest | None = None, hooks: Any = None) -> LLMResponse:
        """The response of a stream."""
        response = self.stream(request, hooks)[-1].response
        assert response is not None
        return response


def ask(*messages: LLMMessage, **fields: Any) -> LLMRequest:
    """Build a request, of one user message where none is given."""
    return LLMRequest(**{"model": "anthropic", "messages": list(messages or [USER]), **fields})


def body(*messages: LLMMessage, options: Any = None, **fields: Any) -> dict[str, Any]:
    """The body of a request, which is the same for a stream but for its own field."""
    service = Service(**(options or {}))
    service.complete(ask(*messages, **fields))
    service.stream(ask(*messages, **fields))
    whole, streamed = service.bodies
    assert streamed == {**whole, "stream": True}
    return whole


def assistant(content: str = "", *calls: LLMToolCall, thinking: Any = None, **fields: Any) -> LLMMessage:
    """Build an assistant turn."""
    return LLMMessage(role="assistant", content=content, tool_calls=list(calls), thinking_blocks=thinking, **fields)


def call(call_id: str = "c1", failure: Any = None, **args: Any) -> LLMToolCall:
    """Build a call."""
    return LLMToolCall(id=call_id, name=f"tool_{call_id}", args=args, arguments_failure=failure)


def result(call_id: str = "c1", content: str = "3", failure: Any = None) -> LLMMessage:
    """Build the result of a call."""
    return LLMMessage(role="tool", content=content, tool_call_id=call_id, tool_arguments_failure=failure)


def thought(content: str = "hm", signature: str | None = "sig") -> ThinkingBlock:
    """Build a block of thinking."""
    return ThinkingBlock(content=content, signature=signature)


def kept(response: LLMResponse) -> LLMMessage:
    """The message that an agent keeps of an answer, through a checkpoint."""
    blocks = AnthropicMessagesProvider().thinking_handler.normalize(response.raw_thinking)
    message = assistant(response.content, *response.tool_calls, thinking=blocks, replay=response.replay)
    return LLMMessage.model_validate(json.loads(message.model_dump_json()))
