"""The dialects by wire name."""

from __future__ import annotations

from portproof.errors import UsageProblem
from portproof.wires.anthropic_messages import AnthropicMessagesDialect
from portproof.wires.base import (
    Dialect,
    WireCall,
    WireMark,
    WireRequest,
    WireResult,
    WireTool,
    WireTurn,
)
from portproof.wires.bedrock_converse import BedrockConverseDialect
from portproof.wires.gemini import GeminiDialect
from portproof.wires.ollama import OllamaDialect
from portproof.wires.openai_chat import OpenAIChatDialect
from portproof.wires.openai_responses import OpenAIResponsesDialect

__all__ = [
    "DIALECTS",
    "Dialect",
    "WireCall",
    "WireMark",
    "WireRequest",
    "WireResult",
    "WireTool",
    "WireTurn",
    "dialect_named",
]

#: Every wire that can be checked.
DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        OpenAIChatDialect(),
        OpenAIResponsesDialect(),
        AnthropicMessagesDialect(),
        BedrockConverseDialect(),
        GeminiDialect(),
        OllamaDialect(),
    )
}


def dialect_named(name: str) -> Dialect:
    """The dialect of that wire.

    Raises `UsageProblem` that lists the wires.
    """
    if name not in DIALECTS:
        raise UsageProblem(f"no wire is named {name!r}. The wires are {', '.join(DIALECTS)}.")
    return DIALECTS[name]
