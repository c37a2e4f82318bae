"""A thin provider over LangChain's chat model, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.langchain_openai_adapter:LangChainOpenAIProvider
--known-failures tests/downstream/langchain-openai-known-failures.toml`.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import httpx
import openai
from langchain_openai import ChatOpenAI

from agentports.ports import LLMChunk, LLMRequest, LLMResponse, ProviderError, UnsupportedNativeOutputError
from tests.downstream.langchain_mapping import response_of
from tests.downstream.openai_mapping import body_of, error_of
from tests.downstream.unless_aborted import unless_aborted


class LangChainOpenAIProvider:
    """Chat completions through `langchain_openai.ChatOpenAI`, its retries switched off."""

    wire = "openai-chat"
    name = "langchain-openai"
    carries_in_messages = ("system", "user", "assistant")
    carries_forced_tool_choice = True
    carries_native_output_schema = True

    def __init__(self, base_url: str, api_key: Any, model: str = "gpt-4o-mini") -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._model = model
        self._http = httpx.AsyncClient()
        self._chats: dict[tuple[str, str], Any] = {}

    def supports_native_output_schema(self, model: str) -> bool:
        """The vendor added structured output with its models of 2024."""
        return not self._resolved(model).startswith("gpt-3.5")

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        """Ask once, whole."""
        model, messages = await self._asked(request)
        call = model.ainvoke(messages)
        return response_of(self.name, await unless_aborted(request.signal, self._converted(call)))

    async def stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[LLMChunk]:
        """Ask once, in pieces."""
        model, messages = await self._asked(request)
        index, whole, counts = 0, None, None
        async with aclosing(model.astream(messages)) as pieces:
            while (piece := await unless_aborted(request.signal, self._converted(anext(pieces, None)))) is not None:
                counts = piece.usage_metadata or counts
                whole = piece if whole is None else whole + piece
                whole.usage_metadata = counts  # to add pieces adds up statements of which the last one counts
                if piece.text:
                    yield LLMChunk(token_index=index, content=piece.text)
                    index += 1
        yield LLMChunk(token_index=index, done=True, response=response_of(self.name, whole))

    async def aclose(self) -> None:
        """Close the client's connections."""
        await self._http.aclose()

    def _resolved(self, model: str) -> str:
        return self._model if model == self.name else model

    async def _asked(self, request: LLMRequest) -> tuple[Any, list[Any]]:
        if request.signal is not None:
            request.signal.raise_if_aborted()
        model = self._resolved(request.model)
        if request.output_format is not None and not self.supports_native_output_schema(model):
            raise UnsupportedNativeOutputError(provider=self.name, model=model)
        body = body_of(request, model)
        messages = body.pop("messages")
        return self._chat(body.pop("model"), await self._key()).bind(**body), messages

    def _chat(self, model: str, key: str) -> Any:
        if (model, key) not in self._chats:
            place = {"base_url": self._base_url, "http_async_client": self._http}
            chat = ChatOpenAI(model=model, api_key=key, **place, max_retries=0, stream_usage=True)
            self._chats[model, key] = chat
        return self._chats[model, key]

    async def _converted(self, call: Any) -> Any:
        try:
            return await call
        except (openai.OpenAIError, httpx.HTTPError, ValueError, TypeError, AttributeError, KeyError) as error:
            raise error_of(self.name, error) from error

    async def _key(self) -> str:
        key = self._api_key() if callable(self._api_key) else self._api_key
        key = await key if inspect.isawaitable(key) else key
        if not key:
            raise ProviderError(f"{self.name}: the API key is empty", provider=self.name)
        return str(key)
