"""A relay on bare ASGI that keeps the contract, in pieces small enough to be broken one at a time."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar, NoReturn

from agentports.ports import AbortController, AbortSignal
from agentports.ports.http import ProviderAbortError, ProviderDelta, ProviderRequest, ProviderResult
from agentports.relay.contracts import provider_request_contract, relay_frame_contract

__all__ = ["BareRelay", "BareStream", "Receive", "Refusal", "Send", "Stopped"]

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class Refusal(Exception):
    """The request is answered with this status and nothing else."""

    def __init__(self, status: int) -> None:
        self.status = status


class Stopped(Exception):
    """The client has gone, or the inbound signal was aborted."""


class BareStream:
    """One upstream call as an answer. Each step, and each write, is raced against the end of interest."""

    provider: Any

    def __init__(self, provider: Any, request: ProviderRequest, signal: AbortSignal) -> None:
        self.provider, self.request, self.signal = provider, request, signal
        self.upstream = self.controller()
        self.before()
        self.items: Any = None
        self.response = self
        with contextlib.suppress(Exception):
            self.items = aiter(self.construct())

    def controller(self) -> AbortController:
        return AbortController()

    def before(self) -> None:
        if self.signal.aborted:
            self.upstream.abort(self.signal.reason)

    def construct(self) -> Any:
        request = self.request
        return self.provider.stream(request.messages, self.upstream.signal, request.tools, request.options)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if self.items is None:
            await self.refuse(send)
            return
        self.stop: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        forget = self.listen()
        watcher = asyncio.ensure_future(self.watch(receive))
        try:
            await self.write(send)
        except Stopped:
            await self.cancelled()
            if self.is_silenced():
                await watcher
        finally:
            self.forget(forget)
            await self.leave(watcher)

    async def refuse(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 502, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    # ---- what ends it

    def listen(self) -> Callable[[], None]:
        return (lambda: None) if self.signal.aborted else self.signal.subscribe(lambda: self.end(self.signal.reason))

    def forget(self, unsubscribe: Callable[[], None]) -> None:
        unsubscribe()

    async def watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.gone()

    def gone(self) -> None:
        self.end(ConnectionError("the client has gone"))

    def end(self, reason: Any) -> None:
        if not self.stop.done():
            self.stop.set_result(reason)

    def is_silenced(self) -> bool:
        return bool(self.upstream.signal.reason is self.signal.reason)

    async def leave(self, watcher: asyncio.Task[None]) -> None:
        watcher.cancel()
        await asyncio.wait([watcher])

    async def cancelled(self) -> None:
        self.upstream.abort(self.stop.result())
        await self.close()

    async def race(self, step: Coroutine[Any, Any, Any]) -> Any:
        """What a step gives, or `Stopped`; a step that is given up has ended by then."""
        task = asyncio.ensure_future(step)
        try:
            await asyncio.wait([task, self.stop], return_when=asyncio.FIRST_COMPLETED)
            if self.stop.done():
                await self.give_up(task)
                raise Stopped
            return task.result()
        finally:
            task.cancel()

    async def give_up(self, task: asyncio.Task[Any]) -> None:
        self.upstream.abort(self.stop.result())
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()

    async def close(self) -> None:
        with contextlib.suppress(Exception):
            await self.items.aclose()

    # ---- writing

    def headers(self) -> list[tuple[bytes, bytes]]:
        return [(b"content-type", b"application/x-ndjson; charset=utf-8"), (b"cache-control", b"no-store")]

    async def write(self, send: Send) -> None:
        await self.begin(send)
        is_last = False
        while not is_last:
            line, is_last = await self.next_line()
            await self.race(self.put(send, line, is_last))
        await self.close()

    async def begin(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.headers()})

    async def put(self, send: Send, line: bytes, is_last: bool) -> None:
        await send({"type": "http.response.body", "body": line, "more_body": not is_last})

    async def next_line(self) -> tuple[bytes, bool]:
        try:
            frame = self.frame(await self.race(self.step()))
            if not self.is_valid(frame):
                raise ValueError
            return self.encode(frame), frame["channel"] == "result"
        except Stopped:
            raise
        except Exception as error:
            return await self.failed(error), True

    async def step(self) -> Any:
        try:
            return await anext(self.items)
        except StopAsyncIteration:
            return self.unsettled()

    def unsettled(self) -> Any:
        raise LookupError("no result")

    def frame(self, item: Any) -> Any:
        if isinstance(item, ProviderDelta):
            return self.delta(item)
        return {"channel": "result", "result": self.result(item)} if isinstance(item, ProviderResult) else item

    def delta(self, item: ProviderDelta) -> Any:
        return item.model_dump(warnings=False)

    def result(self, item: ProviderResult) -> Any:
        return item.model_dump(warnings=False)

    def is_valid(self, frame: Any) -> bool:
        return relay_frame_contract.is_valid(frame)

    def encode(self, frame: Any) -> bytes:
        return json.dumps(frame, separators=(",", ":"), allow_nan=False).encode() + b"\n"

    async def failed(self, error: Exception) -> bytes:
        self.upstream.abort(error)
        await self.close()
        return self.encode(self.last_words(error))

    def last_words(self, error: Exception) -> Any:
        if isinstance(error, ProviderAbortError):
            frame = self.aborted(error)
            if self.is_valid(frame):
                return frame
        return {"channel": "error", "message": self.message(error)}

    def aborted(self, error: ProviderAbortError) -> Any:
        return {"channel": "abort", "partial": error.partial.model_dump(warnings=False)}

    def message(self, error: Exception) -> str:
        return "relay provider failed"


class BareRelay:
    """The server. Its steps are methods."""

    RelayStream: ClassVar[Any] = BareStream

    def __init__(self, *, provider: Any, authorize: Callable[[Any], Any], limit: int = 1_048_576) -> None:
        self.provider, self.authorize, self.limit = provider, authorize, limit

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        try:
            request = await self.request(scope, receive)
        except Refusal as refusal:
            await self.refuse(refusal.status, send)
            return
        await self.answer(request, scope, receive, send)

    async def answer(self, request: ProviderRequest, scope: Any, receive: Receive, send: Send) -> None:
        stream = self.RelayStream(self.provider, request, AbortController().signal)
        await stream.response(scope, receive, send)

    async def refuse(self, status: int, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    # ---- authorization

    async def request(self, scope: Any, receive: Receive) -> ProviderRequest:
        from starlette.requests import Request

        taken: list[Any] = []

        async def watched() -> Any:
            taken.append(await receive())
            return taken[-1]

        if not await self.authorized(Request(scope, watched)):
            raise Refusal(401)
        if taken:
            self.consumed(taken)
        return self.parse(await self.read(receive))

    def consumed(self, taken: list[Any]) -> None:
        raise Refusal(400)

    async def authorized(self, request: Any) -> bool:
        try:
            return self.lets_in(await self.decision(request))
        except Exception as error:
            return self.hook_failed(error)

    async def decision(self, request: Any) -> Any:
        decision = self.authorize(request)
        return await decision if inspect.isawaitable(decision) else decision

    def lets_in(self, decision: Any) -> bool:
        return decision is True

    def hook_failed(self, error: Exception) -> bool:
        return False

    # ---- the body

    async def read(self, receive: Receive) -> bytes:
        body = bytearray()
        while True:
            message = await self.receive(receive)
            if message["type"] == "http.disconnect":
                return self.gone(bytes(body))
            body += message.get("body", b"")
            if self.is_too_long(body):
                raise Refusal(413)
            if not message.get("more_body"):
                return bytes(body)

    async def receive(self, receive: Receive) -> Any:
        try:
            return await receive()
        except Exception:
            raise Refusal(400) from None

    def gone(self, body: bytes) -> bytes:
        raise Refusal(413)

    def is_too_long(self, body: bytearray) -> bool:
        return len(body) >= self.limit

    def parse(self, body: bytes) -> ProviderRequest:
        try:
            value = self.load(self.decode(body))
        except (ValueError, RecursionError):
            raise Refusal(400) from None
        if not self.is_valid(value):
            raise Refusal(400)
        return self.model(value)

    def decode(self, body: bytes) -> str:
        return body.decode("utf-8", "replace").removeprefix("\ufeff")

    def load(self, text: str) -> Any:
        return json.loads(text, parse_constant=_refuse)

    def is_valid(self, value: Any) -> bool:
        return provider_request_contract.is_valid(value)

    def model(self, value: Any) -> ProviderRequest:
        return ProviderRequest.model_validate(value)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
