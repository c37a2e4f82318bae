"""Adapters that translate one way of failing and not another, read too little of a body, or quote too much of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import httpx

from agentports.ports import ContextWindowExceededError, LLMChunk, ProviderError
from agentports.providers import GeminiProvider, OpenAIChatProvider
from portproof.selftest import defect


@defect("ERR-STREAM-TRANSLATED", wire="openai-chat")
class TranslatesWholeAnswersOnly(OpenAIChatProvider):
    """Translates the errors of `complete`, and hands on those of streams as they come."""

    async def stream(self, request: Any, hooks: Any = None) -> AsyncGenerator[LLMChunk, None]:
        try:
            async for chunk in super().stream(request, hooks):
                yield chunk
        except ContextWindowExceededError as error:
            raise ProviderError(str(error), provider=self.name, status=error.status) from error


@defect("ERR-STREAM-TRANSLATED", wire="gemini")
class TranslatesRefusalsOnly(GeminiProvider):
    """Translates what refuses a request, and not what breaks off a stream that began."""

    def stated_error(self, call: Any, error: Any) -> ProviderError:
        return ProviderError(f"[{self.name}] {error['message']}", provider=self.name)


@defect("ERR-BODY-SEARCHED", wire="openai-chat")
class SearchesTheBeginningOnly(OpenAIChatProvider):
    """Searches as much of a body as it quotes."""

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        return super().http_error(call, response, body[:200])


@defect("ERR-BODY-QUOTE-BOUNDED", wire="openai-chat")
class QuotesThePage(OpenAIChatProvider):
    """Quotes whatever came with a failure."""

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.args = (f"[{self.name}] HTTP {response.status_code}: {body}",)
        return error
