"""The reference relay where no rule looks: what a host does to it, and how it is put into an application."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import httpx
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount

from agentports.ports import AbortController, AbortSignal
from agentports.ports.http import ProviderDelta, ProviderRequest, ProviderResult
from agentports.relay.server import create_relay
from agentports.relay.stream import ClientGone, RelayStream

SCOPE: Any = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": []}


class Telling:
    """A provider that says a few words, then waits when it is told to, and keeps what became of its call."""

    def __init__(self, *, waits: bool = False) -> None:
        self.waits = waits
        self.signals: list[AbortSignal] = []
        self.closed: list[Any] = []

    async def stream(
        self, messages: Any, signal: AbortSignal, tools: Any = None, options: Any = None
    ) -> AsyncIterator[Any]:
        """Two deltas and a result."""
        self.signals.append(signal)
        try:
            yield ProviderDelta(channel="content", text="hel")
            if self.waits:
                await asyncio.Event().wait()
            yield ProviderDelta(channel="content", text="lo")
            yield ProviderResult(content="hello")
        finally:
            self.closed.append(signal.reason)


def relay(provider: Any, **stated: Any) -> Any:
    return create_relay(provider=provider, authorize=lambda request: True, **stated)


class Client:
    """A client whose every message is in the hands of the test."""

    def __init__(self, *incoming: dict[str, Any]) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        for message in incoming or ({"type": "http.request", "body": b'{"messages":[]}'},):
            self.incoming.put_nowait(message)
        self.sent: list[dict[str, Any]] = []
        self.fails_after: int | None = None

    async def send(self, message: dict[str, Any]) -> None:
        if self.fails_after is not None and len(self.sent) >= self.fails_after:
            raise OSError("the connection is lost")
        self.sent.append(message)

    async def ask(self, app: Any) -> None:
        """Run the application to its end."""
        await app(SCOPE, self.incoming.get, self.send)

    @property
    def frames(self) -> list[Any]:
        return [json.loads(message["body"]) for message in self.sent if message.get("body")]


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a test, and see that it leaves no task."""

    async def watched() -> None:
        await main()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(watched())


def test_a_request_is_answered_with_the_frames_of_its_call() -> None:
    """The last frame and the end of the body are one message."""

    async def main() -> None:
        client = Client()
        await client.ask(relay(Telling()))
        assert [frame["channel"] for frame in client.frames] == ["content", "content", "result"]
        assert [message.get("more_body") for message in client.sent] == [None, True, True, True, False]

    run(main)


def test_a_host_that_cancels_the_application_is_obeyed() -> None:
    """The upstream call is aborted and closed on the way, and the cancellation goes on."""

    async def main() -> None:
        provider, client = Telling(waits=True), Client()
        task = asyncio.ensure_future(client.ask(relay(provider)))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert isinstance(provider.closed[0], ClientGone)

    run(main)


def test_a_write_that_fails_is_the_end_of_interest() -> None:
    """Servers of the newer kind raise when the client has gone."""

    async def main() -> None:
        provider, client = Telling(waits=True), Client()
        client.fails_after = 2
        await client.ask(relay(provider))
        assert provider.signals[0].aborted
        assert isinstance(provider.closed[0], ClientGone)

    run(main)


def test_a_failure_to_receive_is_the_end_of_interest() -> None:
    """A host whose connection breaks oddly leaves no call running."""

    async def main() -> None:
        provider, client = Telling(waits=True), Client()

        async def receive() -> dict[str, Any]:
            if client.incoming.empty():
                raise RuntimeError("broken")
            return await client.incoming.get()

        await relay(provider)(SCOPE, receive, client.send)
        assert provider.signals[0].aborted
        assert len(provider.closed) == 1

    run(main)


def test_the_inbound_signal_may_be_aborted_in_another_thread() -> None:
    """The loop is woken, and the stream falls silent until the client goes."""

    async def main() -> None:
        provider, client, inbound = Telling(waits=True), Client(), AbortController()
        response = RelayStream(provider, ProviderRequest(messages=[]), inbound.signal).response
        client.incoming.get_nowait()
        task = asyncio.ensure_future(client.ask(response))
        await asyncio.sleep(0.01)
        threading.Thread(target=inbound.abort, args=("enough",)).start()
        await asyncio.sleep(0.05)
        assert provider.closed == ["enough"]
        assert not task.done()
        client.incoming.put_nowait({"type": "http.disconnect"})
        await task
        assert inbound.signal.listeners == 0

    run(main)


def test_a_signal_that_is_aborted_before_the_response_runs_writes_nothing() -> None:
    """Nobody waits for the answer, so there is none."""

    async def main() -> None:
        provider, client, inbound = Telling(), Client({"type": "http.disconnect"}), AbortController()
        response = RelayStream(provider, ProviderRequest(messages=[]), inbound.signal).response
        inbound.abort("enough")
        await client.ask(response)
        assert client.sent == []
        assert inbound.signal.listeners == 0

    run(main)


def test_a_client_that_goes_is_heard_beside_a_provider_that_never_waits() -> None:
    """Although no step and no write gives anybody else a turn."""

    class Hasty(Telling):
        async def stream(self, messages: Any, signal: AbortSignal, *others: Any) -> AsyncIterator[Any]:
            try:
                for _ in range(20_000):
                    yield ProviderDelta(channel="content", text="more")
            finally:
                self.closed.append(signal.reason)

    class Leaving(Client):
        async def send(self, message: dict[str, Any]) -> None:
            await super().send(message)
            if len(self.sent) == 100:
                self.incoming.put_nowait({"type": "http.disconnect"})

    async def main() -> None:
        provider, client = Hasty(), Leaving()
        await client.ask(relay(provider))
        assert isinstance(provider.closed[0], ClientGone)
        assert len(client.sent) < 1000

    run(main)


def test_a_provider_that_cancels_itself_has_failed() -> None:
    """A cancellation that nobody asked for is an upstream failure like any other."""

    class Cancelled(Telling):
        async def stream(self, *given: Any, **stated: Any) -> AsyncIterator[Any]:
            raise asyncio.CancelledError
            yield

    async def main() -> None:
        client = Client()
        await client.ask(relay(Cancelled()))
        assert client.frames == [{"channel": "error", "message": "relay provider failed"}]

    run(main)


def test_messages_that_are_no_requests_are_left_to_others() -> None:
    """A server asks the application about its lifespan too."""

    async def main() -> None:
        await relay(Telling())({"type": "lifespan"}, None, None)

    run(main)


def test_a_relay_is_mounted_in_an_application() -> None:
    """Behind a path, and behind middleware."""

    async def main() -> None:
        app = Starlette(
            routes=[Mount("/relay", relay(Telling()))], middleware=[Middleware(GZipMiddleware, minimum_size=1)]
        )
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://relay.test") as client:
            answer = await client.post("/relay/", json={"messages": []})
        assert answer.headers["content-type"] == "application/x-ndjson; charset=utf-8"
        assert [json.loads(line)["channel"] for line in answer.text.splitlines()] == ["content", "content", "result"]

    run(main)


def test_a_fastapi_application_mounts_it_beside_its_own_routes() -> None:
    """Its middleware and dependencies are the application's; the stream is the relay's."""

    async def main() -> None:
        app = FastAPI()
        app.mount("/relay", relay(Telling()))
        app.get("/health")(lambda: {"ok": True})
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://relay.test") as client:
            answer = await client.post("/relay/", json={"messages": []})
            health = await client.get("/health")
        assert health.json() == {"ok": True}
        assert [json.loads(line)["channel"] for line in answer.text.splitlines()] == ["content", "content", "result"]

    run(main)


def test_without_starlette_the_error_names_the_extra() -> None:
    """And importing the providers does not need it."""
    code = (
        "import sys; sys.modules['starlette'] = None\n"
        "import agentports.relay\n"
        "try:\n    import agentports.relay.server\n"
        "except ImportError as error:\n    print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "portproof[relay]" in told
