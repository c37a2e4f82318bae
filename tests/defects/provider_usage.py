"""Adapters that count by themselves."""

from __future__ import annotations

from typing import Any

from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect

OPTIONAL = ("cache_read", "cache_write", "thinking")


@defect("PRV-USAGE-REPORTED", wire="openai-chat")
class SwapsTheCounts(OpenAIChatProvider):
    """States the completion's tokens as input and the prompt's as output."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        return read.model_copy(update={"input": read.output, "output": read.input})


@defect("PRV-USAGE-REPORTED", wire="openai-chat")
class ForgetsUsageInStreams(OpenAIChatProvider):
    """States the vendor's counts for whole answers only."""

    def finish_stream(self, state: Any) -> Any:
        state.usage = None
        return super().finish_stream(state)


@defect("PRV-USAGE-NEVER-ESTIMATED", wire="openai-chat")
class EstimatesFromLengths(OpenAIChatProvider):
    """Divides lengths by four where the vendor reported nothing."""

    def make_response(self, call: Any, *, content: str, usage: Any, **rest: Any) -> Any:
        estimate = {"prompt_tokens": len(call.body) // 4, "completion_tokens": len(content) // 4}
        return super().make_response(call, content=content, usage=usage or estimate, **rest)


@defect("PRV-USAGE-ABSENT-STAYS-ABSENT", wire="openai-chat")
class FillsUpWithZeros(OpenAIChatProvider):
    """States an optional count that nobody reported as 0."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        filled = {name: getattr(read, name) or 0 for name in OPTIONAL} if usage else {}
        return read.model_copy(update=filled)


@defect("PRV-USAGE-ZERO-KEPT", wire="openai-chat")
class DropsZeros(OpenAIChatProvider):
    """Takes a reported 0 for an absent count."""

    def read_usage(self, usage: Any) -> Any:
        read = super().read_usage(usage)
        return read.model_copy(update={name: getattr(read, name) or None for name in OPTIONAL})
