"""From the port's request to the client's arguments, and back from its objects."""

from __future__ import annotations

import base64
import re
from typing import Any

from google.genai import errors, types

from agentports.ports import (
    LLMMessage,
    LLMRequest,
    LLMResponse,
    LLMToolCall,
    ProviderError,
    Usage,
)
from tests.downstream.broken_calls import as_text
from tests.downstream.errors import provider_error

_FILTERED = ("SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII")
_STOP_REASONS = {"STOP": "stop", "MAX_TOKENS": "max_tokens", **dict.fromkeys(_FILTERED, "content_filter")}
_INVENTED = re.compile(r"gemini-sdk-call-\d+")


def config_of(request: LLMRequest) -> types.GenerateContentConfig:
    """The configuration of `generate_content`; what the request does not say is not given."""
    config: dict[str, Any] = {"temperature": request.temperature, "max_output_tokens": request.max_tokens}
    if request.system_prompt:
        config["system_instruction"] = types.Content(parts=[types.Part(text=request.system_prompt)])
    if request.stop:
        config["stop_sequences"] = request.stop
    if request.thinking is not None:
        config["thinking_config"] = types.ThinkingConfig(thinking_budget=request.thinking.budget)
    if request.tools:
        functions = [
            types.FunctionDeclaration(name=t.name, description=t.description, parameters_json_schema=t.input_schema)
            for t in request.tools
        ]
        config["tools"] = [types.Tool(function_declarations=functions)]
        if request.tool_choice is not None:
            forced = types.FunctionCallingConfig(mode="ANY", allowed_function_names=[request.tool_choice.name])  # type: ignore[arg-type]
            config["tool_config"] = types.ToolConfig(function_calling_config=forced)
    if request.output_format is not None:
        config |= {"response_mime_type": "application/json", "response_json_schema": request.output_format.schema}
    config["automatic_function_calling"] = types.AutomaticFunctionCallingConfig(disable=True)
    return types.GenerateContentConfig(**config)


def contents_of(request: LLMRequest) -> list[types.Content]:
    """The conversation in turns that alternate."""
    contents: list[types.Content] = []
    for message in as_text(request.messages):
        if message.role != "system":
            _add(contents, "model" if message.role == "assistant" else "user", _parts(message))
    return contents


def _add(contents: list[types.Content], role: str, parts: list[types.Part]) -> None:
    if contents and contents[-1].role == role:
        contents[-1].parts = [*(contents[-1].parts or []), *parts]
    else:
        contents.append(types.Content(role=role, parts=parts))


def _parts(message: LLMMessage) -> list[types.Part]:
    if message.role == "tool":
        response = types.FunctionResponse(
            id=_sendable(message.tool_call_id), name=message.tool_name, response={"output": message.content}
        )
        return [types.Part(function_response=response)]
    calls = [_call(call) for call in message.tool_calls or ()]
    return [*([types.Part(text=message.content)] if message.content or not calls else []), *calls]


def _call(call: LLMToolCall) -> types.Part:
    signature = (call.provider_meta or {}).get("signature")
    signed = base64.b64decode(signature) if isinstance(signature, str) and signature else None
    function = types.FunctionCall(id=_sendable(call.id), name=call.name, args=call.args)
    return types.Part(function_call=function, thought_signature=signed)


def _sendable(call_id: str | None) -> str | None:
    return None if call_id is None or _INVENTED.fullmatch(call_id) else call_id


class Answer:
    """What the vendor has said so far: a whole answer, or the pieces of a stream."""

    def __init__(self) -> None:
        self.text = ""
        self.parts: list[types.Part] = []
        self.reason: str | None = None
        self.usage: types.GenerateContentResponseUsageMetadata | None = None
        self.ref: str | None = None

    def take(self, answer: types.GenerateContentResponse) -> list[tuple[bool, str]]:
        """Read an answer or a piece of one, and return its texts, each with whether it is a thought."""
        self.ref = self.ref or answer.response_id
        self.usage = answer.usage_metadata or self.usage
        if answer.prompt_feedback is not None and answer.prompt_feedback.block_reason is not None:
            self.reason = "SAFETY"
        [candidate] = (answer.candidates or [types.Candidate()])[:1]
        self.reason = candidate.finish_reason.value if candidate.finish_reason else self.reason
        parts = (candidate.content and candidate.content.parts) or []
        self.parts += [part for part in parts if part.function_call is not None]
        said = [(bool(part.thought), part.text) for part in parts if part.text and part.function_call is None]
        self.text += "".join(text for thought, text in said if not thought)
        return said

    def response(self, ids: list[str]) -> LLMResponse:
        """The answer in the port's words; calls without an id get these."""
        calls = [_read(part, new) for part, new in zip(self.parts, ids, strict=True)]
        reason = _STOP_REASONS.get(self.reason or "STOP", self.reason or "")
        reason = "tool_use" if reason == "stop" and calls else reason
        usage = _usage(self.usage)
        return LLMResponse(content=self.text, tool_calls=calls, usage=usage, stop_reason=reason, provider_ref=self.ref)


def _read(part: types.Part, new_id: str) -> LLMToolCall:
    call = part.function_call or types.FunctionCall()
    signature = part.thought_signature
    meta = {"signature": base64.b64encode(signature).decode()} if signature else None
    return LLMToolCall(id=call.id or new_id, name=call.name or "", args=call.args or {}, provider_meta=meta)


def _usage(usage: types.GenerateContentResponseUsageMetadata | None) -> Usage:
    if usage is None:
        return Usage(input=0, output=0)
    return Usage(
        input=usage.prompt_token_count or 0,
        output=usage.candidates_token_count or 0,
        cache_read=usage.cached_content_token_count,
        thinking=usage.thoughts_token_count,
    )


def error_of(provider: str, error: Exception) -> ProviderError:
    """The client's exception in the port's words."""
    if not isinstance(error, errors.APIError):
        return ProviderError(f"{provider}: {error}", provider=provider)
    headers = getattr(error.response, "headers", {})
    said = error.details.get("error") if isinstance(error.details, dict) else None
    return provider_error(provider, error, status=error.code, code=error.status, headers=headers, said=said)
