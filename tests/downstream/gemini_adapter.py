"""A thin provider over the vendor's own asynchronous client, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.gemini_adapter:GeminiSDKProvider --known-failures
tests/downstream/gemini-known-failures.toml -W ignore::UserWarning:google.genai._common`.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from typing import Any

from google import genai
from google.genai import types

from agentports.ports import LLMChunk, LLMRequest, LLMResponse, ProviderError
from tests.downstream.asynchronous import AsyncAdapter
from tests.downstream.gemini_mapping import Answer, config_of, contents_of, error_of


class GeminiSDKProvider(AsyncAdapter):
    """Gemini through `google.genai.Client`, its retries switched off."""

    wire = "gemini"
    name = "gemini-sdk"
    carries_in_messages = ("user", "assistant")
    carries_forced_tool_choice = True
    carries_native_output_schema = True

    def __init__(self, base_url: str, api_key: Any, model: str = "gemini-2.5-flash") -> None:
        super().__init__(api_key, model)
        self._base_url = base_url
        self._clients: dict[str, genai.Client] = {}
        self._numbers = itertools.count(1)

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        """Ask once, whole."""
        client = await self._client_for(request)
        call = client.aio.models.generate_content(**self._arguments(request))
        answer = Answer()
        answer.take(await self._awaited(request, call))
        return self._response(answer, request)

    async def stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[LLMChunk]:
        """Ask once, in pieces."""
        client = await self._client_for(request)
        call = client.aio.models.generate_content_stream(**self._arguments(request))
        pieces = await self._awaited(request, call)
        answer, index = Answer(), itertools.count()
        try:
            while (piece := await self._awaited(request, anext(pieces, None))) is not None:
                for thought, text in answer.take(piece):
                    said = {"thinking_delta": text} if thought else {"content": text}
                    yield LLMChunk(token_index=next(index), **said)
        finally:
            await pieces.aclose()
        if answer.reason is None:
            raise ProviderError(f"{self.name}: the stream was cut", provider=self.name, code="STREAM_INCOMPLETE")
        yield LLMChunk(token_index=next(index), done=True, response=self._response(answer, request))

    async def aclose(self) -> None:
        """Close the clients' connections."""
        for client in self._clients.values():
            await client.aio.aclose()

    def error_of(self, error: Exception) -> ProviderError:
        """The client's exception in the port's words."""
        return error_of(self.name, error)

    def _arguments(self, request: LLMRequest) -> dict[str, Any]:
        return {"model": self._resolved(request.model), "contents": contents_of(request), "config": config_of(request)}

    def _response(self, answer: Answer, request: LLMRequest) -> LLMResponse:
        taken = {call.id for message in request.messages for call in message.tool_calls or ()}
        free = (name for n in self._numbers if (name := f"{self.name}-call-{n}") not in taken)
        return answer.response([next(free) for _ in answer.parts])

    async def _client_for(self, request: LLMRequest) -> genai.Client:
        key = await self._key(request)
        if key not in self._clients:
            once = types.HttpRetryOptions(attempts=1)
            options = types.HttpOptions(base_url=self._base_url, retry_options=once)
            self._clients[key] = genai.Client(api_key=key, vertexai=False, http_options=options)
        return self._clients[key]
