"""What a model is asked (document 10, section 3)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from agentports.ports.messages import Data, LLMMessage
from agentports.ports.signals import AbortSignal

__all__ = ["CacheMarker", "LLMRequest", "LLMToolSchema", "OutputFormat", "ThinkingIntent", "ToolChoice"]


class LLMToolSchema(Data):
    """A tool on offer. `input_schema` is JSON Schema and goes to the wire unchanged."""

    name: str
    description: str
    input_schema: dict[str, Any]


class CacheMarker(Data):
    """A hint that everything up to `boundary_index` (0-based, inclusive) is a stable prefix."""

    field: Literal["system", "tools", "messages"]
    boundary_index: int
    ttl: Literal["short", "long"] = "short"
    reason: str = ""


class ThinkingIntent(Data):
    """The wish for reasoning; the adapter translates it for its model. `budget` is in tokens."""

    budget: int


class ToolChoice(Data):
    """Answer through exactly this tool. A guarantee: written to the wire or refused, never dropped."""

    type: Literal["tool"] = "tool"
    name: str


@dataclass(frozen=True)
class OutputFormat:
    """Constrain the text answer by the vendor's own structured output. A guarantee, like `ToolChoice`.

    A dataclass, because a pydantic model has no room for a field named `schema`.
    """

    schema: dict[str, Any]
    type: Literal["json_schema"] = "json_schema"


class LLMRequest(Data):
    """One request. Fields that this version does not know are kept, so that wrappers hand them on."""

    model_config = ConfigDict(frozen=True, from_attributes=True, extra="allow", arbitrary_types_allowed=True)

    model: str
    messages: list[LLMMessage]
    system_prompt: str | None = None
    tools: list[LLMToolSchema] | None = None
    temperature: float | int | None = None
    max_tokens: int | None = None
    stop: list[str] | None = None
    signal: AbortSignal | None = None
    cache_markers: list[CacheMarker] | None = None
    thinking: ThinkingIntent | None = None
    tool_choice: ToolChoice | None = None
    output_format: OutputFormat | None = None
