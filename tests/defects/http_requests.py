"""Requests with another address, body or headers than they should have."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import Any
from urllib.parse import urljoin

import httpx

from agentports.relay import AgentProvider
from agentports.relay._racing import Stopped, until
from portproof.selftest import defect

_JSON = {"content-type": "application/json"}


@defect("HTTP-POST")
class JoinsAsUrls(AgentProvider[Any]):
    """The path is resolved against the url as a link would be."""

    def __init__(self, *given: Any, path: str = "", **named: Any) -> None:
        super().__init__(*given, **named)
        self._address = urljoin(self._address, path)


@defect("HTTP-BODY-SEAM")
class SaysNull(AgentProvider[Any]):
    """Options that were not given are sent as null."""

    def _content(self, request: Any) -> bytes:
        return json.dumps({"tools": None, "options": None, **json.loads(super()._content(request))}).encode()


@defect("HTTP-BODY-UTF8")
class Latin(AgentProvider[Any]):
    """The body is written in an encoding that has few characters."""

    def _content(self, request: Any) -> bytes:
        return json.dumps(self.body(request), ensure_ascii=False).encode("latin-1", "replace")


@defect("HTTP-CONTENT-TYPE-DEFAULT")
class HookReplacesAll(AgentProvider[Any]):
    """What the hook returns is all that is sent."""

    async def _all_headers(self, signal: Any) -> httpx.Headers:
        headers = await super()._all_headers(signal)
        if self._headers is not None and headers["content-type"] == "application/json":
            del headers["content-type"]
        return headers


@defect("HTTP-CONTENT-TYPE-OVERRIDE")
class MindsTheCase(AgentProvider[Any]):
    """A header of another case is another header."""

    async def _all_headers(self, signal: Any) -> httpx.Headers:
        headers = await super()._all_headers(signal)
        if headers["content-type"] == "application/json":
            return headers
        return httpx.Headers([*_JSON.items(), *headers.multi_items()])


@defect("HTTP-HEADERS-EACH-CALL")
class KeepsItsHeaders(AgentProvider[Any]):
    """The hook is asked once."""

    _kept: Any = None

    async def _all_headers(self, signal: Any) -> httpx.Headers:
        self._kept = self._kept or await super()._all_headers(signal)
        return self._kept


@defect("HTTP-HEADERS-SYNC-ASYNC")
class AlwaysAwaits(AgentProvider[Any]):
    """A hook that answers at once cannot be used."""

    async def _all_headers(self, signal: Any) -> httpx.Headers:
        if self._headers is None:
            return httpx.Headers(_JSON)
        return httpx.Headers({**_JSON, **await until(self._headers(signal), signal)})


@defect("HTTP-HEADERS-SYNC-ASYNC")
class NeverAwaits(AgentProvider[Any]):
    """A hook that answers later is taken at its word."""

    async def _all_headers(self, signal: Any) -> httpx.Headers:
        return httpx.Headers({**_JSON, **(self._headers(signal) if self._headers else {})})  # type: ignore[dict-item]


@defect("HTTP-HEADERS-SIGNAL")
class HookSeesTheCallerOnly(AgentProvider[Any]):
    """The hook is given the caller's signal, which knows no deadline."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        self._caller = signal
        async with aclosing(super().stream(messages, signal, tools, options)) as items:
            async for item in items:
                yield item

    async def _all_headers(self, signal: Any) -> httpx.Headers:
        given = self._headers(self._caller) if self._headers is not None else {}
        named = await until(given, signal) if hasattr(given, "__await__") else given
        return httpx.Headers({**_JSON, **named})


@defect("HTTP-HEADERS-INSIDE-DEADLINE")
class WaitsForTheHook(AgentProvider[Any]):
    """However long the hook takes, it is waited for."""

    async def _all_headers(self, signal: Any) -> httpx.Headers:
        given = self._headers(signal) if self._headers is not None else {}
        named = await given if hasattr(given, "__await__") else given
        return httpx.Headers({**_JSON, **named})


@defect("HTTP-HEADERS-FAILURE")
class GoesWithoutHeaders(AgentProvider[Any]):
    """A hook that fails is passed over."""

    async def _all_headers(self, signal: Any) -> httpx.Headers:
        try:
            return await super()._all_headers(signal)
        except Stopped:
            raise
        except Exception:
            return httpx.Headers(_JSON)


@defect("HTTP-BODY-FAILURE")
class PostsNothing(AgentProvider[Any]):
    """A body that cannot be made is left out."""

    def _content(self, request: Any) -> bytes:
        try:
            return super()._content(request)
        except Exception:
            return b"{}"
