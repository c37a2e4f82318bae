"""Adapters whose answers are no answers, or somebody else's."""

from __future__ import annotations

import asyncio
from typing import Any

from agentports.ports import ProviderError
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("PRV-RESPONSE-SHAPE", wire="openai-chat")
class NoContentBesideCalls(OpenAIChatProvider):
    """content is None when the model only called tools."""

    def make_response(self, call: Any, **parts: Any) -> Any:
        response = super().make_response(call, **parts)
        silent = response.tool_calls and not response.content
        return response.model_copy(update={"content": None}) if silent else response


@defect("PRV-RESPONSE-SHAPE", wire="openai-chat")
class NoUsageWithoutCounts(OpenAIChatProvider):
    """usage is None when the vendor reported none."""

    def make_response(self, call: Any, **parts: Any) -> Any:
        response = super().make_response(call, **parts)
        return response.model_copy(update={"usage": None}) if parts["usage"] is None else response


@defect("PRV-MALFORMED-SUCCESS-BODY", wire="openai-chat")
class TakesPagesForSilence(OpenAIChatProvider):
    """Catches the parser's error and returns empty content."""

    def parse_body(self, call: Any, text: str) -> Any:
        try:
            return super().parse_body(call, text)
        except ProviderError:
            return {"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}


@defect("PRV-CONCURRENT-CALLS-ISOLATED", wire="openai-chat")
class OneStreamForAll(OpenAIChatProvider):
    """Accumulates the text of its streams on the provider."""

    def new_stream(self, call: Any) -> Any:
        self._latest = super().new_stream(call)
        return self._latest

    def text_chunks(self, state: Any, text: str) -> Any:
        return super().text_chunks(self._latest, text)


@defect("PRV-CONCURRENT-CALLS-ISOLATED", wire="openai-chat")
class KeepsTheAnswerOnItself(OpenAIChatProvider):
    """Holds the answer of a whole call on the provider while others come in."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        self._answer = await super().complete(request, hooks)
        await asyncio.sleep(0.001)
        return self._answer
