"""What adapters share whose libraries take the arguments of chat completions, and answer with completions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import LLMChunk, LLMRequest, LLMResponse, ProviderError, UnsupportedNativeOutputError
from tests.downstream.asynchronous import AsyncAdapter
from tests.downstream.openai_mapping import Answer, body_of, error_of


class ChatAdapter(AsyncAdapter):
    """An adapter for chat completions."""

    wire = "openai-chat"
    carries_in_messages = ("system", "user", "assistant")
    carries_forced_tool_choice = True
    carries_native_output_schema = True

    def supports_native_output_schema(self, model: str) -> bool:
        """The vendor added structured output with its models of 2024."""
        return not self._resolved(model).startswith("gpt-3.5")

    def error_of(self, error: Exception) -> ProviderError:
        """The client's exception in the port's words."""
        return error_of(self.name, error)

    def _asked_model(self, request: LLMRequest) -> str:
        """The model that is asked. Raises where it cannot do what the request wants."""
        model = self._resolved(request.model)
        if request.output_format is not None and not self.supports_native_output_schema(model):
            raise UnsupportedNativeOutputError(provider=self.name, model=model)
        return model


class CompletionsAdapter(ChatAdapter):
    """An adapter whose library gives the vendor's completions and chunks."""

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
            while (chunk := await self._awaited(request, anext(iterator, None))) is not None:
                text = answer.take_piece(chunk)
                if text:
                    yield LLMChunk(token_index=index, content=text)
                    index += 1
        yield LLMChunk(token_index=index, done=True, response=answer.response(self.name))

    async def _ask(self, request: LLMRequest, **options: Any) -> Any:
        """What the library makes of the answer; a context manager where the options ask for a stream."""
        key, model = await self._key(request), self._asked_model(request)
        return await self._awaited(request, self._call(key, body_of(request, model), **options))

    def _call(self, key: str, body: dict[str, Any], **options: Any) -> Any:
        raise NotImplementedError
