"""Relays that keep the contract and are built otherwise than the reference: none may be failed."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Literal

import anyio
from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from agentports.ports import AbortController
from agentports.ports.http import ProviderAbortError, ProviderRequest
from tests.defects._relays import BareRelay, BareStream, Receive, Send

__all__ = ["CORRECT"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


Text = Annotated[str, Field(strict=True)]
Object = dict[str, JsonValue]


class _Call(_Strict):
    id: Text
    name: Text
    arguments: Object


class _Message(_Strict):
    id: Text
    role: Literal["system", "user", "assistant", "tool"]
    content: Text
    calls: list[_Call] = Field(default_factory=list)
    images: list[Text] = Field(default_factory=list)


class _Tool(_Strict):
    name: Text
    description: Text = ""
    parameters: Object = Field(default_factory=dict)


class _Options(_Strict):
    think: bool = False
    schema_: Object = Field(default_factory=dict, alias="schema")


class _Request(_Strict):
    messages: list[_Message]
    tools: list[_Tool] = Field(default_factory=list)
    options: _Options = Field(default_factory=_Options)


class _Usage(_Strict):
    prompt: int | float
    completion: int | float
    total: int | float


class _Result(_Strict):
    content: Text
    thinking: Text = ""
    tools: list[_Call] = Field(default_factory=list)
    usage: _Usage = Field(default_factory=lambda: _Usage(prompt=0, completion=0, total=0))


class _Delta(_Strict):
    channel: Literal["content", "thinking"]
    text: Text


class _Settled(_Strict):
    channel: Literal["result"]
    result: _Result


class _Aborted(_Strict):
    channel: Literal["abort"]
    partial: _Result


_FRAMES: TypeAdapter[Any] = TypeAdapter(_Delta | _Settled | _Aborted)


def streaming_relay(provider: Any, authorize: Callable[[Request], Any], limit: int = 1_048_576) -> Starlette:
    """A Starlette application whose answers are streaming responses over a generator."""

    async def endpoint(request: Request) -> Response:
        try:
            decision = authorize(request)
            allowed = await decision if asyncio.iscoroutine(decision) else decision
        except Exception:
            allowed = False
        if allowed is not True:
            return Response(status_code=401)
        if hasattr(request, "_body") or request._stream_consumed:
            return Response(status_code=400)
        status, read = await _read(request, limit)
        return Response(status_code=status) if read is None else _stream(provider, read)

    return Starlette(routes=[Route("/{path:path}", endpoint, methods=["GET", "POST", "PUT", "PATCH"])])


async def _read(request: Request, limit: int) -> tuple[int, ProviderRequest | None]:
    pieces: list[bytes] = []
    try:
        async for piece in request.stream():
            pieces.append(piece)
            if sum(map(len, pieces)) >= limit:
                return 413, None
        text = b"".join(pieces).decode("utf-8", "replace").lstrip("\ufeff")
        return 200, _request(json.loads(text, parse_constant=_refuse, parse_int=_whole))
    except ClientDisconnect:
        return 413, None
    except Exception:
        return 400, None


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _whole(digits: str) -> int:
    if len(digits) > 300:
        raise ValueError(digits)
    return int(digits)


def _request(value: Any) -> ProviderRequest:
    """The request, if it is one. Raises `ValueError`."""
    _Request.model_validate(value)
    return ProviderRequest.model_validate(value)


def _stream(provider: Any, request: ProviderRequest) -> Response:
    controller = AbortController()
    try:
        items = provider.stream(request.messages, controller.signal, tools=request.tools, options=request.options)
    except Exception:
        return Response(status_code=502)
    headers = {"cache-control": "no-cache, no-store", "x-accel-buffering": "no"}
    body = _lines(items, controller)
    return StreamingResponse(
        body, headers=headers, media_type="application/x-ndjson;charset=utf-8", background=BackgroundTask(_closed, body)
    )


async def _lines(items: AsyncIterator[Any], controller: AbortController) -> Any:
    """The lines. Each step is a task of its own, which is told of a cancellation before it is cancelled."""
    failed = True
    try:
        while True:
            frame = await _frame(items, controller)
            _FRAMES.validate_python(frame)
            line = json.dumps(frame, separators=(",", ":"), allow_nan=False) + "\n"
            if frame["channel"] in ("result", "abort"):
                failed = frame["channel"] == "abort"
                break
            yield line
    except GeneratorExit:
        raise
    except Exception:
        line = '{"message":"relay provider failed","channel":"error"}\n'
    finally:
        with anyio.CancelScope(shield=True):
            if failed:
                controller.abort()
            await _closed(items)
    yield line


async def _frame(items: AsyncIterator[Any], controller: AbortController) -> Any:
    step = asyncio.ensure_future(anext(items))  # type: ignore[arg-type]
    try:
        await asyncio.wait([step])
    except asyncio.CancelledError:
        controller.abort()
        step.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait([step])
        raise
    try:
        item = step.result()
    except ProviderAbortError as abort:
        return {"channel": "abort", "partial": abort.partial.model_dump(warnings=False)}
    if isinstance(item, dict):
        return item
    data = item.model_dump(warnings=False)
    return data if "channel" in data else {"channel": "result", "result": data}


async def _closed(items: AsyncIterator[Any]) -> None:
    with contextlib.suppress(Exception):
        await items.aclose()  # type: ignore[attr-defined]


class PollingRelay(BareRelay):
    """A relay that asks now and then whether the client is there."""

    class RelayStream(BareStream):
        async def watch(self, receive: Receive) -> None:
            request = Request({"type": "http"}, receive)
            while not await request.is_disconnected():  # noqa: ASYNC110 - this is what it is about
                await asyncio.sleep(0.02)
            self.gone()


class PiecewiseRelay(BareRelay):
    """A relay that writes each line in two pieces."""

    class RelayStream(BareStream):
        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            await super().put(send, line[:5], False)
            await super().put(send, line[5:], is_last)


class StrictRelay(BareRelay):
    """A relay whose guard are strict models, and whose lines begin with the last member."""

    def load(self, text: str) -> Any:
        return json.loads(text, parse_constant=_refuse, parse_int=_whole)

    def is_valid(self, value: Any) -> bool:
        try:
            _request(value)
        except (ValueError, RecursionError):
            return False
        return True

    class RelayStream(BareStream):
        def encode(self, frame: Any) -> bytes:
            turned = dict(reversed(frame.items()))
            return super().encode(turned)


#: By what is unusual about them.
CORRECT: dict[str, Any] = {
    "bare ASGI": BareRelay,
    "streaming responses": streaming_relay,
    "polling": PollingRelay,
    "strict models": StrictRelay,
    "lines in pieces": PiecewiseRelay,
}
