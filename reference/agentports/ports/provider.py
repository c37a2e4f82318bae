"""The provider port: its members, its hooks, and how its capabilities are read (document 10, sections 6 and 7)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from agentports.ports.messages import DEFAULT_CARRIES_IN_MESSAGES, Data, ReplayPreparation, ThinkingBlock
from agentports.ports.reports import ResilienceReport
from agentports.ports.requests import LLMRequest
from agentports.ports.responses import LLMChunk, LLMResponse

__all__ = [
    "OPTIONAL_CAPABILITIES",
    "LLMCallHooks",
    "LLMProvider",
    "PromptCaching",
    "StreamingProvider",
    "ThinkingHandler",
    "ThinkingMode",
    "carried_roles",
    "forced_tool_choice_for",
    "native_output_schema_for",
]

ThinkingMode = Literal["budget", "adaptive", "none"]

#: The optional members besides `stream`, each of which every wrapper carries over.
OPTIONAL_CAPABILITIES = (
    "prompt_caching",
    "thinking_handler",
    "thinking_mode",
    "carries_in_messages",
    "carries_forced_tool_choice",
    "supports_forced_tool_choice",
    "carries_native_output_schema",
    "supports_native_output_schema",
)


@dataclass(frozen=True)
class LLMCallHooks:
    """Synchronous listeners of one call. A hook that raises is its owner's bug and reaches the caller."""

    on_replay_prepared: Callable[[ReplayPreparation], object] | None = None
    on_resilience: Callable[[ResilienceReport], object] | None = None


class PromptCaching(Data):
    """How a provider caches prompt prefixes: by markers in the request, or by itself."""

    mode: Literal["markers", "automatic"]
    reports_usage: bool
    max_markers: int | None = None


class ThinkingHandler(Protocol):
    """Turns the `raw_thinking` of the named providers into blocks; pure, total, keeps order."""

    id: str
    provider_names: Sequence[str]

    def normalize(self, raw: Any) -> Sequence[ThinkingBlock]: ...


@runtime_checkable
class LLMProvider(Protocol):
    """The required members. Optional ones may be absent or None, which mean the same."""

    @property
    def name(self) -> str: ...

    async def complete(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> LLMResponse: ...


@runtime_checkable
class StreamingProvider(LLMProvider, Protocol):
    """A provider that can stream."""

    def stream(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> AsyncIterator[LLMChunk]: ...


def forced_tool_choice_for(provider: Any, model: str) -> bool:
    """Whether the provider puts a forced tool choice on the wire for this model."""
    return _declared_for(provider, model, "carries_forced_tool_choice", "supports_forced_tool_choice")


def native_output_schema_for(provider: Any, model: str) -> bool:
    """Whether the provider puts an output schema on the wire for this model."""
    return _declared_for(provider, model, "carries_native_output_schema", "supports_native_output_schema")


def carried_roles(provider: Any) -> tuple[str, ...]:
    """The roles that survive inside `messages`; user and assistant when the provider does not say."""
    declared = getattr(provider, "carries_in_messages", None)
    return DEFAULT_CARRIES_IN_MESSAGES if declared is None else tuple(declared)


def _declared_for(provider: Any, model: str, flag: str, predicate: str) -> bool:
    narrows = getattr(provider, predicate, None)
    return getattr(provider, flag, None) is True and (narrows is None or narrows(model) is True)
