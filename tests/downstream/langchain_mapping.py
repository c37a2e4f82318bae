"""From LangChain's messages back to the port's answer."""

from __future__ import annotations

from typing import Any

from agentports.ports import LLMResponse, LLMToolCall, ProviderError, ToolArgumentsFailure, Usage

_STOP_REASONS = {"tool_calls": "tool_use", "length": "max_tokens"}


def response_of(provider: str, message: Any) -> LLMResponse:
    """The answer that a message holds; a stream's pieces are added up to one before."""
    metadata = {} if message is None else message.response_metadata
    reason = metadata.get("finish_reason")
    if reason is None and not (message and (message.tool_calls or message.invalid_tool_calls)):
        raise ProviderError(f"{provider}: the stream was cut", provider=provider, code="STREAM_INCOMPLETE")
    calls = _calls(message, reason)
    if reason == "tool_calls" and not calls:
        raise ProviderError(f"{provider}: the tool calls are lost", provider=provider, code="TOOL_CALLS_LOST")
    stop = "incomplete_stream" if reason is None else _STOP_REASONS.get(reason, reason)
    return LLMResponse(
        content=message.text,
        tool_calls=calls,
        usage=_usage(message.usage_metadata or {}),
        stop_reason="tool_use" if stop == "stop" and calls else stop,
        provider_ref=metadata.get("id"),
    )


def _calls(message: Any, reason: str | None) -> list[LLMToolCall]:
    failure = "incomplete-stream" if reason in (None, "length") else "invalid-json"
    broken = [*([] if reason else message.tool_calls), *message.invalid_tool_calls]
    failed = {"args": {}, "arguments_failure": ToolArgumentsFailure.model_validate({"reason": failure})}
    good = [LLMToolCall(id=c["id"], name=c["name"], args=c["args"]) for c in (message.tool_calls if reason else ())]
    return good + [LLMToolCall(id=c["id"], name=c["name"], **failed) for c in broken]


def _usage(usage: Any) -> Usage:
    prompt, completion = usage.get("input_token_details") or {}, usage.get("output_token_details") or {}
    return Usage(
        input=usage.get("input_tokens", 0),
        output=usage.get("output_tokens", 0),
        cache_read=prompt.get("cache_read"),
        cache_write=prompt.get("cache_creation"),
        thinking=completion.get("reasoning"),
    )
