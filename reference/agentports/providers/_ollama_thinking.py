"""Reasoning on Ollama's wire: in a field of its own, or between tags in the text (document 12, section 7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agentports.ports import ThinkingBlock

__all__ = ["OllamaThinkingHandler", "raw_thinking"]

_OPENING = "<think"
_INLINE = re.compile(r"<think\b[^>]*>(.*?)(?:</think>|\Z)", re.DOTALL)


def raw_thinking(thinking: str, content: str) -> dict[str, str] | None:
    """Return the thinking of an answer as the vendor carried it; the content keeps its tags."""
    if thinking:
        return {"kind": "field", "thinking": thinking}
    return {"kind": "inline", "content": content} if _OPENING in content else None


@dataclass(frozen=True)
class OllamaThinkingHandler:
    """Reads what `raw_thinking` gives. Nothing on this wire is signed."""

    id: str = "ollama"
    provider_names: Sequence[str] = ("ollama",)

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        """Return the blocks in order; an opening tag that nothing closes holds all that follows."""
        return [ThinkingBlock(content=thought) for thought in _thoughts(raw) if thought]


def _thoughts(raw: Any) -> list[str]:
    kind = raw.get("kind") if isinstance(raw, dict) else None
    if kind == "field" and isinstance(raw.get("thinking"), str):
        return [raw["thinking"]]
    if kind == "inline" and isinstance(raw.get("content"), str):
        return _INLINE.findall(raw["content"])
    return []
