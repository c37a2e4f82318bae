"""From the port's request to the arguments of `responses.create`, and back from its objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from agentports.ports import (
    LLMMessage,
    LLMRequest,
    LLMResponse,
    LLMToolCall,
    ProviderError,
    ThinkingBlock,
    ToolArgumentsFailure,
    Usage,
)
from tests.downstream.broken_calls import as_text
from tests.downstream.errors import provider_error


def arguments_of(request: LLMRequest, model: str) -> dict[str, Any]:
    """The arguments of `responses.create`; what the request does not say is not given."""
    body: dict[str, Any] = {"model": model, "input": list(_items(request)), "store": False}
    if request.system_prompt:
        body["instructions"] = request.system_prompt
    if request.tools:
        body["tools"] = [_function(t.name, t.description, t.input_schema) for t in request.tools]
        if request.tool_choice is not None:
            body["tool_choice"] = {"type": "function", "name": request.tool_choice.name}
    if request.temperature is not None and re.match(r"o\d", model, re.IGNORECASE) is None:
        body["temperature"] = request.temperature
    if request.max_tokens is not None:
        body["max_output_tokens"] = request.max_tokens
    if request.output_format is not None:
        body["text"] = {"format": {"type": "json_schema", "name": "answer", "schema": request.output_format.schema}}
    return body


def _function(name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "name": name, "description": description, "parameters": schema, "strict": False}


def _items(request: LLMRequest) -> Iterator[dict[str, Any]]:
    for message in as_text(request.messages):
        if message.role == "tool":
            yield {"type": "function_call_output", "call_id": message.tool_call_id, "output": message.content}
        else:
            yield from _assistant(message) if message.role == "assistant" else [_message(message.role, message.content)]


def _message(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def _assistant(message: LLMMessage) -> Iterator[dict[str, Any]]:
    calls = message.tool_calls or []
    if message.content or not calls:
        yield _message("assistant", message.content)
    for call in calls:
        yield {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": json.dumps(call.args)}


class Steps:
    """Reads reasoning items as the client dumps them."""

    id = "openai-responses-sdk"
    provider_names = ("openai-responses-sdk",)

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        """The steps of summaries and the reasoning itself."""
        items = [item for item in raw if isinstance(item, dict)] if isinstance(raw, list) else []
        return [
            ThinkingBlock(content=part["text"], summary=member == "summary")
            for item in items
            for member in ("summary", "content")
            for part in (item.get(member) if isinstance(item.get(member), list) else ())
            if isinstance(part, dict) and isinstance(part.get("text"), str)
        ]


class Answer:
    """What a stream has said so far."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._text = ""
        self._begun: dict[int, Any] = {}
        self._ended: Any = None

    def take(self, event: Any) -> tuple[str, str]:
        """Read one event and return its text and its thinking."""
        match event.type:
            case "response.output_text.delta" | "response.refusal.delta":
                self._text += event.delta
                return event.delta, ""
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                return "", event.delta
            case "response.output_item.added" if event.item.type == "function_call":
                self._begun[event.output_index] = event.item
            case "response.completed" | "response.incomplete" | "response.failed":
                self._ended = event.response
            case "error":
                raise _refused(self._provider, event)
        return "", ""

    def response(self) -> LLMResponse:
        """The answer in the port's words: what the last event holds, else calls that were cut off."""
        if self._ended is not None:
            return response_of(self._provider, self._ended)
        if not self._begun:
            message = f"{self._provider}: the stream was cut"
            raise ProviderError(message, provider=self._provider, code="STREAM_INCOMPLETE")
        calls = [_call(item.call_id, item.name, failure="incomplete-stream") for item in self._begun.values()]
        return LLMResponse(
            content=self._text, tool_calls=calls, usage=Usage(input=0, output=0), stop_reason="incomplete_stream"
        )


def _refused(provider: str, said: Any) -> ProviderError:
    """What an error that came with status 200 is to the caller."""
    return provider_error(provider, Exception(said.message), status=None, code=said.code, body=said.code)


def response_of(provider: str, answered: Any) -> LLMResponse:
    """A response in the port's words. Raises for one that is no answer."""
    if answered.status not in ("completed", "incomplete"):
        if answered.error:
            raise _refused(provider, answered.error)
        raise ProviderError(f"{provider}: the response is {answered.status}", provider=provider)
    items = answered.output
    parts = [part for item in items if item.type == "message" for part in item.content]
    refusals = [part.refusal for part in parts if part.type == "refusal"]
    limited = answered.status == "incomplete"
    calls = [_finished(item, limited=limited) for item in items if item.type == "function_call"]
    thinking = [item.model_dump(exclude_none=True) for item in items if item.type == "reasoning"]
    return LLMResponse(
        content="".join(part.text if part.type == "output_text" else getattr(part, "refusal", "") for part in parts),
        tool_calls=calls,
        usage=_usage(answered.usage),
        stop_reason=_reason(answered, declined=bool(refusals), called=bool(calls)),
        provider_ref=answered.id,
        raw_thinking=thinking or None,
    )


def _reason(answered: Any, *, declined: bool, called: bool) -> str:
    if answered.status == "incomplete":
        reason = str(answered.incomplete_details.reason)
        return "max_tokens" if reason == "max_output_tokens" else reason
    return "content_filter" if declined else "tool_use" if called else "stop"


def _finished(item: Any, *, limited: bool) -> LLMToolCall:
    try:
        args = json.loads(item.arguments or "{}")
    except ValueError:
        return _call(item.call_id, item.name, failure="incomplete-stream" if limited else "invalid-json")
    if not isinstance(args, dict):
        return _call(item.call_id, item.name, failure="invalid-argument-shape")
    return _call(item.call_id, item.name, args)


def _call(call_id: str, name: str, args: Any = None, failure: str | None = None) -> LLMToolCall:
    broken = failure and ToolArgumentsFailure.model_validate({"reason": failure})
    return LLMToolCall(id=call_id, name=name, args=args or {}, arguments_failure=broken or None)


def _usage(usage: Any) -> Usage:
    given, generated = getattr(usage, "input_tokens_details", None), getattr(usage, "output_tokens_details", None)
    return Usage(
        input=getattr(usage, "input_tokens", 0),
        output=getattr(usage, "output_tokens", 0),
        cache_read=getattr(given, "cached_tokens", None),
        cache_write=getattr(given, "cache_write_tokens", None),
        thinking=getattr(generated, "reasoning_tokens", None),
    )
