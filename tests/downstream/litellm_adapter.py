"""A thin provider over a library that speaks to many vendors, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.litellm_adapter:LiteLLMProvider --known-failures
tests/downstream/litellm-known-failures.toml`.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import AsyncIterator
from typing import Any

import openai

from agentports.ports import (
    LLMChunk,
    LLMRequest,
    LLMResponse,
    ProviderError,
    UnsupportedNativeOutputError,
)
from tests.downstream.openai_mapping import Answer, body_of, error_of
from tests.downstream.unless_aborted import unless_aborted

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else the import asks the network for a list of prices
from litellm import acompletion


class LiteLLMProvider:
    """Chat completions through `litellm.acompletion`, its retries switched off."""

    wire = "openai-chat"
    name = "litellm"
    carries_in_messages = ("system", "user", "assistant")
    carries_forced_tool_choice = True
    carries_native_output_schema = True

    def __init__(self, base_url: str, api_key: Any, model: str = "gpt-4o-mini") -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._model = model

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
        chunks = await self._ask(request, stream=True, stream_options={"include_usage": True})
        try:
            while (chunk := await unless_aborted(request.signal, self._converted(anext(chunks, None)))) is not None:
                text = answer.take_piece(chunk)
                if text:
                    yield LLMChunk(token_index=index, content=text)
                    index += 1
        finally:
            await chunks.aclose()
        yield LLMChunk(token_index=index, done=True, response=answer.response(self.name))

    def _resolved(self, model: str) -> str:
        return self._model if model == self.name else model

    async def _ask(self, request: LLMRequest, **options: Any) -> Any:
        if request.signal is not None:
            request.signal.raise_if_aborted()
        model = self._resolved(request.model)
        if request.output_format is not None and not self.supports_native_output_schema(model):
            raise UnsupportedNativeOutputError(provider=self.name, model=model)
        body = {**body_of(request, model), "model": f"openai/{model}"}
        place = {"api_base": self._base_url, "api_key": await self._key(), "num_retries": 0, "max_retries": 0}
        return await unless_aborted(request.signal, self._converted(acompletion(**body, **place, **options)))

    async def _converted(self, call: Any) -> Any:
        try:
            return await call
        except openai.OpenAIError as error:
            raise error_of(self.name, error) from error

    async def _key(self) -> str:
        key = self._api_key() if callable(self._api_key) else self._api_key
        key = await key if inspect.isawaitable(key) else key
        if not key:
            raise ProviderError(f"{self.name}: the API key is empty", provider=self.name)
        return str(key)
