"""Adapters whose streams cheat."""

from __future__ import annotations

from typing import Any

from agentports.ports import Usage
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("STR-PARITY-COMPLETE", wire="openai-chat")
class StreamForgetsUsage(OpenAIChatProvider):
    """The stream's response states no tokens."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        return super().terminal_chunk(state, response.model_copy(update={"usage": Usage()}))
