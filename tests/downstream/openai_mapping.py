"""From the port's request to the client's arguments, and back from its objects."""

from __future__ import annotations

import json
import re
from typing import Any

import openai

from agentports.ports import (
    LLMMessage,
    LLMRequest,
    LLMResponse,
    LLMToolCall,
    ProviderError,
    ToolArgumentsFailure,
    Usage,
)
from tests.downstream.broken_calls import as_text
from tests.downstream.errors import provider_error

_STOP_REASONS = {"tool_calls": "tool_use", "length": "max_tokens"}


def body_of(request: LLMRequest, model: str) -> dict[str, Any]:
    """The arguments of `chat.completions.create`; what the request does not say is not given."""
    reasons = re.match(r"o\d", model, re.IGNORECASE) is not None
    body: dict[str, Any] = {"model": model, "messages": _messages(request, "developer" if reasons else "system")}
    if request.tools:
        body["tools"] = [_function(t.name, description=t.description, parameters=t.input_schema) for t in request.tools]
        if request.tool_choice is not None:
            body["tool_choice"] = _function(request.tool_choice.name)
    if request.temperature is not None and not reasons:
        body["temperature"] = request.temperature
    if request.max_tokens is not None:
        body["max_completion_tokens"] = request.max_tokens
    if request.stop:
        body["stop"] = request.stop
    if request.output_format is not None:
        schema = {"name": "answer", "schema": request.output_format.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _function(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, **fields}}


def _messages(request: LLMRequest, system: str) -> list[dict[str, Any]]:
    before = [{"role": system, "content": request.system_prompt}] if request.system_prompt else []
    return before + [_message(message, system) for message in as_text(request.messages)]


def _message(message: LLMMessage, system: str) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.content}
    if message.role != "assistant":
        return {"role": system if message.role == "system" else "user", "content": message.content}
    calls = [{"id": c.id, **_function(c.name, arguments=json.dumps(c.args))} for c in message.tool_calls or ()]
    return {"role": "assistant", "content": message.content, **({"tool_calls": calls} if calls else {})}


class Answer:
    """What the vendor has said so far, whole or in pieces."""

    def __init__(self) -> None:
        self.text = ""
        self.calls: dict[int, list[str]] = {}
        self.reason: str | None = None
        self.usage: Any = None
        self.ref: str | None = None

    def take_whole(self, completion: Any) -> None:
        """Read a completion."""
        choice = completion.choices[0]
        self.text, self.reason = choice.message.content or "", choice.finish_reason or "stop"
        for index, call in enumerate(choice.message.tool_calls or ()):
            self.calls[index] = [call.id or "", call.function.name, call.function.arguments or ""]
        self.usage, self.ref = completion.usage, completion.id

    def take_piece(self, chunk: Any) -> str:
        """Read one chunk and return its text."""
        self.ref = self.ref or chunk.id
        self.usage = getattr(chunk, "usage", None) or self.usage
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self.reason = choice.finish_reason or self.reason
        for piece in (choice.delta and choice.delta.tool_calls) or ():
            call = self.calls.setdefault(piece.index, ["", "", ""])
            call[0] = call[0] or piece.id or ""
            call[1] = call[1] or piece.function.name or ""
            call[2] += piece.function.arguments or ""
        text = (choice.delta and choice.delta.content) or ""
        self.text += text
        return text

    def response(self, provider: str) -> LLMResponse:
        """The answer in the port's words."""
        if self.reason is None and not self.calls:
            raise ProviderError(f"{provider}: the stream was cut", provider=provider, code="STREAM_INCOMPLETE")
        reason = "incomplete_stream" if self.reason is None else _STOP_REASONS.get(self.reason, self.reason)
        reason = "tool_use" if reason == "stop" and self.calls else reason
        if reason == "tool_use" and not self.calls:
            raise ProviderError(f"{provider}: the tool calls are lost", provider=provider, code="TOOL_CALLS_LOST")
        return LLMResponse(
            content=self.text,
            tool_calls=[self._call(*call) for call in self.calls.values()],
            usage=_usage(self.usage),
            stop_reason=reason,
            provider_ref=self.ref or None,
        )

    def _call(self, identifier: str, name: str, text: str) -> LLMToolCall:
        args, failure = self._arguments(text)
        return LLMToolCall(
            id=identifier,
            name=name,
            args=args,
            arguments_failure=failure and ToolArgumentsFailure.model_validate({"reason": failure}),
        )

    def _arguments(self, text: str) -> tuple[dict[str, Any], str | None]:
        if self.reason is None:
            return {}, "incomplete-stream"
        try:
            args = json.loads(text or "{}")
        except ValueError:
            return {}, "incomplete-stream" if self.reason == "length" else "invalid-json"
        return (args, None) if isinstance(args, dict) else ({}, "invalid-argument-shape")


def _usage(usage: Any) -> Usage:
    prompt = getattr(usage, "prompt_tokens_details", None)
    completion = getattr(usage, "completion_tokens_details", None)
    return Usage(
        input=getattr(usage, "prompt_tokens", 0),
        output=getattr(usage, "completion_tokens", 0),
        cache_read=getattr(prompt, "cached_tokens", None),
        cache_write=getattr(prompt, "cache_write_tokens", None),
        thinking=getattr(completion, "reasoning_tokens", None),
    )


def error_of(provider: str, error: Exception) -> ProviderError:
    """The client's exception in the port's words."""
    code = getattr(error, "code", None)
    if isinstance(error, openai.APIStatusError):
        headers, body = error.response.headers, error.response.text
        return provider_error(provider, error, status=error.status_code, code=code, headers=headers, body=body)
    return provider_error(provider, error, status=getattr(error, "status_code", None), code=code)
