"""A thin provider over the vendor's own asynchronous client, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.anthropic_adapter:AnthropicSDKProvider --known-failures
tests/downstream/anthropic-known-failures.toml`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import anthropic

from agentports.ports import LLMChunk, LLMRequest, LLMResponse, ProviderError
from tests.downstream.anthropic_answers import Answer, Handler
from tests.downstream.claude import ClaudeAdapter


class AnthropicSDKProvider(ClaudeAdapter):
    """Messages through `anthropic.AsyncAnthropic`, its retries switched off."""

    name = "anthropic-sdk"
    thinking_handler = Handler("anthropic-sdk")

    def __init__(self, base_url: str, api_key: Any, model: str = "claude-sonnet-4-5") -> None:
        super().__init__(api_key, model)
        # A timeout of one's own is what the client wants before it lets long answers come whole.
        self._client = anthropic.AsyncAnthropic(base_url=base_url, api_key="unset", max_retries=0, timeout=600.0)

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        """Ask once, whole."""
        message, sent = await self._ask(request)
        whole = message.to_dict(warnings=False) if isinstance(message, anthropic.BaseModel) else {}
        if not isinstance(whole.get("content"), list):
            raise ProviderError(f"{self.name}: the answer is not a message", provider=self.name)
        answer = Answer(sent)
        answer.take_whole(whole)
        return answer.response(self.name)

    async def stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[LLMChunk]:
        """Ask once, in pieces."""
        events, sent = await self._ask(request, stream=True)
        answer, index = Answer(sent), 0
        async with events:
            iterator = aiter(events)
            while not answer.ended:
                event = await self._awaited(request, anext(iterator, None))
                if event is None:
                    break
                field, piece = answer.take_event(event.to_dict(warnings=False))
                if piece and field in ("text", "thinking"):
                    said = {"content": piece} if field == "text" else {"thinking_delta": piece}
                    yield LLMChunk(token_index=index, **said)
                    index += 1
        yield LLMChunk(token_index=index, done=True, response=answer.response(self.name))

    async def aclose(self) -> None:
        """Close the client's connections."""
        await self._client.close()

    async def _ask(self, request: LLMRequest, **options: Any) -> tuple[Any, bytes]:
        """What the client makes of the answer, and the body that it sent."""
        key, body = await self._key(request), self._body(request)
        call = self._client.with_options(api_key=key).messages.with_raw_response.create(**body, **options)
        raw = await self._awaited(request, call)
        return await self._awaited(request, raw.parse()), raw.http_request.content
