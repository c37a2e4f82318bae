"""A thin provider over the responses of the vendor's own client; what it shares with chat completions is there.

Run from the repository: `pytest --adapter tests.downstream.openai_responses_adapter:OpenAIResponsesSDKProvider
--known-failures tests/downstream/openai-responses-known-failures.toml`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import LLMChunk, LLMRequest, LLMResponse, ProviderError
from tests.downstream.openai_adapter import OpenAISDKProvider
from tests.downstream.openai_responses_mapping import Answer, Steps, arguments_of, response_of


class OpenAIResponsesSDKProvider(OpenAISDKProvider):
    """Responses through `openai.AsyncOpenAI`, its retries switched off."""

    wire = "openai-responses"
    name = "openai-responses-sdk"
    thinking_handler = Steps()

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        """Ask once, whole."""
        answered = await self._ask(request)
        try:
            return response_of(self.name, answered)
        except (AttributeError, TypeError) as error:
            raise ProviderError(f"{self.name}: the answer is not a response", provider=self.name) from error

    async def stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[LLMChunk]:
        """Ask once, in events."""
        answer, index = Answer(self.name), 0
        async with await self._ask(request, stream=True) as events:
            iterator = aiter(events)
            while (event := await self._awaited(request, anext(iterator, None))) is not None:
                text, thought = answer.take(event)
                if text or thought:
                    yield LLMChunk(token_index=index, content=text, thinking_delta=thought or None)
                    index += 1
        yield LLMChunk(token_index=index, done=True, response=answer.response())

    async def _ask(self, request: LLMRequest, **options: Any) -> Any:
        key, model = await self._key(request), self._asked_model(request)
        responses = self._client.with_options(api_key=key).responses
        return await self._awaited(request, responses.create(**arguments_of(request, model), **options))
