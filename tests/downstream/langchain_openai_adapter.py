"""A thin provider over LangChain's chat model, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.langchain_openai_adapter:LangChainOpenAIProvider
--known-failures tests/downstream/langchain-openai-known-failures.toml`.
"""

from __future__ import annotations

from typing import Any

import httpx
import openai
from langchain_openai import ChatOpenAI

from agentports.ports import LLMRequest, LLMResponse
from tests.downstream.completions import ChatAdapter
from tests.downstream.langchain_adapter import LangChainAdapter
from tests.downstream.langchain_mapping import response_of
from tests.downstream.openai_mapping import body_of

_STOP_REASONS = {"tool_calls": "tool_use", "length": "max_tokens"}


class LangChainOpenAIProvider(ChatAdapter, LangChainAdapter):
    """Chat completions through `langchain_openai.ChatOpenAI`, its retries switched off."""

    name = "langchain-openai"
    failures = (openai.OpenAIError, httpx.HTTPError, ValueError, TypeError, AttributeError, KeyError)

    def __init__(self, base_url: str, api_key: Any, model: str = "gpt-4o-mini") -> None:
        super().__init__(base_url, api_key, model)
        self._http = httpx.AsyncClient()

    async def aclose(self) -> None:
        """Close the client's connections."""
        await self._http.aclose()

    def _body(self, request: LLMRequest) -> dict[str, Any]:
        return body_of(request, self._asked_model(request))

    def _chat(self, **arguments: Any) -> Any:
        # Its deadline for a chunk is kept by `asyncio.wait_for`, which loses a cancellation that comes with the chunk.
        chosen = {"stream_usage": True, "stream_chunk_timeout": None}
        return ChatOpenAI(**arguments, http_async_client=self._http, **chosen)

    def _response(self, message: Any) -> LLMResponse:
        reason = message and message.response_metadata.get("finish_reason")
        return response_of(self.name, message, _STOP_REASONS.get(reason, reason))
