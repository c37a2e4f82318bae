"""A thin provider over the vendor's own asynchronous client, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.anthropic_adapter:AnthropicSDKProvider --known-failures
tests/downstream/anthropic-known-failures.toml`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import AsyncIterator
from typing import Any

import anthropic

from agentports.ports import (
    LLMChunk,
    LLMRequest,
    LLMResponse,
    ProviderError,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
)
from tests.downstream.anthropic_answers import Answer, Handler, error_of
from tests.downstream.anthropic_mapping import body_of
from tests.downstream.unless_aborted import unless_aborted

_VERSION = re.compile(r"claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?!\d)")
_NO_FORCED_CHOICE = ("claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1", "claude-mythos-5-1")


class AnthropicSDKProvider:
    """Messages through `anthropic.AsyncAnthropic`, its retries switched off."""

    wire = "anthropic-messages"
    name = "anthropic-sdk"
    carries_in_messages = ("user", "assistant")
    carries_forced_tool_choice = True
    carries_native_output_schema = True
    thinking_handler = Handler()
    prompt_caching = {"mode": "markers", "reports_usage": True, "max_markers": 4}

    def __init__(self, base_url: str, api_key: Any, model: str = "claude-sonnet-4-5") -> None:
        self._api_key = api_key
        self._model = model
        # A timeout of one's own is what the client wants before it lets long answers come whole.
        self._client = anthropic.AsyncAnthropic(base_url=base_url, api_key="unset", max_retries=0, timeout=600.0)

    def thinking_mode(self, model: str) -> str:
        """The vendor's models think since 3.7, and say themselves how much since 4.6."""
        found = _VERSION.search(self._resolved(model))
        version = (int(found[1]), int(found[2] or 0)) if found else (4, 6)
        return "none" if version < (3, 7) else "budget" if version < (4, 6) else "adaptive"

    def supports_forced_tool_choice(self, model: str) -> bool:
        """Some of the newest models reject a forced choice."""
        return not self._resolved(model).startswith(_NO_FORCED_CHOICE)

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
                event = await unless_aborted(request.signal, self._converted(anext(iterator, None)))
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

    def _resolved(self, model: str) -> str:
        return self._model if model == self.name else model

    async def _ask(self, request: LLMRequest, **options: Any) -> tuple[Any, bytes]:
        """What the client makes of the answer, and the body that it sent."""
        if request.signal is not None:
            request.signal.raise_if_aborted()
        model = self._resolved(request.model)
        self._refuse(request, model)
        messages = self._client.with_options(api_key=await self._key()).messages.with_raw_response
        call = messages.create(**body_of(request, model, self.thinking_mode(model)), **options)
        raw = await unless_aborted(request.signal, self._converted(call))
        return await unless_aborted(request.signal, self._converted(raw.parse())), raw.http_request.content

    def _refuse(self, request: LLMRequest, model: str) -> None:
        if request.tools and request.tool_choice and not self.supports_forced_tool_choice(model):
            raise UnsupportedToolChoiceError(provider=self.name, model=model)
        if request.thinking is None:
            return
        if self.thinking_mode(model) == "none":
            raise UnsupportedThinkingError(provider=self.name, model=model)
        if not isinstance(request.thinking.budget, int) or request.thinking.budget < 1024:
            raise ValueError(f"{self.name}: a budget is a whole number of at least 1024")

    async def _converted(self, call: Any) -> Any:
        try:
            return await call
        except Exception as error:
            raise error_of(self.name, error) from error

    async def _key(self) -> str:
        key = self._api_key() if callable(self._api_key) else self._api_key
        key = await key if inspect.isawaitable(key) else key
        if not key:
            raise ProviderError(f"{self.name}: the API key is empty", provider=self.name)
        return str(key)
