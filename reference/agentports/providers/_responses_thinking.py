"""Reasoning as OpenAI's responses carry it: in items of its own, as a summary or as it is (document 12, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentports.ports import ThinkingBlock
from agentports.providers._reading import objects_in, text_in

__all__ = ["ResponsesThinkingHandler"]


@dataclass(frozen=True)
class ResponsesThinkingHandler:
    """Reads the reasoning items of an answer. Each step of a summary is a block, and so is each piece of the rest."""

    id: str = "openai-responses"
    provider_names: Sequence[str] = ("openai",)

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        """Return the blocks in order; what is no reasoning of this wire is passed over."""
        items = objects_in(list(raw)) if isinstance(raw, list | tuple) else []
        return [block for item in items if item.get("type") == "reasoning" for block in _blocks(item)]


def _blocks(item: Mapping[str, Any]) -> list[ThinkingBlock]:
    summary, content = _texts(item, "summary", "summary_text"), _texts(item, "content", "reasoning_text")
    return [ThinkingBlock(content=text, summary=True) for text in summary] + [
        ThinkingBlock(content=text) for text in content
    ]


def _texts(item: Mapping[str, Any], member: str, kind: str) -> list[str]:
    return [
        text for part in objects_in(item.get(member)) if part.get("type") == kind and (text := text_in(part, "text"))
    ]
