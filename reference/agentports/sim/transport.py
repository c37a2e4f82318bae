"""The simulated vendor in process: an httpx transport without a socket, for thousands of generated cases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx

from agentports.sim.replies import Disconnect, Gate, Hang, Pause, Reply, Reset, Step
from agentports.sim.requests import Exchange, RecordedRequest
from agentports.sim.upstream import Upstream

__all__ = ["SimulatedTransport"]


class SimulatedTransport(httpx.AsyncBaseTransport):
    """Serves an `Upstream` to an `httpx.AsyncClient(transport=…)` with the same steps as the loopback server."""

    def __init__(self, upstream: Upstream) -> None:
        self.upstream = upstream

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        recorded = RecordedRequest(
            request.method,
            request.url.raw_path.decode("ascii"),
            {name.lower(): value for name, value in request.headers.items()},
            await request.aread(),
        )
        exchange, reply = self.upstream.open(recorded)
        if not reply.head:
            await _without_head(reply, exchange)
        if reply.plain is not None:
            exchange.end("finished")
            return httpx.Response(reply.status, headers=list(reply.headers), content=reply.plain)
        return httpx.Response(reply.status, headers=list(reply.headers), stream=_Body(reply.steps, exchange))


async def _without_head(reply: Reply, exchange: Exchange) -> None:
    body = _Body(reply.steps, exchange)
    try:
        async for _ in body:
            pass
    finally:
        await body.aclose()
    raise httpx.RemoteProtocolError("Server disconnected without sending a response.")


class _Body(httpx.AsyncByteStream):
    def __init__(self, steps: tuple[Step, ...], exchange: Exchange) -> None:
        self._steps = steps
        self._exchange = exchange

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for step in self._steps:
            if isinstance(step, bytes):
                yield step
            else:
                await _control(step, self._exchange)
        self._exchange.end("finished")

    async def aclose(self) -> None:
        self._exchange.end("client-closed")


async def _control(step: Step, exchange: Exchange) -> None:
    match step:
        case Pause(seconds):
            await asyncio.sleep(seconds)
        case Gate():
            await step.wait()
        case Hang():
            await asyncio.get_running_loop().create_future()
        case Disconnect():
            exchange.end("server-cut")
            raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")
        case Reset():
            exchange.end("server-cut")
            raise httpx.ReadError("connection reset by peer")
