"""Requests, answers and failures of one family of providers as those of the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agentports import ports
from agentports.ports import LLMMessage, LLMRequest, LLMResponse, LLMToolCall, LLMToolSchema, OutputFormat
from agentports.ports.http import (
    Message,
    ProviderError,
    ProviderResult,
    ProviderStreamOptions,
    TokenUsage,
    ToolCall,
    ToolDefinition,
)
from agentports.relay.results import build_provider_result

__all__ = ["failure_here", "failure_there", "http_request", "http_result", "llm_request", "llm_response"]

_NO_PARAMETERS = {"type": "object", "properties": {}}


def llm_request(
    model: str,
    messages: Sequence[Message],
    tools: Sequence[ToolDefinition] | None,
    options: ProviderStreamOptions | None,
    thinking_budget: int,
    signal: ports.AbortSignal,
) -> LLMRequest:
    """The request of a provider port. System messages become the system prompt, wherever they stand.

    Raises `ProviderError` PROTOCOL for images, for which that port has no place.
    """
    if any(message.images for message in messages):
        raise ProviderError("PROTOCOL", "this provider takes no images")
    think, schema = (options.think, options.schema) if options is not None else (None, None)
    return LLMRequest(
        model=model,
        messages=list(_llm_messages(messages)),
        system_prompt="\n\n".join(message.content for message in messages if message.role == "system") or None,
        tools=None if tools is None else [_tool_schema(tool) for tool in tools],
        thinking=ports.ThinkingIntent(budget=thinking_budget) if think else None,
        output_format=None if schema is None else OutputFormat(schema=schema),
        signal=signal,
    )


def _tool_schema(tool: ToolDefinition) -> LLMToolSchema:
    schema = _NO_PARAMETERS if tool.parameters is None else tool.parameters
    return LLMToolSchema(name=tool.name, description=tool.description or "", input_schema=schema)


def _llm_messages(messages: Sequence[Message]) -> Iterator[LLMMessage]:
    waiting: dict[str, str] = {}  # calls that have no answer yet, with their tools
    for message in messages:
        calls = message.calls or []
        if message.role == "tool":
            answered = _answered(message, waiting)
            yield LLMMessage(
                role="tool", content=message.content, tool_call_id=answered, tool_name=waiting.pop(answered, None)
            )
        elif message.role != "system":
            waiting |= {call.id: call.name for call in calls}
            made = [LLMToolCall(id=call.id, name=call.name, args=call.arguments) for call in calls]
            yield LLMMessage(role=message.role, content=message.content, tool_calls=made or None)


def _answered(message: Message, waiting: dict[str, str]) -> str:
    """The call that a tool message answers: the stated one, the one of its own id, else the first that waits."""
    stated = [call.id for call in message.calls or []] + [message.id]
    return next((id for id in (*stated, *waiting) if id in waiting), stated[0])


def http_request(request: LLMRequest) -> dict[str, Any]:
    """Messages, tools and options for the `stream` of a provider over HTTP.

    What is not there has no place in that family: the model, temperature, caps and markers are the far provider's own.
    """
    system = [Message(id="system", role="system", content=request.system_prompt)] if request.system_prompt else []
    given: dict[str, Any] = {"messages": [*system, *(_message(n, each) for n, each in enumerate(request.messages))]}
    if request.tools is not None:
        given["tools"] = [
            ToolDefinition(name=tool.name, description=tool.description, parameters=tool.input_schema)
            for tool in request.tools
        ]
    think = True if request.thinking is not None else None
    schema = request.output_format.schema if request.output_format is not None else None
    if think is not None or schema is not None:
        given["options"] = ProviderStreamOptions(think=think, schema=schema)
    return given


def _message(number: int, message: LLMMessage) -> Message:
    calls = [ToolCall(id=call.id, name=call.name, arguments=call.args) for call in message.tool_calls or []]
    if message.role == "tool" and message.tool_call_id is not None:
        calls = [ToolCall(id=message.tool_call_id, name=message.tool_name or "", arguments={})]
    return Message(id=f"m{number}", role=message.role, content=message.content, calls=calls or None)


def http_result(response: LLMResponse, thinking: str) -> ProviderResult:
    """A settled result, with the reasoning that was seen as text."""
    calls = [ToolCall(id=call.id, name=call.name, arguments=call.args) for call in response.tool_calls]
    used = response.usage
    usage = TokenUsage(prompt=used.input, completion=used.output, total=used.input + used.output)
    return build_provider_result(response.content, thinking, calls, usage)


def llm_response(result: ProviderResult) -> LLMResponse:
    """A response. Counts that are no whole numbers, or negative, are none of that port's and become 0."""
    calls = [LLMToolCall(id=call.id, name=call.name, args=call.arguments) for call in result.tools or []]
    prompt, completion = (result.usage.prompt, result.usage.completion) if result.usage is not None else (0, 0)
    return LLMResponse(
        content=result.content,
        tool_calls=calls,
        usage=ports.Usage(input=_count(prompt), output=_count(completion)),
        stop_reason="tool_use" if calls else "stop",
        raw_thinking=result.thinking,
    )


def _count(number: float) -> int:
    return int(number) if number >= 0 and number == int(number) else 0


def failure_here(error: Exception) -> ProviderError:
    """The failure of a provider port as one of this family: HTTP where it has a status."""
    status = getattr(error, "status", None)
    if isinstance(status, int):
        return ProviderError("HTTP", str(error), status=status, cause=error)
    return ProviderError("PROVIDER", str(error), cause=error)


def failure_there(error: ProviderError, name: str) -> ports.ProviderError:
    """A failure of this family as one of the provider port."""
    return ports.ProviderError(str(error), code=error.code, provider=name, status=error.status, cause=error)
