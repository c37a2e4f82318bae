"""Adapters that misread whole answers of openai-chat."""

from __future__ import annotations

from typing import Any

from agentports.ports import LLMResponse, Usage
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("WIRE-OAI-USAGE", wire="openai-chat")
class ReadsTheTotal(OpenAIChatProvider):
    """States total_tokens as output."""

    def read_usage(self, usage: Any) -> Any:
        return super().read_usage({**(usage or {}), "completion_tokens": (usage or {}).get("total_tokens", 0)})


@defect("WIRE-OAI-USAGE-DETAILS", wire="openai-chat")
class ReadsNoDetails(OpenAIChatProvider):
    """Leaves the details of the counts out."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        return Usage(input=read.input, output=read.output)


@defect("WIRE-OAI-USAGE-DETAILS", wire="openai-chat")
class SubtractsTheDetails(OpenAIChatProvider):
    """Takes cached tokens out of the input, as another vendor counts."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        return read.model_copy(update={"input": read.input - (read.cache_read or 0)})


@defect("WIRE-OAI-STOP-REASONS", wire="openai-chat")
class LeavesLengthAsItIs(OpenAIChatProvider):
    """Passes length through."""

    def stop_reason_of(self, reason: Any, *, has_calls: bool) -> str:
        return "length" if reason == "length" else super().stop_reason_of(reason, has_calls=has_calls)


@defect("WIRE-OAI-STOP-REASONS", wire="openai-chat")
@defect("PRV-STOP-REASON-NORMALISED", wire="openai-chat")
class TakesCallsForAnEnd(OpenAIChatProvider):
    """Says tool_use of an answer that was cut off, as soon as it holds calls."""

    def stop_reason_of(self, reason: Any, *, has_calls: bool) -> str:
        word = super().stop_reason_of(reason, has_calls=has_calls)
        return "tool_use" if has_calls and word in ("max_tokens", "content_filter") else word


@defect("WIRE-OAI-NO-CHOICES-RAISES", wire="openai-chat")
class AnswersWithoutChoices(OpenAIChatProvider):
    """Takes an answer without choices for an empty one."""

    def read_response(self, call: Any, document: Any) -> Any:
        if document.get("choices"):
            return super().read_response(call, document)
        return LLMResponse(content="", usage=self.read_usage(document.get("usage")), stop_reason="stop")
