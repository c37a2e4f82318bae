"""From one family of providers to the other: vendor adapters behind a relay, and a relay where a provider is wanted."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from agentports import ports
from agentports.ports import AbortController, LLMCallHooks, LLMChunk, LLMProvider, LLMRequest, LLMResponse
from agentports.ports.http import (
    HttpProvider,
    Message,
    ProviderAbortError,
    ProviderDelta,
    ProviderError,
    ProviderResult,
    ProviderStreamOptions,
    ToolDefinition,
)
from agentports.relay._bridge_shapes import (
    failure_here,
    failure_there,
    http_request,
    http_result,
    llm_request,
    llm_response,
)
from agentports.relay._racing import Stopped, until

__all__ = ["as_http_provider", "as_llm_provider"]

_BUDGET = 4096  # tokens of reasoning, where the wish is to reason and no more is said


def as_http_provider(
    provider: LLMProvider, *, model: str, thinking_budget: int = _BUDGET, format: Any = None
) -> HttpProvider:
    """A provider port, such as a vendor's adapter, as a provider over HTTP: to stand behind a relay.

    It answers for `model`; `thinking_budget`, in tokens, is asked for where a call wishes to reason. A provider that
    cannot stream gives its answer as one delta.
    """
    return _AsHttp(provider, model, thinking_budget, format)


def as_llm_provider(provider: HttpProvider, *, name: str | None = None) -> LLMProvider:
    """A provider over HTTP, such as a relay's client, as a provider port.

    A forced tool choice is refused. Model, temperature, caps and cache markers are the far provider's own.
    """
    return _AsLLM(provider, name or provider.name)


class _AsHttp:
    def __init__(self, provider: LLMProvider, model: str, thinking_budget: int, format: Any) -> None:
        self.id, self.name, self.format = str(uuid.uuid4()), provider.name, format
        self._provider, self._model, self._budget = provider, model, thinking_budget

    async def stream(
        self,
        messages: Sequence[Message],
        signal: ports.AbortSignal,
        tools: Sequence[ToolDefinition] | None = None,
        options: ProviderStreamOptions | None = None,
    ) -> AsyncGenerator[ProviderDelta | ProviderResult, None]:
        said: list[ProviderDelta] = []
        try:
            if signal.aborted:
                raise Stopped
            request = llm_request(self._model, messages, tools, options, self._budget, signal)
            async with contextlib.aclosing(self._chunks(request, signal)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, LLMResponse):
                        yield http_result(chunk, _text(said, "thinking"))
                        return
                    said.append(chunk)
                    yield chunk
            raise ProviderError("PROTOCOL", "provider error: missing settled result")
        except (ProviderError, ProviderAbortError):
            raise
        except Exception as error:
            if not signal.aborted:
                raise failure_here(error) from error
            partial = ProviderResult(content=_text(said, "content"), thinking=_text(said, "thinking") or None)
            raise ProviderAbortError(partial, cause=None if _is_abort(error) else error) from None

    async def generate(
        self,
        messages: Sequence[Message],
        signal: ports.AbortSignal,
        tools: Sequence[ToolDefinition] | None = None,
        options: ProviderStreamOptions | None = None,
    ) -> ProviderResult:
        *_, result = [item async for item in self.stream(messages, signal, tools, options)]
        assert isinstance(result, ProviderResult)
        return result

    async def _chunks(
        self, request: LLMRequest, signal: ports.AbortSignal
    ) -> AsyncGenerator[ProviderDelta | LLMResponse, None]:
        stream = getattr(self._provider, "stream", None)
        if stream is None:
            response = await until(self._provider.complete(request), signal)
            if response.content:
                yield ProviderDelta(channel="content", text=response.content)
            yield response
            return
        async with contextlib.aclosing(stream(request)) as chunks:
            async for chunk in chunks:
                if signal.aborted:
                    raise Stopped
                if chunk.thinking_delta:
                    yield ProviderDelta(channel="thinking", text=chunk.thinking_delta)
                if chunk.content:
                    yield ProviderDelta(channel="content", text=chunk.content)
                if chunk.response is not None:
                    yield chunk.response


class _AsLLM:
    carries_in_messages = ("system", "user", "assistant")
    carries_native_output_schema = True

    def __init__(self, provider: HttpProvider, name: str) -> None:
        self.name = name
        self._provider = provider

    def supports_native_output_schema(self, model: str) -> bool:
        """Whatever the model: the schema travels with the request."""
        return True

    async def complete(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> LLMResponse:
        *_, last = [chunk async for chunk in self.stream(request, hooks)]
        assert last.response is not None
        return last.response

    async def stream(self, request: LLMRequest, hooks: LLMCallHooks | None = None) -> AsyncGenerator[LLMChunk, None]:
        if request.tool_choice is not None:
            raise ports.UnsupportedToolChoiceError(provider=self.name, model=request.model)
        signal = request.signal or AbortController().signal
        signal.raise_if_aborted()
        index = 0
        try:
            given = http_request(request)
            items = self._provider.stream(given.pop("messages"), signal, **given)
            async with contextlib.aclosing(items) as each:  # type: ignore[type-var]
                async for item in each:
                    yield _chunk(item, index)
                    index += 1
        except ProviderAbortError as error:
            signal.raise_if_aborted()
            raise ports.ProviderError(str(error), code=error.code, provider=self.name, cause=error) from error
        except ProviderError as error:
            raise failure_there(error, self.name) from error


def _chunk(item: Any, index: int) -> LLMChunk:
    if not isinstance(item, ProviderDelta):
        return LLMChunk(token_index=index, done=True, response=llm_response(item))
    if item.channel == "thinking":
        return LLMChunk(token_index=index, thinking_delta=item.text)
    return LLMChunk(token_index=index, content=item.text)


def _text(said: Sequence[ProviderDelta], channel: str) -> str:
    return "".join(delta.text for delta in said if delta.channel == channel)


def _is_abort(error: Exception) -> bool:
    return isinstance(error, Stopped) or getattr(error, "code", None) == ports.AbortError.code
