"""Answers of Gemini, and ways to ask the adapter for them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx

from agentports.ports import LLMChunk, LLMMessage, LLMResponse, LLMToolCall, LLMToolSchema
from agentports.providers import GeminiProvider
from tests.providers.provider_doubles import KEY, Vendor, read, sse
from tests.providers.provider_doubles import ask as ask_any

TOOL = LLMToolSchema(name="add", description="Adds.", input_schema={"type": "object", "properties": {"ü": {}}})
SIGNATURE = "Q2lRQg=="
USER = LLMMessage(role="user", content="hi")


def ask(*messages: LLMMessage, **fields: Any) -> Any:
    """Build a request."""
    return ask_any(**{"model": "gemini-2.5-flash", **({"messages": list(messages)} if messages else {}), **fields})


def call_message(*calls: LLMToolCall, content: str = "") -> LLMMessage:
    """An assistant turn with calls."""
    return LLMMessage(role="assistant", content=content, tool_calls=list(calls))


def result_message(content: str, call_id: str | None = "a", name: str | None = "add", **fields: Any) -> LLMMessage:
    """The result of a call."""
    return LLMMessage(role="tool", content=content, tool_call_id=call_id, tool_name=name, **fields)


def candidate(*parts: dict[str, Any], reason: str | None = "STOP", **fields: Any) -> dict[str, Any]:
    """Build an answer, or an event of a stream, whose candidate has these parts."""
    end = {} if reason is None else {"finishReason": reason}
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, **end}], **fields}


def call(name: str = "add", signature: Any = None, **fields: Any) -> dict[str, Any]:
    """Build the part of a call."""
    beside = {} if signature is None else {"thoughtSignature": signature}
    return {"functionCall": {"name": name, "args": {"x": 1}, **fields}, **beside}


def gemini(vendor: Vendor, **options: Any) -> GeminiProvider:
    """Build the adapter that talks to a vendor."""
    return GeminiProvider(**{"base_url": "http://vendor", "api_key": KEY, "client": vendor.client, **options})


def complete(document: Any, request: Any = None, **options: Any) -> LLMResponse:
    """Ask once; the vendor answers with this."""
    return asyncio.run(gemini(Vendor(document), **options).complete(request or ask()))


def stream(*events: Any, request: Any = None, **options: Any) -> list[LLMChunk]:
    """Ask once for a stream of these events."""
    return asyncio.run(read(gemini(Vendor(pieces=[sse(*events)]), **options), request or ask()))


def answers(document: dict[str, Any], request: Any = None, **options: Any) -> list[LLMResponse]:
    """What both ways give for one answer; as a stream it is a single event."""
    last = stream(document, request=request, **options)[-1].response
    assert last is not None
    return [complete(document, request, **options), last]


def sent(request: Any = None, *, streaming: bool = False, **options: Any) -> httpx.Request:
    """The HTTP request that a request becomes."""
    answer = candidate({"text": "ok"})
    vendor = Vendor(pieces=[sse(answer)]) if streaming else Vendor(answer)
    provider = gemini(vendor, **options)
    asyncio.run(read(provider, request or ask()) if streaming else provider.complete(request or ask()))
    return vendor.requests[0]


def body_of(request: Any = None, **options: Any) -> dict[str, Any]:
    """The body that a request becomes; both ways have the same."""
    bodies = [json.loads(sent(request, streaming=streaming, **options).content) for streaming in (False, True)]
    assert bodies[0] == bodies[1]
    first: dict[str, Any] = bodies[0]
    return first
