"""OpenAI's responses (document 12, section 3)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import httpx

from agentports.ports import (
    LLMMessage,
    LLMRequest,
    LLMToolCall,
    LLMToolSchema,
    OutputFormat,
    ToolChoice,
    WireRole,
    WireToolManifest,
)
from agentports.providers._history import assistant_text, intact_calls, refusals_as_text
from agentports.providers._keys import ApiKey
from agentports.providers._responses_answers import ResponsesAnswers
from agentports.providers._responses_thinking import ResponsesThinkingHandler

__all__ = ["OpenAIResponsesProvider"]

FORMAT_NAME = "answer"  # the vendor demands a name and makes nothing of it


class OpenAIResponsesProvider(ResponsesAnswers):
    """Talks to OpenAI's responses.

    Nothing is kept at the vendor: every request carries the whole conversation, and no item is referred to by its id.
    Reasoning is handed out and not sent back. `max_tokens` is the cap of requests that have none; `reasoning` treats
    every model as one that takes no temperature. This wire has no stop sequences. A `client` stays its owner's;
    without one the provider makes its own, which `aclose`, or the end of the event loop, closes.
    """

    carries_in_messages: tuple[WireRole, ...] = ("system", "user", "assistant")
    carries_forced_tool_choice = True
    carries_native_output_schema = True
    path = "/responses"

    def __init__(
        self,
        *,
        api_key: ApiKey | None = None,
        model: str = "gpt-4o-mini",
        base_url: str = "https://api.openai.com/v1",
        name: str = "openai-responses",
        max_tokens: int | None = None,
        organization: str | None = None,
        reasoning: bool = False,
        client: httpx.AsyncClient | None = None,
        timeout: httpx.Timeout | float | None = None,
    ) -> None:
        super().__init__(
            api_key=api_key,
            model=model,
            base_url=base_url,
            name=name,
            max_tokens=max_tokens,
            organization=organization,
            reasoning=reasoning,
            client=client,
            timeout=timeout,
        )
        self.thinking_handler = ResponsesThinkingHandler(provider_names=tuple(dict.fromkeys(("openai", name))))

    # ---- the request

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        """Build the body; what the request does not say is not written, but for `store`, whose default is true."""
        model = self.resolve_model(request.model)
        body = {
            "model": model,
            "instructions": request.system_prompt or None,
            "input": self.input_to_wire(request),
            **self.tool_fields(request),
            "max_output_tokens": self.cap_of(request),
            "temperature": None if self.is_reasoning(model) else request.temperature,
            "text": None if request.output_format is None else self.format_to_wire(request.output_format),
            **self.storing_fields(),
            "stream": streaming or None,
        }
        return {name: value for name, value in body.items() if value is not None}

    def storing_fields(self) -> dict[str, Any]:
        """Ask the vendor to keep nothing."""
        return {"store": False}

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        """Write one tool. Unless told not to, the vendor may make its schema stricter than it is."""
        schema = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        return {"type": "function", **schema, "strict": False}

    def tool_choice_to_wire(self, choice: ToolChoice) -> dict[str, Any]:
        """Write a forced choice."""
        return {"type": "function", "name": choice.name}

    def format_to_wire(self, output_format: OutputFormat) -> dict[str, Any]:
        """Write the schema of the text answer."""
        schema = {"name": FORMAT_NAME, "schema": output_format.schema, "strict": True}
        return {"format": {"type": "json_schema", **schema}}

    def read_manifest(self, body: bytes) -> WireToolManifest:
        """Read from the body as it was sent which tools and which output format it carried."""
        sent = json.loads(body)
        formatted = sent.get("text", {}).get("format", {}).get("type") == "json_schema"
        return WireToolManifest(
            tool_names=[tool["name"] for tool in sent.get("tools", ())],
            output_format="json_schema" if formatted else None,
        )

    # ---- the conversation

    def input_to_wire(self, request: LLMRequest) -> list[dict[str, Any]]:
        """Write the conversation; a message becomes one item or several."""
        return [item for message in refusals_as_text(request.messages) for item in self.items_of(message)]

    def items_of(self, message: LLMMessage) -> Iterable[dict[str, Any]]:
        """Write one message from its known fields."""
        if message.role == "assistant":
            return self.assistant_items(message)
        if message.role == "tool":
            return (self.result_to_wire(message),)
        return ({"role": message.role, "content": message.content},)

    def assistant_items(self, message: LLMMessage) -> list[dict[str, Any]]:
        """Write an assistant turn: its text, unless there is nothing but calls, and its calls."""
        text = assistant_text(message)
        calls = [self.call_to_wire(call) for call in intact_calls(message)]
        said = [{"role": "assistant", "content": text}] if text or not calls else []
        return [*said, *calls]

    def call_to_wire(self, call: LLMToolCall) -> dict[str, Any]:
        """Write one call, its arguments as JSON text."""
        arguments = json.dumps(call.args, ensure_ascii=False, allow_nan=False)
        return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments}

    def result_to_wire(self, message: LLMMessage) -> dict[str, Any]:
        """Write the result of one call."""
        return {"type": "function_call_output", "call_id": message.tool_call_id or "", "output": message.content}
