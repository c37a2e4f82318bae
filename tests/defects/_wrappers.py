"""Correct wrappers to break: every method is one thing that a wrapper owes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

from agentports.ports import OPTIONAL_CAPABILITIES

__all__ = ["Retrying", "Transparent"]


class Transparent:
    """A wrapper of one provider that changes nothing. Defects override one member each."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.name = f"{inner.name}+transparent"
        if getattr(inner, "stream", None) is not None:
            self.stream = self._stream
        for member in OPTIONAL_CAPABILITIES:
            if getattr(inner, member, None) is not None:
                self.carry(member, getattr(inner, member))

    def carry(self, member: str, value: Any) -> None:
        """Take over one declared capability."""
        setattr(self, member, value)

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return await self.inner.complete(request, hooks)

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        async with aclosing(self.inner.stream(request, hooks)) as chunks:
            async for chunk in chunks:
                yield chunk


class Retrying(Transparent):
    """A wrapper that asks up to three times, for defects of what it owes besides. They override one member each."""

    def __init__(self, inner: Any, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        super().__init__(inner)
        self.sleep = sleep

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        for attempt in (1, 2):
            try:
                return await self.ask(attempt, request, hooks)
            except Exception as error:
                self.report(hooks, {"kind": "retried", "attempt": attempt + 1, "last_error": str(error)})
                await self.sleep(0.2 * attempt)
        return await self.ask(3, request, hooks)

    async def ask(self, attempt: int, request: Any, hooks: Any) -> Any:
        """One attempt."""
        return await self.inner.complete(request, hooks)

    def report(self, hooks: Any, fact: dict[str, Any]) -> None:
        listener = getattr(hooks, "on_resilience", None)
        if listener is not None:
            listener(fact)
