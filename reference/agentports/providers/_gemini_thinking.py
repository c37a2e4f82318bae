"""Reasoning on Gemini's wire: parts of text that say that they are thoughts (document 12, section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentports.ports import ThinkingBlock
from agentports.providers._reading import objects_in, text_in

__all__ = ["GeminiThinkingHandler", "is_thought", "thought_part"]


def is_thought(part: Mapping[str, Any]) -> bool:
    """Whether a part is reasoning and no part of the answer."""
    return part.get("thought") is True


def thought_part(text: str) -> dict[str, Any]:
    """Return reasoning as the vendor's part."""
    return {"text": text, "thought": True}


@dataclass(frozen=True)
class GeminiThinkingHandler:
    """Reads a list of parts. Thoughts are not signed; what is signed are the calls."""

    id: str = "gemini"
    provider_names: Sequence[str] = ("gemini",)

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        """Return the thoughts in order; what is no thought is passed over."""
        thoughts = (text_in(part, "text") for part in objects_in(raw) if is_thought(part))
        return [ThinkingBlock(content=thought) for thought in thoughts if thought]
