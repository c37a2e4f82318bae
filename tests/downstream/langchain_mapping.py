"""From LangChain's messages back to the port's answer."""

from __future__ import annotations

import json
from typing import Any

from agentports.ports import LLMResponse, LLMToolCall, ProviderError, ToolArgumentsFailure, Usage


def response_of(provider: str, message: Any, stop: str | None) -> LLMResponse:
    """The answer that a message holds; a stream's pieces are added up to one before. `stop` None: it was cut."""
    if stop is None and not (message and (message.tool_calls or message.invalid_tool_calls)):
        raise ProviderError(f"{provider}: the stream was cut", provider=provider, code="STREAM_INCOMPLETE")
    calls = _calls(message, stop)
    if stop == "tool_use" and not calls:
        raise ProviderError(f"{provider}: the tool calls are lost", provider=provider, code="TOOL_CALLS_LOST")
    return LLMResponse(
        content=message.text,
        tool_calls=calls,
        usage=_usage(message.usage_metadata or {}),
        stop_reason="tool_use" if stop == "stop" and calls else stop or "incomplete_stream",
        provider_ref=message.response_metadata.get("id"),
    )


def _calls(message: Any, stop: str | None) -> list[LLMToolCall]:
    if stop is None:
        return [_broken(call, "incomplete-stream") for call in (*message.tool_calls, *message.invalid_tool_calls)]
    good = [LLMToolCall(id=call["id"], name=call["name"], args=call["args"]) for call in message.tool_calls]
    return good + [_broken(call, _reason(call["args"], stop)) for call in message.invalid_tool_calls]


def _reason(text: str, stop: str) -> str:
    try:
        json.loads(text)
    except ValueError:
        return "incomplete-stream" if stop == "max_tokens" else "invalid-json"
    return "invalid-argument-shape"


def _broken(call: Any, reason: str) -> LLMToolCall:
    failure = ToolArgumentsFailure.model_validate({"reason": reason})
    return LLMToolCall(id=call["id"], name=call["name"], args={}, arguments_failure=failure)


def _usage(usage: Any) -> Usage:
    prompt, completion = usage.get("input_token_details") or {}, usage.get("output_token_details") or {}
    return Usage(
        input=usage.get("input_tokens", 0),
        output=usage.get("output_tokens", 0),
        cache_read=prompt.get("cache_read"),
        cache_write=prompt.get("cache_creation"),
        thinking=completion.get("reasoning"),
    )
