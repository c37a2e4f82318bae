"""One POST as a stream of text and one settled result, for any vendor whose four seams are filled (document 50)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, cast

import httpx

from agentports.clients import Clients
from agentports.ports import AbortSignal
from agentports.ports.http import (
    DEFAULT_PROVIDER_TIMEOUT,
    MAX_ERROR_BODY_LENGTH,
    HeadersHook,
    Message,
    ProviderAbortError,
    ProviderDelta,
    ProviderError,
    ProviderIncrement,
    ProviderRequest,
    ProviderResult,
    ProviderStreamOptions,
    RecordParser,
    ToolDefinition,
)
from agentports.relay._answer import Answer
from agentports.relay._deadline import Clock, Deadline, Sleep
from agentports.relay._racing import Stopped, check, until
from agentports.relay.byte_reading import read_chunks, read_text
from agentports.relay.think_splitter import ThinkSplitter

__all__ = ["AgentProvider"]

Record = TypeVar("Record")

_JSON = "application/json"
#: Statuses whose answers have no body.
_BODILESS = frozenset({204, 205})


class AgentProvider(ABC, Generic[Record]):
    """The engine. A provider fills `frame`, `body`, `read`, `finish` and `name`.

    The request goes to `url + path`, just as they are. `timeout` is in milliseconds and bounds the whole call.
    `headers` gives the headers of each request. `split` takes reasoning between tags out of the content; `strict`
    refuses an answer that ends without a settled result. `sleep` and `clock`, in seconds, measure the deadline.
    """

    name: ClassVar[str]

    def __init__(
        self,
        url: str,
        path: str = "",
        timeout: int = DEFAULT_PROVIDER_TIMEOUT,
        headers: HeadersHook | None = None,
        format: Any = None,
        split: bool = True,
        strict: bool = False,
        client: httpx.AsyncClient | None = None,
        sleep: Sleep | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.id = str(uuid.uuid4())
        self.format = format
        self._address = url + path
        self._timeout = timeout
        self._headers = headers
        self._split, self._strict = split, strict
        self._client = client
        self._clients = Clients(self._make_client)
        self._sleep, self._clock = sleep or asyncio.sleep, clock or time.monotonic

    # ---- the seams

    @abstractmethod
    def frame(self) -> RecordParser[Record]:
        """A fresh parser; asked for once in each call."""

    @abstractmethod
    def body(self, request: ProviderRequest) -> Any:
        """The body of the request, as JSON data."""

    @abstractmethod
    def read(self, record: Record) -> ProviderIncrement:
        """What one record adds."""

    @abstractmethod
    def finish(self, parser: RecordParser[Record]) -> Sequence[Record]:
        """The records that the parser still holds at a clean end."""

    # ---- the provider

    async def stream(
        self,
        messages: Sequence[Message],
        signal: AbortSignal,
        tools: Sequence[ToolDefinition] | None = None,
        options: ProviderStreamOptions | None = None,
    ) -> AsyncGenerator[ProviderDelta | ProviderResult, None]:
        """Deltas, and then the result. Nothing happens before the first step.

        Raises `ProviderError`, `ProviderAbortError` when the signal or the deadline ends the call, what the transport
        raises and what a seam raises.
        """
        if signal.aborted:
            raise ProviderAbortError(ProviderResult(content=""))
        request = ProviderRequest.model_construct(messages=_listed(messages), tools=_listed(tools), options=options)
        answer = self._answer()
        deadline = self._deadline()
        combined = AbortSignal.any(deadline.signal, signal)
        async with contextlib.AsyncExitStack() as exits:
            exits.callback(combined.release)
            exits.callback(deadline.stop)
            try:
                parser = self.frame()
                exits.callback(parser.clear)
                response = await exits.enter_async_context(self._opened(request, combined))
                items = self._items(response, parser, answer, combined)
                exits.push_async_callback(items.aclose)
                async for item in items:
                    yield item
            except Exception as error:
                ending = self._ending(error, answer, combined)
                raise ending from ending.__cause__

    async def generate(
        self,
        messages: Sequence[Message],
        signal: AbortSignal,
        tools: Sequence[ToolDefinition] | None = None,
        options: ProviderStreamOptions | None = None,
    ) -> ProviderResult:
        """The last item of the stream."""
        async with contextlib.aclosing(self.stream(messages, signal, tools, options)) as items:
            async for item in items:
                last = item
        return cast("ProviderResult", last)

    async def aclose(self) -> None:
        """Close the client that the provider has made on this loop. A later call makes a new one."""
        await self._clients.aclose()

    # ---- one call

    def _answer(self) -> Answer:
        return Answer(ThinkSplitter() if self._split else None)

    def _deadline(self) -> Deadline:
        return Deadline(self._timeout, self._sleep, self._clock)

    def _ending(self, error: Exception, answer: Answer, signal: AbortSignal) -> Exception:
        """What a call raises that this has ended: the abort, if there was one, with what it hid."""
        if not signal.aborted:
            return error
        own = isinstance(error, Stopped) or error is signal.reason
        return ProviderAbortError(answer.result(), cause=None if own else error)

    @contextlib.asynccontextmanager
    async def _opened(self, request: ProviderRequest, signal: AbortSignal) -> AsyncGenerator[httpx.Response, None]:
        headers = await self._all_headers(signal)
        check(signal)
        client = self._client or await self._clients.get()
        post = client.build_request("POST", self._address, content=self._content(request), headers=headers)
        response = await self._send(client, post, signal)
        try:
            await self._refuse(response, signal)
            yield response
        finally:
            await self._close(response)

    async def _all_headers(self, signal: AbortSignal) -> httpx.Headers:
        headers = httpx.Headers({"content-type": _JSON})
        if self._headers is not None:
            given = self._headers(signal)
            named = given if isinstance(given, Mapping) else await until(given, signal)
            for name, value in named.items():
                headers[name] = value
        return headers

    def _content(self, request: ProviderRequest) -> bytes:
        return json.dumps(self.body(request), separators=(",", ":"), allow_nan=False).encode()

    async def _send(self, client: httpx.AsyncClient, post: httpx.Request, signal: AbortSignal) -> httpx.Response:
        sending = asyncio.ensure_future(client.send(post, stream=True, follow_redirects=False))
        try:
            return await until(sending, signal)
        except BaseException:
            sending.add_done_callback(_let_go)
            raise

    async def _close(self, response: httpx.Response) -> None:
        with contextlib.suppress(Exception):  # nothing that fails here concerns the answer
            await response.aclose()

    async def _refuse(self, response: httpx.Response, signal: AbortSignal) -> None:
        """Raise a `ProviderError` for an answer that is no stream."""
        if not 200 <= response.status_code <= 299:
            raise await self._refusal(response, signal)
        if response.status_code in _BODILESS:
            raise ProviderError("PROTOCOL", "provider error: no response body")

    async def _refusal(self, response: httpx.Response, signal: AbortSignal) -> ProviderError:
        status, cause = response.status_code, None
        try:
            text = (await read_text(response.aiter_bytes(), MAX_ERROR_BODY_LENGTH, signal)).text
        except Exception as error:
            text, cause = "(error body unavailable)", error
        return ProviderError("HTTP", f"provider error: {status} - {text}", status=status, cause=cause)

    def _chunks(self, response: httpx.Response, signal: AbortSignal) -> AsyncGenerator[str, None]:
        return read_chunks(response.aiter_bytes(), signal)

    async def _items(
        self,
        response: httpx.Response,
        parser: RecordParser[Record],
        answer: Answer,
        signal: AbortSignal,
    ) -> AsyncGenerator[ProviderDelta | ProviderResult, None]:
        async with contextlib.aclosing(self._chunks(response, signal)) as chunks:
            async for chunk in chunks:
                check(signal)
                for item in self._folded(parser.parse(chunk), answer, signal):
                    yield item
                    if not isinstance(item, ProviderDelta):
                        return
        check(signal)
        for item in self._folded(self.finish(parser), answer, signal):
            yield item
            if not isinstance(item, ProviderDelta):
                return
        if tail := answer.flush():
            yield ProviderDelta(channel="content", text=tail)
        check(signal)
        if self._strict:
            raise ProviderError("PROTOCOL", "provider error: missing settled result")
        yield answer.result()

    def _folded(
        self, records: Iterable[Record], answer: Answer, signal: AbortSignal
    ) -> Iterator[ProviderDelta | ProviderResult]:
        for record in records:
            yield from self._shown(self.read(record), answer, signal)
            check(signal)

    def _shown(
        self, increment: ProviderIncrement, answer: Answer, signal: AbortSignal
    ) -> Iterator[ProviderDelta | ProviderResult]:
        """What the consumer sees of an increment. All of it is gathered before any of it is shown."""
        if increment.result is not None:
            check(signal)
            yield increment.result
            return
        if shown := answer.add(increment):
            yield ProviderDelta(channel="content", text=shown)
        check(signal)
        if increment.thinking:
            yield ProviderDelta(channel="thinking", text=increment.thinking)

    def _make_client(self) -> httpx.AsyncClient:
        # the deadline is the only bound of a call, and loading certificates takes long
        return httpx.AsyncClient(timeout=None, verify=self._address.startswith("https:"))


def _listed(given: Any) -> Any:
    """What the caller gave, unexamined: a seam may want what is no message. A tuple is a list, as models declare it."""
    return list(given) if isinstance(given, tuple) else given


def _let_go(sending: asyncio.Future[httpx.Response]) -> None:
    """Close a response that came in the very moment in which nobody waited any more: it holds its connection."""
    if not sending.cancelled() and sending.exception() is None:
        closing = asyncio.ensure_future(sending.result().aclose())
        closing.add_done_callback(lambda closed: closed.cancelled() or closed.exception())
