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
    ProviderError,
    ThinkingBlock,
    ThinkingMode,
    ThinkingReplayOmission,
    ToolChoice,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
    WireRole,
    WireToolManifest,
)
from agentports.providers._anthropic_answers import AnthropicAnswers
from agentports.providers._anthropic_thinking import AnthropicThinkingHandler, thinking_to_wire
from agentports.providers._anthropic_turns import WireTurns
from agentports.providers._cache import MAX_MARKERS, mark
from agentports.providers._claude_models import takes_forced_choice, thinking_mode_of
from agentports.providers._history import failed_call_ids, failure_sentence, is_refusal
from agentports.providers._keys import ApiKey
from agentports.providers._replay import (
    OmissionReason,
    Piece,
    Replay,
    open_from,
    replay_completely,
    replay_faithfully,
)

__all__ = ["AnthropicMessagesProvider"]

VERSION = "2023-06-01"
SMALLEST_BUDGET = 1024  # of thinking, in tokens
ROOM_TO_ANSWER = 1024  # tokens that are left beside the thinking


class AnthropicMessagesProvider(AnthropicAnswers):
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

    # ---- what depends on the model

    def resolve_model(self, model: str) -> str:
        """Return the default model for the adapter's own name, any other id unchanged."""
        return self._model if model == self.name else model

    def thinking_mode(self, model: str) -> ThinkingMode:
        """Return how the model is asked to think."""
        return thinking_mode_of(self.resolve_model(model))

    def supports_forced_tool_choice(self, model: str) -> bool:
        """Whether the model heeds a forced tool choice."""
        return takes_forced_choice(self.resolve_model(model))

    # ---- refusals

    def refuse(self, request: LLMRequest) -> None:
        """Refuse what the model would not do, before anything is sent."""
        model = self.resolve_model(request.model)
        if request.tool_choice and request.tools and not self.supports_forced_tool_choice(model):
            raise UnsupportedToolChoiceError(provider=self.name, model=model)
        if request.thinking is not None:
            self.check_budget(model, request.thinking.budget)
        self.check_open_turn(request, model)

    def check_budget(self, model: str, budget: object) -> None:
        """Refuse thinking for a model that has none, and a budget that the vendor would not take."""
        if self.thinking_mode(model) == "none":
            raise UnsupportedThinkingError(provider=self.name, model=model)
        if not isinstance(budget, int) or budget < SMALLEST_BUDGET:
            raise ValueError(
                f"[{self.name}] a thinking budget is a whole number of at least {SMALLEST_BUDGET}: {budget}"
            )

    def check_open_turn(self, request: LLMRequest, model: str) -> None:
        """Refuse to go on with a turn whose thinking cannot go back: it is never left out."""
        for message in request.messages[open_from(request.messages) :]:
            for block in message.thinking_blocks or ():
                if self.thinking_mode(model) == "none":
                    raise UnsupportedThinkingError(provider=self.name, model=model)
                if block.type == "redacted_thinking" and not block.signature:
                    raise self.not_replayable()

    def not_replayable(self) -> ProviderError:
        """Build the exception for redacted thinking whose opaque value is missing."""
        message = f"[{self.name}] redacted thinking of the open turn has lost its value; nothing was sent"
        return ProviderError(message, code="THINKING_NOT_REPLAYABLE", provider=self.name)

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
        """Write the output cap, and thinking, for which there must be room under it."""
        cap = self._max_tokens if request.max_tokens is None else request.max_tokens
        if request.thinking is None:
            return {"max_tokens": cap}
        budget = request.thinking.budget
        if self.thinking_mode(request.model) == "adaptive":
            thinking: dict[str, Any] = {"type": "adaptive", "display": "summarized"}
            return {"max_tokens": max(cap, budget + ROOM_TO_ANSWER), "thinking": thinking}
        thinking = {"type": "enabled", "budget_tokens": budget}
        return {"max_tokens": cap if cap > budget else budget + ROOM_TO_ANSWER, "thinking": thinking}

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

    # ---- thinking that goes back

    def omissions_of(self, request: LLMRequest) -> list[ThinkingReplayOmission]:
        """Return what of completed turns is left out."""
        return [omission for replay in self.replays_of(request).values() for omission in replay.omissions]

    def replays_of(self, request: LLMRequest) -> dict[int, Replay]:
        """Return by index what of each assistant turn goes back."""
        opened, model = open_from(request.messages), self.resolve_model(request.model)
        return {
            index: replay_completely(message)
            if index >= opened
            else replay_faithfully(message, index, lambda block: self.objection_to(block, model))
            for index, message in enumerate(request.messages)
            if message.role == "assistant"
        }

    def objection_to(self, block: ThinkingBlock, model: str) -> OmissionReason | None:
        """Say why a block of a completed turn is left out: the model does not think, or nothing proves the block."""
        if self.thinking_mode(model) == "none":
            return "unsupported-by-model"
        return None if block.signature else "unsigned"
