"""What OpenAI's responses say, and the adapter that talks to them in process."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from agentports.ports import LLMChunk, LLMMessage, LLMRequest, LLMResponse, LLMToolCall
from agentports.providers import OpenAIResponsesProvider

from .provider_doubles import KEY, Vendor, read

USER = LLMMessage(role="user", content="hi")
COUNTS = {
    "input_tokens": 26,
    "input_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 0},
    "output_tokens": 11,
    "output_tokens_details": {"reasoning_tokens": 2},
}


def provider_of(vendor: Vendor, **options: Any) -> OpenAIResponsesProvider:
    """The adapter that talks to a vendor."""
    usual: dict[str, Any] = {"api_key": KEY, "base_url": "http://vendor/v1", "client": vendor.client}
    return OpenAIResponsesProvider(**usual | options)


def ask(*messages: LLMMessage, **fields: Any) -> LLMRequest:
    """A request, of one user message where none is given."""
    return LLMRequest(**{"model": "openai-responses", "messages": list(messages or [USER]), **fields})


def assistant(content: str = "", *calls: LLMToolCall, **fields: Any) -> LLMMessage:
    """An assistant turn."""
    return LLMMessage(role="assistant", content=content, tool_calls=list(calls), **fields)


def call(call_id: str = "c1", failure: Any = None, **args: Any) -> LLMToolCall:
    """A call."""
    return LLMToolCall(id=call_id, name=f"tool_{call_id}", args=args, arguments_failure=failure)


def result(call_id: str = "c1", content: str = "3", failure: Any = None) -> LLMMessage:
    """The result of a call."""
    return LLMMessage(role="tool", content=content, tool_call_id=call_id, tool_arguments_failure=failure)


# ---- what the vendor says


def message(*parts: Any) -> dict[str, Any]:
    """A message; a str is a text, a mapping a part as it is."""
    content = [{"type": "output_text", "text": part} if isinstance(part, str) else part for part in parts]
    return {"id": "msg_0", "type": "message", "role": "assistant", "status": "completed", "content": content}


def wire_call(call_id: str = "call_a", arguments: Any = '{"x":1}', **fields: Any) -> dict[str, Any]:
    """A call as the wire carries it."""
    return {"id": "fc_0", "type": "function_call", "call_id": call_id, "name": "add", "arguments": arguments, **fields}


def response(*items: Any, **fields: Any) -> dict[str, Any]:
    """A whole response."""
    state = {"id": "resp_1", "object": "response", "status": "completed", "error": None, "incomplete_details": None}
    return {**state, "output": list(items), "usage": COUNTS, **fields}


def event(kind: str, **fields: Any) -> dict[str, Any]:
    """An event of a stream."""
    return {"type": kind if kind == "error" else f"response.{kind}", "sequence_number": 0, **fields}


def ended(kind: str = "completed", **fields: Any) -> dict[str, Any]:
    """The last event of a stream."""
    return event(kind, response=response(**{"status": kind, **fields}))


def vendor_of(*events: Any) -> Vendor:
    """A vendor that streams these events; a str goes as it is."""
    texts = [each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in events]
    return Vendor(pieces=["".join(f"data: {text}\n\n" for text in texts).encode()])


# ---- asking


def complete(document: Any, request: LLMRequest | None = None, **options: Any) -> LLMResponse:
    """Ask once; the vendor answers with this."""
    return asyncio.run(provider_of(Vendor(document), **options).complete(request or ask()))


def stream(*events: Any, request: LLMRequest | None = None, **options: Any) -> list[LLMChunk]:
    """Ask once for a stream of these events."""
    return asyncio.run(read(provider_of(vendor_of(*events), **options), request or ask()))


def streamed(*events: Any) -> LLMResponse:
    """The response of a stream of these events."""
    last = stream(*events)[-1].response
    assert last is not None
    return last


def body(*messages: LLMMessage, options: Any = None, **fields: Any) -> dict[str, Any]:
    """The body of a request, which is the same for a stream but for its own field."""
    asked = ask(*messages, **fields)
    whole, in_pieces = Vendor(response(message("ok"))), vendor_of(ended())
    asyncio.run(provider_of(whole, **(options or {})).complete(asked))
    asyncio.run(read(provider_of(in_pieces, **(options or {})), asked))
    assert in_pieces.bodies[0] == {**whole.bodies[0], "stream": True}
    written: dict[str, Any] = whole.bodies[0]
    return written
