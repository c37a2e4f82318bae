"""What adapters for Anthropic's models share, whichever library speaks to the service."""

from __future__ import annotations

import re
from typing import Any

from agentports.ports import LLMRequest, ProviderError, UnsupportedThinkingError, UnsupportedToolChoiceError
from tests.downstream.anthropic_answers import error_of
from tests.downstream.anthropic_mapping import body_of
from tests.downstream.asynchronous import AsyncAdapter

_VERSION = re.compile(r"claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?!\d)")
_NO_FORCED_CHOICE = ("claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1", "claude-mythos-5-1")


class ClaudeAdapter(AsyncAdapter):
    """An adapter for Anthropic's messages."""

    wire = "anthropic-messages"
    carries_in_messages = ("user", "assistant")
    carries_forced_tool_choice = True
    carries_native_output_schema = True
    prompt_caching = {"mode": "markers", "reports_usage": True, "max_markers": 4}

    def thinking_mode(self, model: str) -> str:
        """The vendor's models think since 3.7, and say themselves how much since 4.6."""
        found = _VERSION.search(self._resolved(model))
        version = (int(found[1]), int(found[2] or 0)) if found else (4, 6)
        return "none" if version < (3, 7) else "budget" if version < (4, 6) else "adaptive"

    def supports_forced_tool_choice(self, model: str) -> bool:
        """Some of the newest models reject a forced choice."""
        return not self._resolved(model).startswith(_NO_FORCED_CHOICE)

    def error_of(self, error: Exception) -> ProviderError:
        """The client's exception in the port's words."""
        return error_of(self.name, error)

    def _body(self, request: LLMRequest) -> dict[str, Any]:
        """The arguments of a call. Raises where the model cannot do what the request wants."""
        model = self._resolved(request.model)
        mode = self.thinking_mode(model)
        if request.tools and request.tool_choice and not self.supports_forced_tool_choice(model):
            raise UnsupportedToolChoiceError(provider=self.name, model=model)
        if request.thinking is not None and mode == "none":
            raise UnsupportedThinkingError(provider=self.name, model=model)
        budget = request.thinking and request.thinking.budget
        if budget is not None and (not isinstance(budget, int) or budget < 1024):
            raise ValueError(f"{self.name}: a budget is a whole number of at least 1024")
        return body_of(request, model, mode)
