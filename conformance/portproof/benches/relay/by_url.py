"""A relay at a URL: what goes in and comes out of its sockets, on real time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import h11

from portproof.benches.containment import contained
from portproof.benches.real_time import RealTimeBench
from portproof.benches.relay.answers import Answer
from portproof.benches.relay.bench import TOKEN, Asking, RelayBench, Taken, asking
from portproof.benches.relay.scripts import ANSWER, Call, Say, Script
from portproof.benches.relay.wire_request import Line, WireRequest, in_order
from portproof.benches.relay.wire_upstream import WireUpstream
from portproof.running.outcome import CheckFunction, Violation
from portproof.subjects.relays import DEFAULT_LIMIT
from portproof.subjects.subject import Subject

__all__ = ["UrlBench"]

#: A body without end is given up here, and an upstream that may write so much is not held back.
_MOST = 64 * 2**20
_PIECE = b"x" * 2**16
_QUIET_S = 0.1
_COMES_S = 5.0
_STALLED_S = 0.5


class UrlBench(RealTimeBench, RelayBench):
    """Asks the relay over sockets, and is its upstream where the option `upstream` says at which port."""

    is_remote = True

    def __init__(self, subject: Subject, deadline: float) -> None:
        RealTimeBench.__init__(self, subject, deadline)
        address = urlsplit(subject.target)
        self._host, self._port = address.hostname or "127.0.0.1", address.port or 80
        self._target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        self._token = str(subject.options.get("token", TOKEN))
        self.limit = int(subject.options.get("limit", DEFAULT_LIMIT))
        if self.sees_upstream:
            place = f"http://127.0.0.1:{subject.options['upstream']}/"
            self.uncalled = (
                f"the provider was not called, or is not a client of the relay's protocol pointed at {place}"
            )
        self._upstream: WireUpstream | None = None
        self._kept: Line | None = None
        self._flooded: int | None = None
        self._keeps = False
        self._requests: list[WireRequest] = []

    # ---- what there is to see

    @property
    def sees_upstream(self) -> bool:  # type: ignore[override]
        return "upstream" in self.subject.options

    @property
    def upstream(self) -> WireUpstream:
        """The harness's upstream. Raises `NotTested` when the relay has another one."""
        self.needs_upstream()
        assert self._upstream is not None
        return self._upstream

    @property
    def calls(self) -> list[Call]:
        return self.upstream.calls

    @property
    def scripts(self) -> dict[str, Script]:
        return self.upstream.scripts

    # ---- asking

    async def begin(self, sent: Asking, script: Script = ANSWER) -> WireRequest:
        if self._upstream is not None:
            self._upstream.script = script
        return await self._request(sent, in_order(sent.pieces))

    async def ask(self, sent: Asking, script: Script = ANSWER) -> Answer:
        answer = await super().ask(sent, script)
        if answer.status is None and self._keeps:
            # A server may close a connection after any answer, and the client has to open another one.
            self._kept = None
            answer = await super().ask(sent, script)
        return answer

    async def _request(self, sent: Asking, pieces: AsyncIterator[bytes]) -> WireRequest:
        token = self._token if sent.token == TOKEN else sent.token
        others = [pair for pair in replace(sent, token=token).all_headers if pair[0] != "host"]
        headers = [("host", f"{self._host}:{self._port}"), *others]
        line = await self._line()
        request = WireRequest(line, h11.Request(method=sent.method, target=self._target, headers=headers), pieces)
        self._requests.append(request)
        return request

    async def _line(self) -> Line:
        if self._kept is not None and self._kept.is_free():
            return self._kept
        try:
            line = await Line.to(self._host, self._port)
        except OSError as error:
            raise Violation(f"nothing answers at {self._host}:{self._port}: {error}") from error
        if self._keeps:
            self._kept = line
        return line

    @contextlib.asynccontextmanager
    async def one_connection(self) -> AsyncIterator[None]:
        self._keeps = True
        try:
            yield
        finally:
            self._keeps, self._kept = False, None

    async def give_up_within(self, prefix: bytes) -> int | None:
        for half_way in (True, False):
            request = await self._request(asking([prefix], length=len(prefix) + 100), _stopping(prefix))
            await self.quiet()
            if half_way:
                request.end_sending()
                await self.quiet()
            await request.leave()
            await self.quiet()
        # What the host may say to a broken request is not the relay's.
        return None

    async def endless(self) -> Taken:
        request = await self._request(asking([b"{"], chunked=True), _without_end(lambda: request.is_over))
        answer = await request.whole()
        return Taken(answer.status, request.sent, _MOST - 1)

    async def flooded(self) -> int:
        """How many bytes the upstream can write to a client that takes none, of four times `most_flooded`.

        Found out once.
        """
        if self._flooded is None:
            self._flooded = await self._flood()
        return self._flooded

    async def _flood(self) -> int:
        script = [Say(_PIECE.decode())] * (4 * _MOST // len(_PIECE))
        request = await self.open(script)
        await request.headers()
        assert isinstance(request, WireRequest)
        request.stall()
        written, since = -1, self._time.clock()
        while written < _MOST and self._time.clock() - since < _STALLED_S:
            if self.upstream.written > written:
                written, since = self.upstream.written, self._time.clock()
            await asyncio.sleep(0.01)
        return written

    @property
    def most_flooded(self) -> int:
        """More than the buffers on the way hold, in bytes."""
        return _MOST

    async def comes_true(self, condition: Callable[[], object]) -> bool:
        return await self.settled(condition, within=_COMES_S)

    async def quiet(self) -> None:
        await asyncio.sleep(_QUIET_S)

    # ---- what the runner uses

    def run(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        # Nothing here is the subject's, and a connection that is just being accepted must not be cancelled.
        with contained(self.deadline + 5.0):
            self._time.run(self.example(check, drawn))

    def supply(self) -> Mapping[str, Any]:
        return {}

    async def example(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        if self.sees_upstream and self._upstream is None:
            upstream = WireUpstream(int(self.subject.options["upstream"]))
            await upstream.open()
            self._upstream = upstream
        if self._upstream is not None:
            self._upstream.forget()
        try:
            await super().example(check, drawn)
        finally:
            for request in self._requests:
                await request.leave()
            self._requests.clear()

    async def dismantle(self) -> None:
        upstream, self._upstream = self._upstream, None
        if upstream is not None:
            await upstream.close()
        await super().dismantle()


async def _stopping(prefix: bytes) -> AsyncIterator[bytes]:
    yield prefix
    await asyncio.Event().wait()


async def _without_end(is_over: Callable[[], bool]) -> AsyncIterator[bytes]:
    sent = 0
    while sent < _MOST and not is_over():
        yield _PIECE
        sent += len(_PIECE)
