"""Correct providers over HTTP that work differently inside."""

from __future__ import annotations

import asyncio
import inspect
import json
import uuid
from contextlib import aclosing
from typing import Any

import httpx

from agentports.ports.http import ProviderDelta, ProviderError, ProviderIncrement
from agentports.relay import AgentProvider, NDJSONParser, RelayProvider
from agentports.relay._racing import check, until

from .http_engine import OtherEngine

__all__ = ["CORRECT", "CORRECT_RELAYS"]


class EagerHeaders(AgentProvider[Any]):
    """The hook is asked at once and again awaited in a task of its own."""

    async def _all_headers(self, signal: Any) -> httpx.Headers:
        headers = httpx.Headers({"content-type": "application/json"})
        given = self._headers(signal) if self._headers is not None else {}
        named = await until(asyncio.ensure_future(given), signal) if inspect.isawaitable(given) else given
        headers.update(named)
        return headers


class OneClientACall(AgentProvider[Any]):
    """Each call has a client of its own, and a connection."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        async with httpx.AsyncClient(timeout=None, verify=False, headers={"connection": "close"}) as client:
            one = type(self)(self._address, timeout=self._timeout, headers=self._headers, client=self._client or client)
            one._split, one._strict, one._sleep, one._clock = self._split, self._strict, self._sleep, self._clock
            async with aclosing(AgentProvider.stream(one, messages, signal, tools, options)) as items:
                async for item in items:
                    yield item


class LetterByLetter(AgentProvider[Any]):
    """Chunks are handed on a few characters at a time."""

    async def _chunks(self, response: Any, signal: Any) -> Any:
        async with aclosing(super()._chunks(response, signal)) as chunks:
            async for chunk in chunks:
                for start in range(0, len(chunk), max(7, len(chunk) // 8)):
                    yield chunk[start : start + max(7, len(chunk) // 8)]


class JoinsNeighbours(AgentProvider[Any]):
    """Deltas of one channel that come of one chunk are one delta."""

    def _folded(self, records: Any, answer: Any, signal: Any) -> Any:
        held: Any = None
        try:
            for item in super()._folded(records, answer, signal):
                if isinstance(held, ProviderDelta) and getattr(item, "channel", None) == held.channel:
                    held = ProviderDelta(channel=held.channel, text=held.text + item.text)
                else:
                    if held is not None:
                        yield held
                        check(signal)
                    held = item
                if not isinstance(item, ProviderDelta):
                    break
        except Exception:
            if held is not None and not signal.aborted:
                yield held
            raise
        if held is not None:
            yield held


class Concrete:
    """Speaks the scripted wire, and names nothing but where it is. Its shapes are mappings."""

    name, format = "concrete", None

    def __init__(self, base_url: str) -> None:
        self.id = str(uuid.uuid4())
        self._engine = _Scripted(base_url)

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        async with aclosing(self._engine.stream(messages, signal, tools, options)) as items:
            async for item in items:
                yield item.model_dump()

    async def generate(self, *given: Any, **named: Any) -> Any:
        return (await self._engine.generate(*given, **named)).model_dump()


class _Scripted(AgentProvider[Any]):
    name = "scripted"

    def frame(self) -> Any:
        return NDJSONParser()

    def body(self, request: Any) -> Any:
        return {"messages": [message.model_dump() for message in request.messages]}

    def read(self, record: Any) -> Any:
        if "raise" in record:
            raise ValueError(record["raise"])
        return ProviderIncrement(**record)

    def finish(self, parser: Any) -> Any:
        return parser.parse("\n")


class RaisingRelay(RelayProvider):
    """A line that is no JSON breaks the protocol."""

    def __init__(self, url: str, **named: Any) -> None:
        super().__init__(url, **{"parser": _Protocol, **named})


class _Protocol(NDJSONParser):
    def parse(self, chunk: str) -> list[Any]:
        for text in "".join([*self._rest, chunk]).split("\n")[:-1]:
            try:
                assert not text.strip() or isinstance(json.loads(text), dict)
            except (ValueError, AssertionError, RecursionError) as error:
                raise ProviderError("PROTOCOL", "not a frame", cause=error) from error
        return super().parse(chunk)


class JoiningRelay(JoinsNeighbours, RelayProvider):
    """Deltas of one channel that come of one chunk are one delta."""


class BareRelay:
    """Names where it is and its time; everything else is its own."""

    name, format = "relay", None

    def __init__(self, base_url: str, timeout: int = 120_000, sleep: Any = None, clock: Any = None) -> None:
        self._inner = RelayProvider(base_url, timeout=timeout, sleep=sleep, clock=clock)
        self.id = self._inner.id

    def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        return self._items(self._inner.stream(messages, signal, tools, options))

    async def _items(self, items: Any) -> Any:
        async with aclosing(items):
            async for item in items:
                kept = isinstance(item, ProviderDelta)
                yield {"channel": item.channel, "text": item.text} if kept else item.model_dump()

    async def generate(self, *given: Any, **named: Any) -> Any:
        *_, last = [item async for item in self.stream(*given, **named)]
        return last


#: By name.
CORRECT: dict[str, Any] = {
    "another engine": OtherEngine,
    "eager headers": EagerHeaders,
    "a client a call": OneClientACall,
    "letter by letter": LetterByLetter,
    "joins neighbours": JoinsNeighbours,
    "concrete": Concrete,
}
CORRECT_RELAYS: dict[str, Any] = {
    "raises at bad lines": RaisingRelay,
    "bare": BareRelay,
    "joins neighbours": JoiningRelay,
}
