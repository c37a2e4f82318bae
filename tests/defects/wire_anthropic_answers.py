"""Adapters that misread whole answers of Anthropic."""

from __future__ import annotations

from typing import Any

from agentports.providers import AnthropicMessagesProvider
from portproof.selftest import defect


@defect("WIRE-ANT-USAGE-CACHE", wire="anthropic-messages")
class AddsCachedTokensToInput(AnthropicMessagesProvider):
    """Counts as another vendor does."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        return read.model_copy(update={"input": read.input + (read.cache_read or 0) + (read.cache_write or 0)})


@defect("WIRE-ANT-USAGE-CACHE", wire="anthropic-messages")
class TakesZeroForAbsent(AnthropicMessagesProvider):
    """Leaves out counts that are zero."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        return read.model_copy(update={"cache_read": read.cache_read or None, "cache_write": read.cache_write or None})


@defect("WIRE-ANT-USAGE-CACHE", wire="anthropic-messages")
class SwapsReadAndWrite(AnthropicMessagesProvider):
    """States tokens that were written as tokens that were read."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        return read.model_copy(update={"cache_read": read.cache_write, "cache_write": read.cache_read})


@defect("WIRE-ANT-USAGE-THINKING", wire="anthropic-messages")
class ReadsNoDetails(AnthropicMessagesProvider):
    """Leaves the details of the counts out."""

    def read_usage(self, usage: Any) -> Any:
        return super().read_usage(usage).model_copy(update={"thinking": None})


@defect("WIRE-ANT-USAGE-THINKING", wire="anthropic-messages")
class AddsThinkingToOutput(AnthropicMessagesProvider):
    """Adds the thinking to the count that holds it."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        return read.model_copy(update={"output": read.output + (read.thinking or 0)})


@defect("WIRE-ANT-USAGE-THINKING", wire="anthropic-messages")
class StatesZeroThinking(AnthropicMessagesProvider):
    """States zero where the vendor says nothing."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        return read.model_copy(update={"thinking": read.thinking or 0})


@defect("WIRE-ANT-STOP-REASONS", wire="anthropic-messages")
class MapsEverythingElseToStop(AnthropicMessagesProvider):
    """Knows three reasons."""

    def stop_reason_of(self, reason: Any, *, has_calls: bool) -> str:
        word = super().stop_reason_of(reason, has_calls=has_calls)
        return word if word in ("tool_use", "max_tokens", "incomplete_stream") else "stop"


@defect("WIRE-ANT-STOP-REASONS", wire="anthropic-messages")
class TranslatesRefusals(AnthropicMessagesProvider):
    """Takes a refusal for a content filter."""

    def stop_reason_of(self, reason: Any, *, has_calls: bool) -> str:
        word = super().stop_reason_of(reason, has_calls=has_calls)
        return "content_filter" if word == "refusal" else word


@defect("WIRE-ANT-MANIFEST", wire="anthropic-messages")
class StatesNoManifest(AnthropicMessagesProvider):
    """Says nothing of what it sent."""

    def make_response(self, call: Any, **fields: Any) -> Any:
        return super().make_response(call, **fields).model_copy(update={"wire_manifest": None})


@defect("WIRE-ANT-MANIFEST", wire="anthropic-messages")
class StatesItsManifestInCompleteOnly(AnthropicMessagesProvider):
    """Forgets the manifest in streams."""

    def terminal_chunk(self, state: Any, response: Any) -> Any:
        return super().terminal_chunk(state, response.model_copy(update={"wire_manifest": None}))
