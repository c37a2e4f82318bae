"""Relays that are wrong in one corner only."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from agentports.relay.contracts import relay_frame_contract
from portproof.selftest import defect

from ._relays import BareRelay, BareStream, Receive, Send


class _LeavesItsSignal(BareStream):
    """A failure of this kind does not abort the upstream signal."""

    kind: type[Exception]

    async def failed(self, error: Exception) -> bytes:
        if not isinstance(error, self.kind):
            return await super().failed(error)
        await self.close()
        return self.encode(self.last_words(error))


@defect("RLY-FAIL-ABORTS-UPSTREAM")
class TheUpstreamKnows(BareRelay):
    """An upstream call that raised is not told that it has failed."""

    class RelayStream(_LeavesItsSignal):
        kind = RuntimeError


@defect("RLY-FAIL-ABORTS-UPSTREAM")
class AnEndIsAnEnd(BareRelay):
    """An upstream call that ended without a result is not aborted."""

    class RelayStream(_LeavesItsSignal):
        kind = LookupError


@defect("RLY-RESULT-INVALID")
class LooksAtTheContent(BareRelay):
    """Of a result, its content is looked at, and whether the whole is JSON."""

    class RelayStream(BareStream):
        def is_valid(self, frame: Any) -> bool:
            if "result" not in frame:
                return super().is_valid(frame)
            with contextlib.suppress(TypeError, ValueError):
                self.encode(frame)
                return isinstance(frame["result"]["content"], str)
            return False


@defect("RLY-ABORT-PARTIAL-INVALID")
class AnyPartial(BareRelay):
    """A partial that can be written is written."""

    class RelayStream(BareStream):
        def is_valid(self, frame: Any) -> bool:
            with contextlib.suppress(TypeError, ValueError):
                self.encode(frame)
                return "partial" in frame or relay_frame_contract.is_valid(frame)
            return False


@defect("RLY-AUTH-EACH-REQUEST")
class RemembersTokens(BareRelay):
    """A credential that was good once is good."""

    def __init__(self, *, provider: Any, authorize: Any, limit: int = 1_048_576) -> None:
        super().__init__(provider=provider, authorize=authorize, limit=limit)
        self.good = set[str]()

    async def authorized(self, request: Any) -> bool:
        token = request.headers.get("authorization", "")
        if token not in self.good and await super().authorized(request):
            self.good.add(token)
        return token in self.good


@defect("RLY-BODY-INVALID")
class GuessesTheEncoding(BareRelay):
    """A body in another encoding is read in that."""

    def decode(self, body: bytes) -> str:
        name = json.detect_encoding(body)
        return super().decode(body) if name.startswith("utf-8") else body.decode(name, "replace")


@defect("FRM-REQUEST-MINIMAL")
class WantsItPlain(BareRelay):
    """A body has to begin with its brace."""

    def load(self, text: str) -> Any:
        if text[:1].isspace():
            raise ValueError
        return super().load(text)


@defect("RLY-TASKS-RELEASED")
class WatchesOnAfterARefusal(BareRelay):
    """The watch over the connection goes on where the call could not be made."""

    class RelayStream(BareStream):
        async def refuse(self, send: Send) -> None:
            self.watcher = asyncio.ensure_future(asyncio.Event().wait())
            await super().refuse(send)


@defect("RLY-CONCURRENT")
class CountsAllBodies(BareRelay):
    """The bodies that are being read count together."""

    held = 0

    async def read(self, receive: Receive) -> bytes:
        taken = 0

        async def counted() -> Any:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            self.held += len(message.get("body", b""))
            return message

        try:
            return await super().read(counted)
        finally:
            self.held -= taken

    def is_too_long(self, body: bytearray) -> bool:
        return self.held >= self.limit
