"""A vendor in process: answers that are pieces of bytes, and a record of what was asked and what was let go."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import httpx

from agentports.ports import LLMChunk, LLMMessage, LLMRequest, LLMResponse
from agentports.providers import OpenAIChatProvider

KEY = "sk-secret-0123456789"
HOLD = "hold"  # in a list of pieces: keep the connection open and say nothing more

Piece = bytes | Exception | str


class Pieces(httpx.AsyncByteStream):
    """A body that arrives in pieces, and that notices when it is let go."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.sent = 0
        self.closed = False
        self.takes = 0.0  # seconds to close

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, str):
                await asyncio.Event().wait()
            else:
                self.sent += 1
                yield piece

    async def aclose(self) -> None:
        if self.takes:
            await asyncio.sleep(self.takes)
        self.closed = True


class Vendor:
    """Answers every request with the same answer, or asks a function for it."""

    def __init__(
        self,
        body: Any = None,
        *,
        status: int = 200,
        headers: dict[str, str] | None = None,
        pieces: Sequence[Piece] | None = None,
        handler: Callable[[httpx.Request], Any] | None = None,
    ) -> None:
        self.requests: list[httpx.Request] = []
        self.streams: list[Pieces] = []
        self._answer = (body, status, headers or {}, pieces)
        self._handler = handler
        self.client = httpx.AsyncClient(transport=httpx.MockTransport(self._handle))

    @property
    def bodies(self) -> list[Any]:
        """The bodies that arrived."""
        return [json.loads(request.content) for request in self.requests]

    async def _handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self._handler is not None:
            answer = self._handler(request)
            response: httpx.Response = await answer if asyncio.iscoroutine(answer) else answer
            return response
        body, status, headers, pieces = self._answer
        if pieces is None:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            pieces = [content]
        else:
            headers = {"content-type": "text/event-stream"} | headers
        self.streams.append(Pieces(pieces))
        return httpx.Response(status, headers=headers, stream=self.streams[-1])


def openai(vendor: Vendor, **options: Any) -> OpenAIChatProvider:
    """Build the adapter that talks to a vendor."""
    usual: dict[str, Any] = {"api_key": KEY, "base_url": "http://vendor/v1", "client": vendor.client}
    return OpenAIChatProvider(**usual | options)


def ask(text: str = "hi", **fields: Any) -> LLMRequest:
    """Build a request of one user message."""
    return LLMRequest(**{"model": "openai", "messages": [LLMMessage(role="user", content=text)]} | fields)


def completion(content: str | None = "hello", **fields: Any) -> dict[str, Any]:
    """Build a whole completion; `calls`, `reason` and `usage` go to their places."""
    message: dict[str, Any] = {"role": "assistant", "content": content}
    calls = fields.pop("calls", None)
    if calls is not None:
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "finish_reason": fields.pop("reason", "stop")}
    return {"id": "c-1", "object": "chat.completion", "choices": [choice]} | fields


def wire_call(call_id: str | None = "call_a", name: str = "add", arguments: Any = '{"x":1}') -> dict[str, Any]:
    """Build a call as the wire carries it."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def delta(reason: str | None = None, **fields: Any) -> dict[str, Any]:
    """Build one chunk of a completion."""
    return {"id": "c-1", "choices": [{"index": 0, "delta": fields, "finish_reason": reason}]}


def sse(*events: Any, end: str = "\n") -> bytes:
    """Write events; a str goes as it is, anything else as JSON."""
    texts = [event if isinstance(event, str) else json.dumps(event, ensure_ascii=False) for event in events]
    return "".join(f"data: {text}{end}{end}" for text in texts).encode()


async def read(provider: Any, request: LLMRequest) -> list[LLMChunk]:
    """Read a stream to its end."""
    return [chunk async for chunk in provider.stream(request)]


def complete(vendor: Vendor, request: LLMRequest | None = None, **options: Any) -> LLMResponse:
    """Ask once."""
    return asyncio.run(openai(vendor, **options).complete(request or ask()))


def stream(vendor: Vendor, request: LLMRequest | None = None, **options: Any) -> list[LLMChunk]:
    """Ask once for a stream."""
    return asyncio.run(read(openai(vendor, **options), request or ask()))


def shown(exc: BaseException | None, *, with_locals: bool) -> str:
    """Return everything that an exception and its chain show, the locals of their frames included if wanted."""
    text = ""
    while exc is not None:
        report = traceback.TracebackException.from_exception(exc, capture_locals=with_locals)
        text += f"{exc!s} {exc!r} {vars(exc)!r} {''.join(report.format())}"
        exc = exc.__cause__ or exc.__context__
    return text
