"""Relays whose headers or lines are not what clients read."""

from __future__ import annotations

import json
from typing import Any

from portproof.selftest import defect

from ._relays import BareRelay, BareStream, Send


@defect("RLY-CONTENT-TYPE")
class SaysJson(BareRelay):
    """The content type is that of JSON."""

    class RelayStream(BareStream):
        def headers(self) -> list[tuple[bytes, bytes]]:
            return [(b"content-type", b"application/json"), *super().headers()[1:]]


@defect("RLY-CONTENT-TYPE")
class SaysNoCharset(BareRelay):
    """The content type has no charset."""

    class RelayStream(BareStream):
        def headers(self) -> list[tuple[bytes, bytes]]:
            return [(b"content-type", b"application/x-ndjson"), *super().headers()[1:]]


@defect("RLY-NO-STORE")
class SaysNothingToCaches(BareRelay):
    """There is no cache-control."""

    class RelayStream(BareStream):
        def headers(self) -> list[tuple[bytes, bytes]]:
            return super().headers()[:1]


@defect("RLY-NO-STORE")
class SaysNoCache(BareRelay):
    """no-cache lets a cache keep the answer."""

    class RelayStream(BareStream):
        def headers(self) -> list[tuple[bytes, bytes]]:
            return [*super().headers()[:1], (b"cache-control", b"no-cache")]


@defect("RLY-LINE-FORMAT")
class PrettyPrints(BareRelay):
    """A frame is several lines."""

    class RelayStream(BareStream):
        def encode(self, frame: Any) -> bytes:
            return json.dumps(frame, indent=1).encode() + b"\n"


@defect("RLY-LINE-FORMAT")
class EndsWithoutANewline(BareRelay):
    """Newlines stand between frames only."""

    class RelayStream(BareStream):
        count = 0

        def encode(self, frame: Any) -> bytes:
            self.count += 1
            return (b"\n" if self.count > 1 else b"") + super().encode(frame).rstrip(b"\n")


@defect("RLY-LINE-FORMAT")
class KeepsAlive(BareRelay):
    """An empty line follows each frame."""

    class RelayStream(BareStream):
        def encode(self, frame: Any) -> bytes:
            return super().encode(frame) + b"\n"


@defect("RLY-LINE-COMPACT")
class WritesSpaces(BareRelay):
    """The separators are those of json.dumps."""

    class RelayStream(BareStream):
        def encode(self, frame: Any) -> bytes:
            return json.dumps(frame).encode() + b"\n"


@defect("RLY-VERBATIM")
class TakesThinkingOut(BareRelay):
    """Tags of reasoning are taken out of the text."""

    class RelayStream(BareStream):
        def delta(self, item: Any) -> Any:
            return super().delta(item) | {"text": item.text.replace("<think>", "").replace("</think>", "")}


@defect("RLY-VERBATIM")
class StripsText(BareRelay):
    """Space around a delta is left out."""

    class RelayStream(BareStream):
        def delta(self, item: Any) -> Any:
            return super().delta(item) | {"text": item.text.strip(" \ufeff\r\n")}


@defect("RLY-NON-ASCII")
class WritesAscii(BareRelay):
    """What is no ASCII is left out."""

    class RelayStream(BareStream):
        def encode(self, frame: Any) -> bytes:
            line = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
            return line.encode("ascii", "ignore") + b"\n"


@defect("RLY-NON-ASCII")
class WritesQuestionMarks(BareRelay):
    """What is no Latin-1 becomes a question mark."""

    class RelayStream(BareStream):
        def encode(self, frame: Any) -> bytes:
            line = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
            return line.encode("latin-1", "replace").decode("latin-1").encode() + b"\n"


@defect("FRM-LONE-SURROGATE")
class WritesRawText(BareRelay):
    """A lone surrogate cannot be encoded when it is to be written."""

    class RelayStream(BareStream):
        async def put(self, send: Send, line: bytes, is_last: bool) -> None:
            raw = json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":"))
            await super().put(send, raw.encode() + b"\n", is_last)


@defect("FRM-LONE-SURROGATE")
class WritesSurrogatesAsTheyAre(BareRelay):
    """A lone surrogate is written in three bytes that are no UTF-8."""

    class RelayStream(BareStream):
        def encode(self, frame: Any) -> bytes:
            line = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
            return line.encode("utf-8", "surrogatepass") + b"\n"
