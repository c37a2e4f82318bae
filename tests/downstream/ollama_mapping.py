"""From the port's request to the client's arguments, and back from its objects."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import ollama

from agentports.ports import LLMMessage, LLMRequest, LLMResponse, LLMToolCall, ProviderError, Usage
from tests.downstream.broken_calls import as_text

_STOP_REASONS = {"length": "max_tokens"}


def arguments_of(request: LLMRequest, model: str) -> dict[str, Any]:
    """The arguments of `chat`; what the request does not say is not given."""
    options = {"num_predict": request.max_tokens, "temperature": request.temperature, "stop": request.stop or None}
    return {
        "model": model,
        "messages": _messages(request),
        "tools": [_tool(t.name, t.description, t.input_schema) for t in request.tools or ()],
        "think": None if request.thinking is None else True,
        "options": {name: value for name, value in options.items() if value is not None},
    }


def _tool(name: str, description: str, schema: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def _messages(request: LLMRequest) -> list[dict[str, Any]]:
    before = [{"role": "system", "content": request.system_prompt}] if request.system_prompt else []
    names = {call.id: call.name for message in request.messages for call in message.tool_calls or ()}
    return before + [_message(message, names) for message in as_text(request.messages)]


def _message(message: LLMMessage, names: dict[str, str]) -> dict[str, Any]:
    if message.role == "tool":
        name = message.tool_name or names.get(message.tool_call_id or "")
        return {"role": "tool", "content": message.content, "tool_name": name}
    calls = [{"function": {"name": c.name, "arguments": c.args}} for c in message.tool_calls or ()]
    return {"role": message.role, "content": message.content, "tool_calls": calls}


class Answer:
    """What the server has said so far, whole or line by line."""

    def __init__(self) -> None:
        self.text = ""
        self.thinking = ""
        self.calls: list[LLMToolCall] = []
        self.end: ollama.ChatResponse | None = None

    def take(self, line: ollama.ChatResponse) -> tuple[str, str]:
        """Read a whole answer or one line, and return its text and its thinking."""
        text, thinking = line.message.content or "", line.message.thinking or ""
        self.text += text
        self.thinking += thinking
        self.calls += [_call(call) for call in line.message.tool_calls or ()]
        self.end = line if line.done else self.end
        return text, thinking

    def response(self, provider: str) -> LLMResponse:
        """The answer in the port's words."""
        if self.end is None:
            raise ProviderError(f"{provider}: the stream was cut", provider=provider, code="STREAM_INCOMPLETE")
        reason = self.end.done_reason or "stop"
        return LLMResponse(
            content=self.text,
            tool_calls=self.calls,
            usage=Usage(input=self.end.prompt_eval_count or 0, output=self.end.eval_count or 0),
            stop_reason="tool_use" if reason == "stop" and self.calls else _STOP_REASONS.get(reason, reason),
            raw_thinking={"kind": "field", "thinking": self.thinking} if self.thinking else None,
        )


def _call(call: ollama.Message.ToolCall) -> LLMToolCall:
    # The client has no field for the server's id.
    return LLMToolCall(id=f"call-{uuid4().hex}", name=call.function.name, args=dict(call.function.arguments))
