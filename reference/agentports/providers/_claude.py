"""What adapters for Claude models do alike, wherever those are served (document 12, section 4).

They ask what a model takes, make room for its thinking, and send back the thinking of earlier turns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentports.ports import (
    LLMRequest,
    ProviderError,
    ThinkingBlock,
    ThinkingMode,
    ThinkingReplayOmission,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
)
from agentports.providers._base import HttpProvider
from agentports.providers._claude_models import takes_forced_choice, thinking_mode_of
from agentports.providers._replay import OmissionReason, Replay, open_from, replay_completely, replay_faithfully

__all__ = ["ClaudeRequests"]

SMALLEST_BUDGET = 1024  # of thinking, in tokens
ROOM_TO_ANSWER = 1024  # tokens that are left beside the thinking


class ClaudeRequests(HttpProvider):
    """The part of the asking half that follows from the model, not from the wire."""

    _model: str
    _max_tokens: int

    # ---- what depends on the model

    def resolve_model(self, model: str) -> str:
        """Return the default model for the adapter's own name, any other id unchanged."""
        return self._model if model == self.name else model

    def thinking_mode(self, model: str) -> ThinkingMode:
        """Return how the model is asked to think."""
        return thinking_mode_of(self.resolve_model(model))

    def takes_thinking_back(self, model: str) -> bool:
        """Whether thinking may stand in the conversation; a model that does not think rejects it."""
        return self.thinking_mode(model) != "none"

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
                if not self.takes_thinking_back(model):
                    raise UnsupportedThinkingError(provider=self.name, model=model)
                if block.type == "redacted_thinking" and not block.signature:
                    raise self.not_replayable()

    def not_replayable(self) -> ProviderError:
        """Build the exception for redacted thinking whose opaque value is missing."""
        message = f"[{self.name}] redacted thinking of the open turn has lost its value; nothing was sent"
        return ProviderError(message, code="THINKING_NOT_REPLAYABLE", provider=self.name)

    # ---- thinking that is asked for

    def thinking_field(self, request: LLMRequest) -> Mapping[str, Any] | None:
        """Write the wish for thinking in the way that the model understands."""
        if request.thinking is None:
            return None
        if self.thinking_mode(request.model) == "adaptive":
            return {"type": "adaptive", "display": "summarized"}
        return {"type": "enabled", "budget_tokens": request.thinking.budget}

    def cap_for(self, request: LLMRequest) -> int:
        """Return the output cap, under which there must be room for the thinking."""
        cap = self._max_tokens if request.max_tokens is None else request.max_tokens
        if request.thinking is None:
            return cap
        needed = request.thinking.budget + ROOM_TO_ANSWER
        if self.thinking_mode(request.model) == "adaptive":
            return max(cap, needed)
        return cap if cap > request.thinking.budget else needed

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
        if not self.takes_thinking_back(model):
            return "unsupported-by-model"
        return None if block.signature else "unsigned"
