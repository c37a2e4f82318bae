"""A provider that answers by itself: the least that the port asks for, and a stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import LLMChunk, LLMRequest, LLMResponse, Usage

_ANSWER = LLMResponse(content="hello", usage=Usage(), stop_reason="stop")


class FakeProvider:
    """Says hello."""

    name = "fake"

    async def complete(self, request: LLMRequest, hooks: Any = None) -> LLMResponse:
        return _ANSWER

    async def stream(self, request: LLMRequest, hooks: Any = None) -> AsyncIterator[LLMChunk]:
        yield LLMChunk(token_index=0, content="hello")
        yield LLMChunk(token_index=1, done=True, response=_ANSWER)
