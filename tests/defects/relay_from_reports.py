"""Relays with faults that were reported of real ones."""

from __future__ import annotations

from typing import Any

from agentports.ports.http import ProviderRequest, ProviderResult
from portproof.selftest import defect

from ._relays import BareRelay, BareStream, Receive, Send


@defect("RLY-BODY-INVALID-UTF8")
class DecodesEachPiece(BareRelay):
    """Each piece of the body is decoded by itself, so a character that is cut is lost."""

    async def receive(self, receive: Receive) -> Any:
        message = await super().receive(receive)
        body: bytes = message.get("body", b"")
        return message | {"body": body.decode("utf-8", "replace").encode()} if body else message


@defect("RLY-RESULT-FRAME")
class DoublesToolNames(BareRelay):
    """The name of a tool is put together once more."""

    class RelayStream(BareStream):
        def result(self, item: ProviderResult) -> Any:
            result = super().result(item)
            for call in result.get("tools", ()):
                call["name"] *= 2
            return result


@defect("RLY-RESULT-FRAME")
class AddsTheUsageUp(BareRelay):
    """The total is counted from what the parts say."""

    class RelayStream(BareStream):
        def result(self, item: ProviderResult) -> Any:
            result = super().result(item)
            if usage := result.get("usage"):
                usage["total"] = usage["prompt"] + usage["completion"]
            return result


@defect("RLY-CALL-ONCE")
class DropsLaterSystemMessages(BareRelay):
    """A system message that is not the first one is left out."""

    def model(self, value: Any) -> ProviderRequest:
        messages = value["messages"]
        kept = [message for n, message in enumerate(messages) if n == 0 or message["role"] != "system"]
        return super().model(value | {"messages": kept})


@defect("RLY-STREAMS-LIVE")
class WritesFullBlocks(BareRelay):
    """Nothing is written before there are sixteen kilobytes."""

    class RelayStream(BareStream):
        held = b""

        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            self.held += line
            if is_last or len(self.held) >= 2**14:
                held, self.held = self.held, b""
                await super().put(send, held, is_last)
