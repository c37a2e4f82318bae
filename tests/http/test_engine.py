"""The engine over a transport in this process: order, clean-up, and what is raised."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

import httpx
import pytest

from agentports.ports import AbortController
from agentports.ports.http import (
    Message,
    ProviderAbortError,
    ProviderDelta,
    ProviderError,
    ProviderIncrement,
    ProviderRequest,
    ProviderResult,
)
from agentports.relay import AgentProvider, NDJSONParser

SAY = [Message(id="1", role="user", content="hi")]


class Body(httpx.AsyncByteStream):
    """Pieces, and then the end or a silence. `closed` tells whether it was let go."""

    def __init__(self, *pieces: bytes, holds: bool = False) -> None:
        self._pieces, self._holds = pieces, holds
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece
        if self._holds:
            await asyncio.get_running_loop().create_future()

    async def aclose(self) -> None:
        self.closed = True


class Transport(httpx.AsyncBaseTransport):
    """Answers every request alike, and keeps it."""

    def __init__(self, body: Body, status: int = 200) -> None:
        self.body, self.status = body, status
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(self.status, stream=self.body)


class Lines(AgentProvider[dict[str, Any]]):
    """Records are increments, one a line."""

    name = "lines"

    def frame(self) -> NDJSONParser:
        return NDJSONParser()

    def body(self, request: ProviderRequest) -> Any:
        return request.model_dump()

    def read(self, record: dict[str, Any]) -> ProviderIncrement:
        return ProviderIncrement(**record)

    def finish(self, parser: Any) -> Any:
        return parser.parse("\n")


def line(**record: Any) -> bytes:
    """A record as a line."""
    return json.dumps(record).encode() + b"\n"


def provider(transport: Transport, **given: Any) -> Lines:
    """A provider on this transport."""
    return Lines("http://far/", "v1", client=httpx.AsyncClient(transport=transport), **given)


async def drained(lines: Lines, controller: AbortController | None = None) -> list[Any]:
    """All items of a call."""
    return [item async for item in lines.stream(SAY, (controller or AbortController()).signal)]


def test_a_call_yields_deltas_and_a_result() -> None:
    """Reasoning between tags is in the result alone."""
    transport = Transport(Body(line(content="<think>why</think>be"), line(content="cause", thinking="so")))
    items = asyncio.run(drained(provider(transport)))
    assert items == [
        ProviderDelta(channel="content", text="be"),
        ProviderDelta(channel="content", text="cause"),
        ProviderDelta(channel="thinking", text="so"),
        ProviderResult(content="because", thinking="why\n\nso"),
    ]


def test_the_request_is_a_post_of_json_to_url_and_path() -> None:
    """Absent members are not sent; lone surrogates travel as escapes."""
    transport = Transport(Body())
    messages = [Message(id="1", role="user", content="é\ud800")]
    asyncio.run(provider(transport).generate(messages, AbortController().signal))
    (request,) = transport.requests
    assert (request.method, str(request.url)) == ("POST", "http://far/v1")
    assert request.headers["content-type"] == "application/json"
    assert json.loads(request.content) == {"messages": [{"id": "1", "role": "user", "content": "é\ud800"}]}


def test_messages_may_be_a_tuple() -> None:
    """A seam may dump the request all the same."""
    transport = Transport(Body())
    asyncio.run(provider(transport).generate(tuple(SAY), AbortController().signal))
    assert json.loads(transport.requests[0].content) == {"messages": [SAY[0].model_dump()]}


@pytest.mark.parametrize("leave", ["close", "abort"])
def test_whatever_ends_a_call_lets_go_of_everything(leave: str) -> None:
    """The body is closed, nobody listens to the caller, and no task is left."""

    async def main() -> tuple[bool, int, int]:
        transport, controller = Transport(Body(line(content="said"), holds=True)), AbortController()
        async with aclosing(provider(transport).stream(SAY, controller.signal)) as items:
            await anext(items)
            if leave == "abort":
                asyncio.get_running_loop().call_soon(controller.abort)
                with pytest.raises(ProviderAbortError) as caught:
                    await anext(items)
                assert caught.value.partial == ProviderResult(content="said")
        for _ in range(20):  # in which the generators of the transport are finalised
            await asyncio.sleep(0)
        return transport.body.closed, controller.signal.listeners, len(asyncio.all_tasks())

    assert asyncio.run(main()) == (True, 0, 1)


def test_cancelling_the_task_is_passed_on() -> None:
    """It is not an abort, and the body is closed all the same."""

    async def main() -> bool:
        transport = Transport(Body(holds=True))
        task = asyncio.ensure_future(drained(provider(transport)))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return transport.body.closed

    assert asyncio.run(main())


def test_the_deadline_sleeps_again_when_it_wakes_too_early() -> None:
    """The clock decides, not the sleeper."""
    naps: list[float] = []
    now = [0.0]

    async def sleep(seconds: float) -> None:
        naps.append(seconds)
        now[0] += seconds / 2 if len(naps) < 3 else seconds
        await asyncio.sleep(0)

    transport = Transport(Body(holds=True))
    with pytest.raises(ProviderAbortError) as caught:
        asyncio.run(drained(provider(transport, timeout=1000, sleep=sleep, clock=lambda: now[0])))
    assert (naps, caught.value.cause) == ([1.0, 0.5, 0.25], None)


@pytest.mark.parametrize(("status", "code"), [(503, "HTTP"), (204, "PROTOCOL"), (302, "HTTP")])
def test_what_is_no_stream_is_a_failure(status: int, code: str) -> None:
    """A refusal has its status and the beginning of its body."""
    with pytest.raises(ProviderError) as caught:
        asyncio.run(drained(provider(Transport(Body(b"later"), status))))
    assert (caught.value.code, caught.value.status) == (code, status if code == "HTTP" else None)
    if code == "HTTP":
        assert str(caught.value) == f"provider error: {status} - later"


def _raising(error: Exception) -> Callable[[Any, Any], Any]:
    def read(self: Any, record: Any) -> Any:
        raise error

    return read


def test_a_seams_own_exception_is_raised() -> None:
    """The very object, unless the call was aborted: then it is the cause."""
    error = RuntimeError("broken")
    broken = type("Broken", (Lines,), {"read": _raising(error)})
    transport = Transport(Body(line(content="x")))
    lines = broken("http://far", client=httpx.AsyncClient(transport=transport))
    with pytest.raises(RuntimeError) as caught:
        asyncio.run(drained(lines))
    assert caught.value is error


def test_a_provider_makes_a_client_of_its_own() -> None:
    """Closed with aclose, and made anew when it is needed again."""

    async def main() -> list[Any]:
        lines = Lines("http://127.0.0.1:9")
        told: list[Any] = []
        for _ in range(2):
            try:
                await drained(lines)
            except httpx.ConnectError as error:
                told.append(type(error))
            await lines.aclose()
        return told

    assert asyncio.run(main()) == [httpx.ConnectError] * 2
