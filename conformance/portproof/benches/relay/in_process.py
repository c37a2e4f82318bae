"""A relay in this process: everything about it can be observed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from agentports.ports.http import ProviderRequest
from portproof.benches.in_process import InProcessBench, InProcessBenches
from portproof.benches.relay.answers import Answer
from portproof.benches.relay.bench import MINIMAL, TOKEN, Asking, RelayBench, Taken, UnderWay, asking
from portproof.benches.relay.exchange import Exchange
from portproof.benches.relay.provider import ScriptedProvider
from portproof.benches.relay.scripts import ANSWER, Call, Script
from portproof.running.loops import RealTime, Time
from portproof.running.outcome import NotTested, Violation, expect
from portproof.running.plain import plain, told
from portproof.subjects.relays import DEFAULT_LIMIT, relay_supply
from portproof.subjects.subject import Subject

__all__ = ["AppBench", "AppBenches"]


_PIECE = 2**16
#: Pieces of a body without end, for relays that would wait for it.
_ENDLESS = 256


class AppBenches(InProcessBenches):
    """Opens a fresh bench for every example."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        super().__init__(subject, deadline, AppBench)


class AppBench(InProcessBench, RelayBench):
    """Calls the application as a server would, with its own provider behind it."""

    is_remote = False
    sees_upstream = True

    def __init__(self, subject: Subject, time: Time) -> None:
        super().__init__(subject, time)
        self.limit = int(subject.options.get("limit", DEFAULT_LIMIT))
        self.provider = ScriptedProvider()
        #: The application under test.
        self.app: Any = None
        self._hook: Callable[[Any], Any] = has_token
        self._limit: int | None = None
        self._is_real = isinstance(time, RealTime)

    def supply(self) -> dict[str, Any]:
        return relay_supply(self.subject, self.time, self.provider, self._hook, self._limit)

    async def start(self) -> None:
        self.app = await self.another()

    async def authorize_with(self, hook: Callable[[Any], Any]) -> None:
        """Build the application anew, with another hook."""
        self._hook = hook
        await self.start()

    async def limit_to(self, limit: int) -> None:
        """Build the application anew, with another limit. Raises `NotTested` where the factory names none."""
        if not self.subject.takes("limit"):
            raise NotTested("the factory names no `limit`")
        self.limit = self._limit = limit
        await self.start()

    @property
    def calls(self) -> list[Call]:
        return self.provider.calls

    @property
    def scripts(self) -> dict[str, Script]:
        return self.provider.scripts

    async def begin(self, sent: Asking, script: Script = ANSWER) -> Request:
        self.provider.script = script
        return self.exchange(self.app, sent)

    async def open(self, script: Script = ANSWER, data: Any = MINIMAL, **sending: Any) -> Request:
        return await self.begin(asking(data, **sending), script)

    def exchange(self, app: Any, sent: Asking) -> Request:
        """A request to an application, the one under test or a response of its own."""
        return Request(self, Exchange(app, _scope(sent), sent.pieces, sent.then))

    def inbound(self, script: Script, signal: Any) -> Request:
        """The answer of the subject's own stream to a minimal request under this signal.

        Raises a `Violation` when it cannot be made.
        """
        self.provider.script = script
        try:
            response = self.subject.members["RelayStream"](self.provider, ProviderRequest(messages=[]), signal).response
        except Exception as error:
            raise Violation(f"RelayStream raised {told(error)}", raised=plain(error)) from error
        return self.exchange(response, Asking([]))

    async def give_up_within(self, prefix: bytes) -> int | None:
        under_way = await self.open(data=[prefix], then=lambda: {"type": "http.disconnect"})
        return (await under_way.over()).status

    async def endless(self) -> Taken:
        pieces = iter(range(_ENDLESS))
        piece = b" " * _PIECE
        under_way = await self.open(
            data=[b"{"],
            chunked=True,
            then=lambda: {"type": "http.request", "body": piece, "more_body": next(pieces, None) is not None},
        )
        answer = await under_way.over()
        return Taken(answer.status, under_way.exchange.bytes_taken, self.limit + _PIECE)

    async def comes_true(self, condition: Callable[[], object]) -> bool:
        pause, until = 0.0, self.time.clock() + (0.7 if self._is_real else 10.0)
        while not condition():
            if self.time.clock() > until:
                return False
            await asyncio.sleep(pause)
            pause = min(pause + 0.001, 0.01) if self._is_real else min(pause * 2 or 0.01, 5.0)
        return True

    async def quiet(self) -> None:
        await asyncio.sleep(0.1 if self._is_real else 5.0)


class Request(UnderWay):
    """A request whose messages are the harness's own."""

    def __init__(self, bench: AppBench, exchange: Exchange) -> None:
        self.exchange = exchange
        self.answer: Answer = exchange.answer
        self._bench = bench

    async def lines(self, count: int) -> list[bytes]:
        await self._comes(lambda: len(self.answer.lines) >= count or self.exchange.is_over)
        expect(len(self.answer.lines) >= count, f"the answer ended without line {count}", body=self.answer.body)
        return self.answer.lines[:count]

    async def headers(self) -> Answer:
        await self._comes(lambda: self.answer.status is not None or self.exchange.is_over)
        expect(self.answer.status is not None, "the application returned without an answer")
        return self.answer

    async def whole(self) -> Answer:
        await self._comes(lambda: self.exchange.is_over or self.answer.is_whole)
        return self.answer

    async def leave(self) -> None:
        self.exchange.disconnect()

    async def over(self) -> Answer:
        """The answer, once the application has returned. Raises a `Violation` when it does not."""
        await self._comes(lambda: self.exchange.is_over)
        return self.answer

    async def _comes(self, condition: Callable[[], object]) -> None:
        if not await self._bench.comes_true(condition):
            raise Violation("the answer does not go on", status=self.answer.status, body=self.answer.body)


def has_token(request: Any) -> bool:
    """The hook: whether a request bears the harness's token."""
    return bool(request.headers.get("authorization") == f"Bearer {TOKEN}")


def _scope(asking: Asking) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": asking.method,
        "scheme": "http",
        "path": asking.path,
        "raw_path": asking.path.encode(),
        "query_string": asking.query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in asking.all_headers],
        "client": ("127.0.0.1", 40000),
        "server": ("relay.test", 80),
        "state": {},
    }
