"""Relays whose answers lose, merge or invent frames."""

from __future__ import annotations

import json
from typing import Any

from agentports.ports.http import ProviderDelta, ProviderResult
from portproof.selftest import defect

from ._relays import BareRelay, BareStream, Send


@defect("RLY-FRAMES-IN-ORDER")
class DropsEmptyDeltas(BareRelay):
    """A delta without text makes no frame."""

    class RelayStream(BareStream):
        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            if b'"text":""' not in line:
                await super().put(send, line, is_last)


@defect("RLY-FRAMES-IN-ORDER")
class MergesDeltas(BareRelay):
    """Consecutive deltas of a channel become one frame."""

    class RelayStream(BareStream):
        held: Any = None

        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            frame, held = json.loads(line), self.held
            if held is not None and held["channel"] == frame["channel"]:
                frame["text"] = held["text"] + frame["text"]
            elif held is not None:
                await super().put(send, self.encode(held), False)
            self.held = frame
            if is_last:
                await super().put(send, line, True)


@defect("RLY-TERMINAL-ONE")
class ReportsAFailureOfClosing(BareRelay):
    """When the iterator cannot be closed, an error frame follows the result."""

    class RelayStream(BareStream):
        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            if not is_last:
                return await super().put(send, line, False)
            try:
                await self.items.aclose()
            except Exception as error:
                await super().put(send, line, False)
                line = self.encode(self.last_words(error))
            return await super().put(send, line, True)


@defect("RLY-TERMINAL-ONE")
class EndsWithAResultInAnyCase(BareRelay):
    """A failure is followed by what was settled so far."""

    class RelayStream(BareStream):
        async def failed(self, error: Exception) -> bytes:
            return await super().failed(error) + self.encode({"channel": "result", "result": {"content": ""}})


@defect("RLY-RESULT-FRAME")
class RebuildsTheResult(BareRelay):
    """The result's content is what the deltas said."""

    class RelayStream(BareStream):
        said = ""

        def delta(self, item: ProviderDelta) -> Any:
            self.said += item.text if item.channel == "content" else ""
            return super().delta(item)

        def result(self, item: ProviderResult) -> Any:
            return super().result(item) | {"content": self.said}


@defect("RLY-RESULT-FRAME")
class LeavesOutEmptyMembers(BareRelay):
    """Empty reasoning and empty lists are left out of the result."""

    class RelayStream(BareStream):
        def result(self, item: ProviderResult) -> Any:
            return {"content": item.content} | {name: value for name, value in super().result(item).items() if value}


@defect("RLY-NO-RESULT")
class JustEnds(BareRelay):
    """The body ends with the last delta."""

    class RelayStream(BareStream):
        async def failed(self, error: Exception) -> bytes:
            return b"" if isinstance(error, LookupError) else await super().failed(error)


@defect("RLY-NO-RESULT")
class PutsAResultTogether(BareRelay):
    """The deltas are taken for a result."""

    class RelayStream(BareStream):
        said = ""

        def delta(self, item: ProviderDelta) -> Any:
            self.said += item.text if item.channel == "content" else ""
            return super().delta(item)

        def unsettled(self) -> Any:
            return ProviderResult(content=self.said)


@defect("RLY-AFTER-RESULT")
class DrainsTheIterator(BareRelay):
    """The result is written when the iterator has come to its end."""

    class RelayStream(BareStream):
        async def step(self) -> Any:
            item = await super().step()
            if isinstance(item, ProviderResult):
                async for _ in self.items:
                    pass
            return item


@defect("RLY-RESULT-NO-ABORT")
class AbortsInTheEnd(BareRelay):
    """The upstream signal is aborted whenever a stream ends."""

    class RelayStream(BareStream):
        async def close(self) -> None:
            self.upstream.abort("the stream is over")
            await super().close()
