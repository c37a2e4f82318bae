"""Anthropic's messages and the servers that speak them (document 12, section 4)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx

from agentports.ports import (
    DEFAULT_CARRIES_IN_MESSAGES,
    LLMMessage,
    LLMRequest,
    LLMToolCall,
    LLMToolSchema,
    PromptCaching,
    ThinkingBlock,
    ToolChoice,
    WireRole,
    WireToolManifest,
)
from agentports.providers._anthropic_answers import AnthropicAnswers
from agentports.providers._anthropic_thinking import AnthropicThinkingHandler, thinking_to_wire
from agentports.providers._anthropic_turns import WireTurns
from agentports.providers._cache import MAX_MARKERS, mark
from agentports.providers._claude import ClaudeRequests
from agentports.providers._history import failed_call_ids, failure_sentence, is_refusal
from agentports.providers._keys import ApiKey
from agentports.providers._replay import Piece

__all__ = ["AnthropicMessagesProvider"]

VERSION = "2023-06-01"


class AnthropicMessagesProvider(ClaudeRequests, AnthropicAnswers):
    """Talks to Anthropic's messages.

    The base URL may end in `/v1` or not. `max_tokens` is the cap of requests that have none; thinking raises either.
    `parallel_tool_calls=False` asks for one call at a time, where no tool is forced. Thinking of the open turn always
    goes back; what of completed turns cannot go back as it came is left out and reported. A `client` stays its
    owner's; without one the provider makes its own, which `aclose`, or the end of the event loop, closes.
    """

    carries_in_messages: tuple[WireRole, ...] = DEFAULT_CARRIES_IN_MESSAGES
    carries_forced_tool_choice = True
    carries_native_output_schema = True
    prompt_caching = PromptCaching(mode="markers", reports_usage=True, max_markers=MAX_MARKERS)

    def __init__(
        self,
        *,
        api_key: ApiKey | None = None,
        model: str = "claude-sonnet-4-5-20250929",
        base_url: str = "https://api.anthropic.com",
        name: str = "anthropic",
        max_tokens: int = 4096,
        parallel_tool_calls: bool = True,
        client: httpx.AsyncClient | None = None,
        timeout: httpx.Timeout | float | None = None,
    ) -> None:
        super().__init__(name=name, base_url=base_url, api_key=api_key, client=client, timeout=timeout)
        self._model = model
        self._max_tokens = max_tokens
        self._parallel_tool_calls = parallel_tool_calls
        self._url = httpx.URL(f"{base_url.rstrip('/').removesuffix('/v1')}/v1/messages")
        self.thinking_handler = AnthropicThinkingHandler(provider_names=tuple(dict.fromkeys(("anthropic", name))))

    # ---- the request

    def url_for(self, request: LLMRequest) -> httpx.URL:
        """Return the address of the request."""
        return self._url

    def auth_headers(self, key: str) -> dict[str, str]:
        """Return the header that carries the key."""
        return {"x-api-key": key} if key else {}

    def headers(self, key: str) -> dict[str, str]:
        """Return the headers of the request."""
        return super().headers(key) | {"anthropic-version": VERSION}

    def build_body(self, request: LLMRequest, *, streaming: bool) -> dict[str, Any]:
        """Build the body; what the request does not say is not written. Cache markers come last."""
        turns = self.turns_to_wire(request)
        body = {
            "model": self.resolve_model(request.model),
            **self.cap_fields(request),
            **({"system": request.system_prompt} if request.system_prompt else {}),
            "messages": turns.turns,
            **self.tool_fields(request),
            **self.sampling_fields(request),
            **self.output_fields(request),
            **({"stream": True} if streaming else {}),
        }
        self.mark(body, request, turns)
        return body

    def mark(self, body: dict[str, Any], request: LLMRequest, turns: WireTurns) -> None:
        """Write the cache markers into the body."""
        mark(body, request.cache_markers or (), turns.places)

    def cap_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write the output cap, and thinking, for which there is room under it."""
        thinking = self.thinking_field(request)
        return {"max_tokens": self.cap_for(request)} | ({} if thinking is None else {"thinking": thinking})

    def tool_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write the tools on offer and the choice among them; there is no choice among none."""
        if not request.tools:
            return {}
        fields: dict[str, Any] = {"tools": [self.tool_to_wire(tool) for tool in request.tools]}
        if request.tool_choice is not None:
            fields["tool_choice"] = self.tool_choice_to_wire(request.tool_choice)
        elif not self._parallel_tool_calls:
            fields["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        return fields

    def tool_to_wire(self, tool: LLMToolSchema) -> dict[str, Any]:
        """Write one tool."""
        return {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}

    def tool_choice_to_wire(self, choice: ToolChoice) -> dict[str, Any]:
        """Write a forced choice."""
        return {"type": "tool", "name": choice.name}

    def sampling_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write the temperature and the stop sequences."""
        fields: dict[str, Any] = {} if request.temperature is None else {"temperature": request.temperature}
        return fields | ({"stop_sequences": list(request.stop)} if request.stop else {})

    def output_fields(self, request: LLMRequest) -> dict[str, Any]:
        """Write the schema of the text answer."""
        if request.output_format is None:
            return {}
        return {"output_config": {"format": {"type": "json_schema", "schema": request.output_format.schema}}}

    def read_manifest(self, body: bytes) -> WireToolManifest:
        """Read from the body as it was sent which tools and which output format it carried."""
        sent = json.loads(body)
        formatted = sent.get("output_config", {}).get("format", {}).get("type") == "json_schema"
        return WireToolManifest(
            tool_names=[tool["name"] for tool in sent.get("tools", ())],
            output_format="json_schema" if formatted else None,
        )

    # ---- messages

    def turns_to_wire(self, request: LLMRequest) -> WireTurns:
        """Write the conversation; system messages, which have no place in it, are left out."""
        turns = WireTurns()
        failed = failed_call_ids(request.messages)
        replays = self.replays_of(request)
        for index, message in enumerate(request.messages):
            if message.role == "user":
                turns.add(index, "user", message.content)
            elif message.role == "assistant":
                turns.add(index, "assistant", self.assistant_content(replays[index].pieces))
            elif message.role == "tool":
                turns.add_result(index, self.result_to_wire(message, refused=is_refusal(message, failed)))
        return turns

    def assistant_content(self, pieces: Sequence[Piece]) -> list[dict[str, Any]] | str:
        """Write an assistant turn: blocks, or plain text when there is nothing else."""
        if all(isinstance(piece, str) for piece in pieces):
            return "".join(piece for piece in pieces if isinstance(piece, str))
        return [self.piece_to_wire(piece) for piece in pieces]

    def piece_to_wire(self, piece: Piece) -> dict[str, Any]:
        """Write one block; a call whose arguments were broken becomes text."""
        if isinstance(piece, ThinkingBlock):
            return thinking_to_wire(piece)
        if isinstance(piece, LLMToolCall) and piece.arguments_failure is None:
            return {"type": "tool_use", "id": piece.id, "name": piece.name, "input": piece.args}
        return {"type": "text", "text": piece if isinstance(piece, str) else failure_sentence(piece)}

    def result_to_wire(self, message: LLMMessage, *, refused: bool) -> dict[str, Any]:
        """Write the result of one call; the refusal of a call whose arguments were broken becomes text."""
        if refused:
            return {"type": "text", "text": message.content}
        return {"type": "tool_result", "tool_use_id": message.tool_call_id or "", "content": message.content}
