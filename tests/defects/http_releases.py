"""Calls that leave something behind, or disturb others when they end."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

from agentports.ports.http import ProviderAbortError, ProviderResult
from agentports.relay import AgentProvider, read_chunks
from portproof.selftest import defect

from ._http import Parser, Passing, Reframing


@defect("HTTP-LISTENERS-RELEASED")
class ListensOn(Passing):
    """What subscribes to the caller's signal stays subscribed."""

    async def passed(self, items: Any, signal: Any) -> Any:
        signal.subscribe(lambda: None)
        async for item in items:
            yield item


class _ClearedInPeace(Parser):
    failed = False

    def parse(self, chunk: str) -> Any:
        records = self.inner.parse(chunk)
        self.failed = "raise" in chunk
        return records

    def clear(self) -> None:
        if not self.failed:
            self.inner.clear()


@defect("HTTP-PARSER-CLEARED")
class ClearsAfterSuccess(Reframing):
    """A parser is not cleared when its record could not be read."""

    def reframed(self, frame: Any) -> Any:
        return _ClearedInPeace(frame())


class _Held:
    """A body that nobody can cancel."""

    def __init__(self, pieces: Any) -> None:
        self.pieces = pieces

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        return await anext(self.pieces)


@defect("HTTP-RESPONSE-RELEASED")
class KeepsTheResponse(AgentProvider[Any]):
    """The response is left to the garbage collector."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.left: list[Any] = []

    def _chunks(self, response: Any, signal: Any) -> Any:
        self.left.append(response.aiter_bytes())
        return read_chunks(_Held(self.left[-1]), signal)

    async def _close(self, response: Any) -> None:
        self.left.append(response)


@defect("HTTP-EARLY-CLOSE")
class AbortsWhenLeft(AgentProvider[Any]):
    """Leaving early aborts the caller's signal."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        async with aclosing(super().stream(messages, signal, tools, options)) as items:
            try:
                async for item in items:
                    yield item
            except GeneratorExit:
                signal._abort("left early")
                raise


@defect("HTTP-TASK-CANCEL")
class RenamesCancellation(Passing):
    """The cancellation of the task is told as an abort of the call."""

    async def passed(self, items: Any, signal: Any) -> Any:
        try:
            async for item in items:
                yield item
        except asyncio.CancelledError as error:
            raise ProviderAbortError(ProviderResult(content="")) from error
