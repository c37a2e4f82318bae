"""A thin provider over the vendor's own asynchronous client, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.openai_adapter:OpenAISDKProvider --known-failures
tests/downstream/openai-known-failures.toml`.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from typing import Any

import httpx
import openai

from agentports.ports import LLMChunk, LLMRequest, LLMResponse, ProviderError, UnsupportedNativeOutputError
from tests.downstream.openai_mapping import Answer, body_of, error_of
from tests.downstream.unless_aborted import unless_aborted


class OpenAISDKProvider:
    """Chat completions through `openai.AsyncOpenAI`, its retries switched off."""

    wire = "openai-chat"
    name = "openai-sdk"
    carries_in_messages = ("system", "user", "assistant")
    carries_forced_tool_choice = True
    carries_native_output_schema = True

    def __init__(self, base_url: str, api_key: Any, model: str = "gpt-4o-mini") -> None:
        self._api_key = api_key
        self._model = model
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key="set for each call", max_retries=0)

    def supports_native_output_schema(self, model: str) -> bool:
        """The vendor added structured output with its models of 2024."""
        return not self._resolved(model).startswith("gpt-3.5")

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        """Ask once, whole."""
        completion = await self._ask(request)
        answer = Answer()
        try:
            answer.take_whole(completion)
        except (AttributeError, IndexError, TypeError) as error:
            raise ProviderError(f"{self.name}: the answer is not a completion", provider=self.name) from error
        return answer.response(self.name)

    async def stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[LLMChunk]:
        """Ask once, in pieces."""
        answer, index = Answer(), 0
        async with await self._ask(request, stream=True, stream_options={"include_usage": True}) as chunks:
            iterator = aiter(chunks)
            while (chunk := await unless_aborted(request.signal, self._converted(anext(iterator, None)))) is not None:
                text = answer.take_piece(chunk)
                if text:
                    yield LLMChunk(token_index=index, content=text)
                    index += 1
        yield LLMChunk(token_index=index, done=True, response=answer.response(self.name))

    async def aclose(self) -> None:
        """Close the client's connections."""
        await self._client.close()

    def _resolved(self, model: str) -> str:
        return self._model if model == self.name else model

    async def _ask(self, request: LLMRequest, **options: Any) -> Any:
        if request.signal is not None:
            request.signal.raise_if_aborted()
        model = self._resolved(request.model)
        if request.output_format is not None and not self.supports_native_output_schema(model):
            raise UnsupportedNativeOutputError(provider=self.name, model=model)
        client = self._client.with_options(api_key=await self._key())
        return await unless_aborted(request.signal, self._converted(self._call(client, request, model, **options)))

    def _call(self, client: openai.AsyncOpenAI, request: LLMRequest, model: str, **options: Any) -> Any:
        return client.chat.completions.create(**body_of(request, model), **options)

    async def _converted(self, call: Any) -> Any:
        try:
            return await call
        except (openai.OpenAIError, httpx.HTTPError, ValueError) as error:
            raise error_of(self.name, error) from error

    async def _key(self) -> str:
        key = self._api_key() if callable(self._api_key) else self._api_key
        key = await key if inspect.isawaitable(key) else key
        if not key:
            raise ProviderError(f"{self.name}: the API key is empty", provider=self.name)
        return str(key)
