"""Relays whose refusals say too much, or that do not get over them; and that call the provider oddly."""

from __future__ import annotations

import asyncio
from typing import Any

from agentports.ports.http import ProviderStreamOptions
from portproof.selftest import defect

from ._relays import BareRelay, BareStream, Receive, Send


@defect("RLY-REFUSAL-EMPTY")
class ExplainsItself(BareRelay):
    """A refusal has the body of an error page."""

    async def refuse(self, status: int, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b'{"error":"refused"}'})


@defect("RLY-REFUSAL-RECOVERS")
class GivesUpAfterARefusal(BareRelay):
    """After an invalid request every request is refused."""

    refused = False

    async def refuse(self, status: int, send: Send) -> None:
        self.refused = self.refused or status == 413
        await super().refuse(status, send)

    async def request(self, scope: Any, receive: Receive) -> Any:
        request = await super().request(scope, receive)
        return self.consumed([]) if self.refused else request


@defect("RLY-UPSTREAM-CONSTRUCT")
class StreamsAFailureOfConstruction(BareRelay):
    """A call that cannot be made is an error frame."""

    class RelayStream(BareStream):
        def construct(self) -> Any:
            try:
                return super().construct()
            except Exception as error:
                return _failing(error)


@defect("RLY-UPSTREAM-CONSTRUCT")
class TellsWhyThereIsNoCall(BareRelay):
    """The body of the 502 is the failure."""

    class RelayStream(BareStream):
        why = b""

        def construct(self) -> Any:
            try:
                return super().construct()
            except Exception as error:
                self.why = str(error).encode()
                raise

        async def refuse(self, send: Send) -> None:
            await send({"type": "http.response.start", "status": 502, "headers": []})
            await send({"type": "http.response.body", "body": self.why})


@defect("RLY-UPSTREAM-FIRST-STEP")
class WaitsForTheFirstStep(BareRelay):
    """A failure at the first step is 502."""

    class RelayStream(BareStream):
        async def begin(self, send: Send) -> None:
            self.first = await self.race(self.taken())
            if isinstance(self.first, Exception):
                await self.refuse(send)
            else:
                await super().begin(send)

        async def taken(self) -> Any:
            try:
                return await super().step()
            except Exception as error:
                return error

        async def step(self) -> Any:
            first, self.first = self.first, None
            if isinstance(first, Exception):
                raise first
            return first if first is not None else await super().step()


@defect("RLY-HEADERS-EARLY")
class BeginsWithTheFirstFrame(BareRelay):
    """The answer begins when there is a frame."""

    class RelayStream(BareStream):
        has_begun = False

        async def begin(self, send: Send) -> None:
            pass

        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            if not self.has_begun:
                self.has_begun = True
                await super().begin(send)
            await super().put(send, line, is_last)


@defect("RLY-CALL-ONCE")
class AsksAgainForTheResult(BareRelay):
    """The provider generates its answer once more when the stream is over."""

    class RelayStream(BareStream):
        async def write(self, send: Send) -> None:
            await super().write(send)
            request = self.request
            await self.provider.generate(request.messages, self.upstream.signal, request.tools, request.options)


@defect("RLY-CALL-ONCE")
class AlwaysGivesTools(BareRelay):
    """A request without tools is called with an empty list, and without options with empty ones."""

    class RelayStream(BareStream):
        def construct(self) -> Any:
            request = self.request
            options = request.options or ProviderStreamOptions()
            return self.provider.stream(request.messages, self.upstream.signal, request.tools or [], options)


@defect("RLY-STREAMS-LIVE")
class JoinsFrames(BareRelay):
    """The frames are sent together in the end."""

    class RelayStream(BareStream):
        held = b""

        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            self.held += line
            if is_last:
                await super().put(send, self.held, True)


@defect("RLY-STREAMS-LIVE")
class IsOneFrameBehind(BareRelay):
    """A frame is written when the next one is there."""

    class RelayStream(BareStream):
        held = b""

        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            held, self.held = self.held, line
            if held:
                await super().put(send, held, False)
            if is_last:
                await super().put(send, line, True)


@defect("RLY-ONE-STEP")
class LooksAhead(BareRelay):
    """Two steps are asked for at the same time."""

    class RelayStream(BareStream):
        async def step(self) -> Any:
            ahead = asyncio.ensure_future(anext(self.items, None))
            try:
                return await super().step()
            finally:
                ahead.cancel()


async def _failing(error: Exception) -> Any:
    raise error
    yield
