"""Providers over HTTP that are wrong in one corner only."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import httpx

from agentports.ports import AbortSignal
from agentports.ports.http import ProviderDelta, ProviderError
from agentports.relay import AgentProvider, read_chunks
from agentports.relay._deadline import Deadline
from portproof.selftest import defect

from ._http import Passing, raw_pieces


@defect("HTTP-GENERATE-DRAINS")
class GeneratesWithoutTools(AgentProvider[Any]):
    """generate hands on the messages alone."""

    async def generate(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        return await super().generate(messages, signal)


@defect("HTTP-RESULT-STOPS")
class FinishesWhatIsSettled(AgentProvider[Any]):
    """The parser is asked for what it holds behind a result, too."""

    async def _items(self, response: Any, parser: Any, answer: Any, signal: Any) -> Any:
        async with aclosing(super()._items(response, parser, answer, signal)) as items:
            async for item in items:
                if not isinstance(item, ProviderDelta):
                    self.finish(parser)
                yield item


@defect("HTTP-TRANSPORT-FAILURE")
class FinishesWhatBroke(AgentProvider[Any]):
    """What the parser holds is used where the connection was lost."""

    async def _items(self, response: Any, parser: Any, answer: Any, signal: Any) -> Any:
        try:
            async with aclosing(super()._items(response, parser, answer, signal)) as items:
                async for item in items:
                    yield item
        except httpx.TransportError:
            for item in self._folded(self.finish(parser), answer, signal):
                yield item
            raise


@defect("HTTP-TRANSPORT-FAILURE")
class TellsItsOwnFailure(Passing):
    """What the transport raised is told as another failure."""

    async def passed(self, items: Any, signal: Any) -> Any:
        try:
            async for item in items:
                yield item
        except httpx.TransportError as error:
            raise ConnectionError(str(error)) from error


@defect("HTTP-LISTENERS-RELEASED")
class ListensOnUnlessSent(AgentProvider[Any]):
    """Where no request could be sent, a listener stays."""

    async def _all_headers(self, signal: AbortSignal) -> httpx.Headers:
        self._forget = self._caller.subscribe(lambda: None)
        headers = await super()._all_headers(signal)
        self._forget()
        return headers

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        self._caller = signal
        async with aclosing(super().stream(messages, signal, tools, options)) as items:
            async for item in items:
                yield item


class _Running(Deadline):
    def stop(self) -> None:
        task = asyncio.current_task()
        if task is None or not task.cancelling():
            super().stop()


@defect("HTTP-TASK-CANCEL")
class RunsOnWhenCancelled(AgentProvider[Any]):
    """The deadline of a task that was cancelled runs on."""

    def _deadline(self) -> Deadline:
        return _Running(self._timeout, self._sleep, self._clock)


@defect("HTTP-UTF8-SPLIT")
class DropsEveryMark(AgentProvider[Any]):
    """A byte-order mark at the start of any piece is dropped."""

    async def _chunks(self, response: Any, signal: Any) -> AsyncGenerator[str, None]:
        async with aclosing(super()._chunks(response, signal)) as chunks:
            async for chunk in chunks:
                if kept := chunk.removeprefix("\ufeff"):
                    yield kept


@defect("HTTP-CHUNKING-INVARIANT")
class WantsTheMarkWhole(AgentProvider[Any]):
    """A byte-order mark that is cut is text."""

    async def _chunks(self, response: Any, signal: Any) -> AsyncGenerator[str, None]:
        decoder, mark = codecs.getincrementaldecoder("utf-8")("replace"), codecs.BOM_UTF8
        async with aclosing(raw_pieces(response, signal)) as pieces:
            async for piece in pieces:
                if text := decoder.decode(piece.removeprefix(mark)):
                    yield text
                mark = b"\x00"
        if not signal.aborted and (text := decoder.decode(b"", final=True)):
            yield text


@defect("HTTP-READCHUNKS-ABORT")
class PullsBeforeItLooks(AgentProvider[Any]):
    """The body is pulled once before the signal is looked at."""

    @staticmethod
    async def read_chunks(body: Any, signal: Any = None) -> AsyncGenerator[str, None]:
        """The text of a body."""
        if signal is not None and signal.aborted:
            with contextlib.suppress(StopAsyncIteration):
                await anext(body)
            return
        async with aclosing(read_chunks(body, signal)) as chunks:
            async for chunk in chunks:
                yield chunk


@defect("HTTP-ERROR-MESSAGE-FORM")
class TrimsTheExcerpt(AgentProvider[Any]):
    """Blanks at the end of a refusal's body are dropped."""

    async def _refusal(self, response: Any, signal: Any) -> ProviderError:
        error = await super()._refusal(response, signal)
        return ProviderError("HTTP", str(error).rstrip(), status=error.status, cause=error.cause)
