"""Calls that begin too early, end in the wrong order or share what is theirs."""

from __future__ import annotations

import asyncio
import weakref
from contextlib import aclosing
from typing import Any

import httpx

from agentports.ports import AbortController
from agentports.ports.http import Message, ProviderAbortError, ProviderDelta, ProviderResult
from agentports.relay import AgentProvider
from agentports.relay._answer import Answer
from portproof.selftest import defect

from ._http import Passing, Reframing


@defect("HTTP-GENERATE-DRAINS")
class AssemblesByItself(AgentProvider[Any]):
    """generate puts the deltas together and does not look at the result."""

    async def generate(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        items = [item async for item in self.stream(messages, signal, tools, options)]
        said = [item.text for item in items if isinstance(item, ProviderDelta) and item.channel == "content"]
        return ProviderResult(content="".join(said))


@defect("HTTP-RESULT-LAST")
class TailAfterTheResult(Passing):
    """The last delta comes after the result."""

    async def passed(self, items: Any, signal: Any) -> Any:
        held: list[Any] = []
        async for item in items:
            held.insert(0 if isinstance(item, ProviderResult) else len(held), item)
            if len(held) > 1 and not isinstance(item, ProviderResult):
                yield held.pop(0)
        for item in held:
            yield item


@defect("HTTP-RESULT-LAST")
class NoResult(Passing):
    """A stream has deltas only."""

    async def passed(self, items: Any, signal: Any) -> Any:
        async for item in items:
            if not isinstance(item, ProviderResult):
                yield item


@defect("HTTP-LAZY-START")
class EagerStart(AgentProvider[Any]):
    """stream sends the request before it returns the iterator."""

    def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        items = super().stream(messages, signal, tools, options)
        return _after(asyncio.ensure_future(anext(items)), items)


async def _after(first: asyncio.Future[Any], items: Any) -> Any:
    async with aclosing(items):
        yield await first
        async for item in items:
            yield item


@defect("HTTP-PREABORTED")
class SendsAllTheSame(AgentProvider[Any]):
    """The request is sent and cancelled afterwards."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        late = signal.aborted
        given = AbortController().signal if late else signal
        async with aclosing(super().stream(messages, given, tools, options)) as items:
            async for item in items:
                if late:
                    raise ProviderAbortError(ProviderResult(content=getattr(item, "text", "")))
                yield item


@defect("HTTP-PREABORTED-NO-WORK")
class PreparesFirst(AgentProvider[Any]):
    """The parser and the headers are made before the signal is looked at."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        if signal.aborted:
            self.frame()
            await self._all_headers(AbortController().signal)
        async with aclosing(super().stream(messages, signal, tools, options)) as items:
            async for item in items:
                yield item


@defect("HTTP-FRESH-PARSER")
class KeepsItsParser(Reframing):
    """There is one parser for all calls."""

    _kept: Any = None

    def reframed(self, frame: Any) -> Any:
        self._kept = self._kept or frame()
        return self._kept


class _Remembering(Answer):
    left_open = False

    def flush(self) -> str:
        self.left_open = self.left_open or (self._splitter is not None and self._splitter._inside)
        return super().flush()


@defect("HTTP-FRESH-SPLITTER")
class StartsWhereItEnded(AgentProvider[Any]):
    """A span that a call left open is open in the next one."""

    _last: Any = None

    def _answer(self) -> Answer:
        answer, last = super()._answer(), self._last
        if last is not None and answer._splitter is not None:
            answer._splitter._inside = last.left_open
        self._last = answer = _Remembering(answer._splitter)
        return answer


@defect("HTTP-FRESH-SPLITTER")
class RemembersThatATagWasSeen(AgentProvider[Any]):
    """A fresh splitter, which knows from an earlier call that tags come in pairs."""

    _before: Any = None

    def _answer(self) -> Answer:
        answer, before = super()._answer(), self._before
        if before is not None and answer._splitter is not None:
            answer._splitter._opened = before._splitter._opened
        self._before = answer
        return answer


@defect("HTTP-CONCURRENT-ISOLATED")
class OneAccumulation(AgentProvider[Any]):
    """What calls under way gather is gathered in one place."""

    _under_way: Any = staticmethod(lambda: None)

    def _answer(self) -> Answer:
        answer = self._under_way() or super()._answer()
        self._under_way = weakref.ref(answer)
        return answer


class _Retrying(httpx.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        if response.status_code < 500:
            return response
        await response.aclose()
        return await super().handle_async_request(request)


@defect("HTTP-ONE-REQUEST")
class RetriesQuietly(AgentProvider[Any]):
    """An answer of 500 and above is asked for once more."""

    def _make_client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=None, transport=_Retrying(verify=False))


@defect("HTTP-INPUT-NOT-MUTATED")
class AppendsTheAnswer(AgentProvider[Any]):
    """The conversation is added to by the provider."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        async with aclosing(super().stream(messages, signal, tools, options)) as items:
            async for item in items:
                if isinstance(item, ProviderResult) and isinstance(messages, list):
                    messages.append(Message(id="a", role="assistant", content=item.content))
                yield item


@defect("HTTP-ID-UUID")
class NamedByItsClass(AgentProvider[Any]):
    """The id is the name of the class."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.id = type(self).__name__


@defect("HTTP-FORMAT-PASSED")
class DefaultFormat(AgentProvider[Any]):
    """A format that was not given is text."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.format = self.format or "text"
