"""The simulated vendors on loopback: a real HTTP server on a thread of its own, for anybody's client."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from agentports.sim.connection import Connection
from agentports.sim.replies import Reply
from agentports.sim.requests import Exchange, RecordedRequest
from agentports.sim.upstream import Answer, Upstream
from agentports.sim.wires import Wire, wire_named

__all__ = ["VendorServer"]


class VendorServer:
    """Serves one or several wires on `http://127.0.0.1:PORT`.

    >>> with VendorServer("openai-chat", script=[Turn.of("Hello there")]) as server:
    ...     client = openai.OpenAI(base_url=server.base_url, api_key="any")

    `server.upstream` records the requests and takes new scripts. `account` adds further upstreams under paths of their
    own, so that subjects that outlive their use cannot disturb each other. Raises `LookupError` for an unknown wire and
    `OSError` for a port that is taken.
    """

    def __init__(self, *wires: str, port: int = 0, script: Iterable[Answer] = (), host: str = "127.0.0.1") -> None:
        self._wires = [wire_named(name) for name in wires or ("openai-chat",)]
        self._host, self._port = host, port
        self._accounts: dict[str, Upstream] = {}
        self._numbers = itertools.count(1)
        self._connections: set[Connection] = set()
        self._thread: threading.Thread | None = None
        self.upstream = Upstream(*self._wires)
        answers = tuple(script)
        if answers:
            self.upstream.play(*answers)

    @property
    def root_url(self) -> str:
        """Where the server listens, without any wire's path."""
        return f"http://{self._host}:{self._port}"

    @property
    def base_url(self) -> str:
        """The base URL for clients of the first wire."""
        return self.root_url + self._wires[0].base_path

    @property
    def requests(self) -> list[RecordedRequest]:
        """The generation requests of the main upstream so far."""
        return self.upstream.requests

    def account(self, *wires: Wire) -> Upstream:
        """A new upstream with a base URL of its own."""
        key = f"a{next(self._numbers)}"
        upstream = self._accounts[key] = Upstream(*(wires or self._wires))
        upstream.base_url = f"{self.root_url}/{key}{upstream.wires[0].base_path}"
        return upstream

    def close_account(self, upstream: Upstream) -> None:
        """Forget an upstream; later requests to it find nothing."""
        self._accounts = {key: known for key, known in self._accounts.items() if known is not upstream}

    def start(self) -> Self:
        """Listen, on a thread that runs until `stop`. May be called while another loop runs."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="vendor-simulator", daemon=True)
        self._thread.start()
        try:
            self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        except OSError:
            self._end()
            raise
        self._port = self._server.sockets[0].getsockname()[1]
        self.upstream.base_url = self.base_url
        return self

    def stop(self) -> None:
        """Drop all clients and stop listening."""
        if self._thread is not None:
            asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result()
            self._end()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def _open(self, request: RecordedRequest) -> tuple[Exchange, Reply]:
        key = request.target.split("/", 2)[1]
        return self._accounts.get(key, self.upstream).open(request)

    async def _listen(self) -> asyncio.Server:
        return await self._loop.create_server(lambda: Connection(self._open, self._connections), self._host, self._port)

    def _end(self) -> None:
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._thread = None

    async def _drop(self) -> None:
        for connection in list(self._connections):
            connection.close()
        await asyncio.sleep(0)

    async def _shut(self) -> None:
        self._server.close()
        await self._drop()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
