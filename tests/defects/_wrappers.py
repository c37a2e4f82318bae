"""Correct wrappers to break: every method is one thing that a wrapper owes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from agentports.ports import OPTIONAL_CAPABILITIES

__all__ = ["Transparent"]


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
