"""Adapters of openai-chat that keep the contract and are built otherwise than the reference: none may be failed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from agentports.ports import LLMChunk, LLMRequest, LLMResponse
from agentports.providers import OpenAIChatProvider
from portproof.selftest import known_defects

from .synchronous import Synchronous

known_defects()  # loads the package that the next line imports from
from portproof_defects._adapters import Compatible, FloorRoles, NativeOutput, PerModel  # noqa: E402

__all__ = ["CORRECT"]


class PlainDicts:
    """Hands out mappings instead of models, and everything else as the provider inside has it."""

    def __init__(self, *, base_url: str, api_key: Any, model: str) -> None:
        self._real = OpenAIChatProvider(base_url=base_url, api_key=api_key, model=model)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def complete(self, request: LLMRequest, hooks: Any = None) -> dict[str, Any]:
        return (await self._real.complete(request, hooks)).model_dump(exclude_none=True)

    async def stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[dict[str, Any]]:
        async for chunk in self._real.stream(request, hooks):
            yield chunk.model_dump(exclude_none=True)


class EagerPool(OpenAIChatProvider):
    """Builds its connection pool in the constructor, and keeps the connection of a whole answer for the next call."""

    def __init__(self, *, base_url: str, api_key: Any, model: str) -> None:
        self._pool = httpx.AsyncClient(verify=False, timeout=60)
        super().__init__(base_url=base_url, api_key=api_key, model=model, client=self._pool)

    async def aclose(self) -> None:
        await self._pool.aclose()


async def made_by_a_coroutine(base_url: str, api_key: Any, model: str) -> OpenAIChatProvider:
    """Give a provider whose factory must be awaited."""
    return OpenAIChatProvider(base_url=base_url, api_key=api_key, model=model)


@asynccontextmanager
async def made_by_a_context(base_url: str, api_key: Any, model: str) -> AsyncIterator[OpenAIChatProvider]:
    """Give a provider whose factory must be entered, and closes it in the end."""
    provider = OpenAIChatProvider(base_url=base_url, api_key=api_key, model=model)
    try:
        yield provider
    finally:
        await provider.aclose()


class GathersAStream(OpenAIChatProvider):
    """Asks for a stream, whatever it is asked for, and gathers it."""

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        chunks = [chunk async for chunk in self.stream(request, hooks)]
        assert chunks[-1].response is not None
        return chunks[-1].response


class StreamObjects(OpenAIChatProvider):
    """Its streams are objects with `__anext__`, not generators."""

    def stream(self, request: LLMRequest, hooks: Any = None) -> Any:
        return _Chunks(super().stream(request, hooks))


class _Chunks:
    def __init__(self, chunks: Any) -> None:
        self._chunks = chunks

    def __aiter__(self) -> _Chunks:
        return self

    async def __anext__(self) -> LLMChunk:
        return await anext(self._chunks)

    async def aclose(self) -> None:
        await self._chunks.aclose()


class WithoutStream:
    """Has the required members and no other; states no manifest, and makes no promise."""

    def __init__(self, *, base_url: str, model: str) -> None:
        self.name = "bare"
        self._real = OpenAIChatProvider(base_url=base_url, model=model, name=self.name)

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        return (await self._real.complete(request, hooks)).model_copy(update={"wire_manifest": None})

    async def aclose(self) -> None:
        await self._real.aclose()


CORRECT: dict[str, Any] = {
    "the reference": OpenAIChatProvider,
    "for compatible servers": Compatible,
    "only the floor of roles": FloorRoles,
    "native output": NativeOutput,
    "capabilities by model": PerModel,
    "synchronous": Synchronous,
    "plain dicts": PlainDicts,
    "a pool in the constructor": EagerPool,
    "an asynchronous factory": made_by_a_coroutine,
    "a context manager as factory": made_by_a_context,
    "complete by stream": GathersAStream,
    "stream objects": StreamObjects,
    "without stream": WithoutStream,
}
