"""Relays that tell too much or too little of a failure, or leave it half done."""

from __future__ import annotations

import json
from typing import Any

from agentports.ports.http import ProviderAbortError
from portproof.selftest import defect

from ._relays import BareRelay, BareStream, Send


@defect("RLY-ERROR-FIXED")
class TellsTheFailure(BareRelay):
    """The message of the frame is that of the failure."""

    class RelayStream(BareStream):
        def message(self, error: Exception) -> str:
            return str(error)


@defect("RLY-ERROR-FIXED")
class TellsTheClass(BareRelay):
    """The frame has a code."""

    class RelayStream(BareStream):
        def last_words(self, error: Exception) -> Any:
            frame = super().last_words(error)
            return frame | {"code": type(error).__name__} if frame["channel"] == "error" else frame


@defect("RLY-ERROR-STATUS-200")
class BreaksOff(BareRelay):
    """After a failure the body has no end."""

    class RelayStream(BareStream):
        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            await super().put(send, line, is_last and b'"error"' not in line)


@defect("RLY-ERROR-STATUS-200")
class TakesFramesBack(BareRelay):
    """Frames are held until it is known that the call succeeds."""

    class RelayStream(BareStream):
        held = b""

        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            self.held += line
            if is_last:
                await super().put(send, line if b'"error"' in line else self.held, True)


@defect("RLY-ABORT-FRAME")
class TakesAnAbortForAFailure(BareRelay):
    """An abort upstream is an error like any other."""

    class RelayStream(BareStream):
        def last_words(self, error: Exception) -> Any:
            return super().last_words(RuntimeError(str(error)))


@defect("RLY-ABORT-FRAME")
class KeepsTheContentOnly(BareRelay):
    """The partial is its content."""

    class RelayStream(BareStream):
        def aborted(self, error: ProviderAbortError) -> Any:
            return {"channel": "abort", "partial": {"content": error.partial.content}}


class _Careless(BareStream):
    """What is written is not looked at."""

    def is_valid(self, frame: Any) -> bool:
        return True

    def encode(self, frame: Any) -> bytes:
        return json.dumps(frame, separators=(",", ":"), default=str).encode() + b"\n"


@defect("RLY-ABORT-PARTIAL-INVALID")
class WritesAnyPartial(BareRelay):
    """The partial of an abort is not looked at."""

    class RelayStream(_Careless):
        def is_valid(self, frame: Any) -> bool:
            return isinstance(frame, dict) and (frame["channel"] == "abort" or BareStream.is_valid(self, frame))


@defect("RLY-RESULT-INVALID")
class WritesAnyResult(BareRelay):
    """The result is not looked at."""

    class RelayStream(_Careless):
        def is_valid(self, frame: Any) -> bool:
            return isinstance(frame, dict) and (frame["channel"] == "result" or BareStream.is_valid(self, frame))


@defect("RLY-RESULT-INVALID")
class WritesWhatJsonMakesOfIt(BareRelay):
    """A date in a result is written as text."""

    class RelayStream(BareStream):
        def result(self, item: Any) -> Any:
            return json.loads(json.dumps(super().result(item), default=str))


@defect("RLY-DELTA-INVALID")
class SkipsOddDeltas(BareRelay):
    """A delta that is none is left out."""

    class RelayStream(BareStream):
        async def step(self) -> Any:
            while True:
                item = await super().step()
                if self.is_valid(self.frame(item)) or hasattr(item, "content"):
                    return item


@defect("RLY-DELTA-INVALID")
class WritesAnyDelta(BareRelay):
    """A delta is not looked at."""

    class RelayStream(_Careless):
        def is_valid(self, frame: Any) -> bool:
            return isinstance(frame, dict) and ("text" in frame or BareStream.is_valid(self, frame))


@defect("RLY-FAIL-ABORTS-UPSTREAM")
class DropsTheIterator(BareRelay):
    """After a failure the iterator is left to the garbage collector."""

    class RelayStream(BareStream):
        async def failed(self, error: Exception) -> bytes:
            self.upstream.abort(error)
            return self.encode(self.last_words(error))

        async def close(self) -> None:
            pass


@defect("RLY-FAIL-ABORTS-UPSTREAM")
class ClosesBeforeItAborts(BareRelay):
    """After a failure the iterator is closed, and then the signal is aborted."""

    class RelayStream(BareStream):
        async def failed(self, error: Exception) -> bytes:
            await self.close()
            self.upstream.abort(error)
            return self.encode(self.last_words(error))


@defect("RLY-CLEANUP-SWALLOWED")
class RaisesWhatClosingRaises(BareRelay):
    """A failure of closing is raised to the host."""

    class RelayStream(BareStream):
        async def close(self) -> None:
            await self.items.aclose()
