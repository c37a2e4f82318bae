"""What known-bad providers over HTTP are made from."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

import httpx

from agentports.ports import AbortSignal
from agentports.relay import AgentProvider
from agentports.relay._racing import until

__all__ = ["Engine", "Passing", "Reframing", "raw_pieces"]

Engine = AgentProvider


class Passing(Engine):
    """A provider whose items pass through `passed`."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        async with aclosing(super().stream(messages, signal, tools, options)) as items:
            async with aclosing(self.passed(items, signal)) as passing:
                async for item in passing:
                    yield item

    async def passed(self, items: AsyncIterator[Any], signal: Any) -> AsyncGenerator[Any, None]:
        """The items, as they are."""
        async for item in items:
            yield item


class Reframing(Engine):
    """A provider whose parsers pass through `reframed`, whoever fills the seam."""

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        return (lambda: self.reframed(value)) if name == "frame" else value

    def reframed(self, frame: Any) -> Any:
        """A parser."""
        return frame()


class Parser:
    """A parser that does what another does."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


async def raw_pieces(response: httpx.Response, signal: AbortSignal) -> AsyncGenerator[bytes, None]:
    """The bytes of an answer, until an abort."""
    pieces = response.aiter_bytes()
    while not signal.aborted:
        try:
            yield await until(anext(pieces), signal)
        except StopAsyncIteration:
            return
