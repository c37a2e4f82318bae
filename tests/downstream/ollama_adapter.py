"""A thin provider over the vendor's own asynchronous client, as a subject whose transport is not ours.

Run from the repository: `pytest --adapter tests.downstream.ollama_adapter:OllamaSDKProvider --known-failures
tests/downstream/ollama-known-failures.toml`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import httpx
import ollama

from agentports.ports import (
    LLMChunk,
    LLMRequest,
    LLMResponse,
    ProviderError,
    UnsupportedNativeOutputError,
    UnsupportedToolChoiceError,
)
from tests.downstream.errors import provider_error
from tests.downstream.ollama_mapping import Answer, arguments_of
from tests.downstream.unless_aborted import unless_aborted

_FAILURES = (ollama.ResponseError, ConnectionError, httpx.HTTPError, ValueError, TypeError, AttributeError)


class OllamaSDKProvider:
    """Chats through `ollama.AsyncClient`."""

    wire = "ollama"
    name = "ollama-sdk"
    carries_in_messages = ("system", "user", "assistant")

    def __init__(self, base_url: str, model: str = "llama3.2") -> None:
        self._host = base_url.rstrip("/").removesuffix("/v1")
        self._model = model
        self._client = ollama.AsyncClient(host=self._host)

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        """Ask once, whole."""
        answer = Answer()
        answer.take(await self._ask(request, stream=False))
        return answer.response(self.name)

    async def stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[LLMChunk]:
        """Ask once, line by line."""
        answer, index = Answer(), 0
        async with aclosing(await self._ask(request, stream=True)) as lines:
            while (line := await self._next(request, lines)) is not None:
                text, thinking = answer.take(line)
                if text or thinking:
                    yield LLMChunk(token_index=index, content=text, thinking_delta=thinking or None)
                    index += 1
        yield LLMChunk(token_index=index, done=True, response=answer.response(self.name))

    async def aclose(self) -> None:
        """Close the client's connections."""
        await self._client.close()

    def _resolved(self, model: str) -> str:
        return self._model if model == self.name else model

    async def _ask(self, request: LLMRequest, *, stream: bool) -> Any:
        if request.signal is not None:
            request.signal.raise_if_aborted()
        model = self._resolved(request.model)
        if request.tool_choice is not None and request.tools:
            raise UnsupportedToolChoiceError(provider=self.name, model=model)
        if request.output_format is not None:
            raise UnsupportedNativeOutputError(provider=self.name, model=model)
        call = self._client.chat(**arguments_of(request, model), stream=stream)
        return await unless_aborted(request.signal, self._converted(request, call))

    async def _next(self, request: LLMRequest, lines: Any) -> Any:
        return await unless_aborted(request.signal, self._converted(request, anext(lines, None)))

    async def _converted(self, request: LLMRequest, call: Any) -> Any:
        try:
            return await call
        except _FAILURES as error:
            raise await self._error_of(request, error) from error

    async def _error_of(self, request: LLMRequest, error: Exception) -> ProviderError:
        status = status if (status := getattr(error, "status_code", -1)) > 0 else None
        if status == 404 or not isinstance(error, ollama.ResponseError):
            message = f"{self.name}: {error} ({self._host})"
            pulled = (
                f"; {self._resolved(request.model)} is not among {', '.join(await self._pulled())}" if status else ""
            )
            code = "MODEL_NOT_PULLED" if status else "DAEMON_UNREACHABLE"
            return ProviderError(message + pulled, provider=self.name, status=status, code=code)
        return provider_error(self.name, error, status=status)

    async def _pulled(self) -> list[str]:
        try:
            return [model.model or "" for model in (await self._client.list()).models]
        except _FAILURES:
            return []
