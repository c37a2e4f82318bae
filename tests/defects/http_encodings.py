"""Bytes that are read as if they were cut where characters and records end."""

from __future__ import annotations

import codecs
from contextlib import aclosing
from typing import Any

from agentports.relay import AgentProvider
from portproof.selftest import defect

from ._http import Parser, Reframing, raw_pieces


@defect("HTTP-UTF8-SPLIT")
class DecodesEachChunk(AgentProvider[Any]):
    """Each chunk is decoded by itself."""

    async def _chunks(self, response: Any, signal: Any) -> Any:
        async with aclosing(raw_pieces(response, signal)) as pieces:
            async for piece in pieces:
                yield piece.decode("utf-8", "replace")


@defect("HTTP-UTF8-TAIL")
class WantsWholeCharacters(AgentProvider[Any]):
    """An end within a character is an error."""

    async def _chunks(self, response: Any, signal: Any) -> Any:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        async with aclosing(raw_pieces(response, signal)) as pieces:
            async for piece in pieces:
                yield decoder.decode(piece)
        yield decoder.getstate()[0].decode()


@defect("HTTP-UTF8-TAIL")
class DropsTheHalf(AgentProvider[Any]):
    """An end within a character is passed over."""

    async def _chunks(self, response: Any, signal: Any) -> Any:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        async with aclosing(raw_pieces(response, signal)) as pieces:
            async for piece in pieces:
                yield decoder.decode(piece)


@defect("HTTP-UTF8-INVALID")
class WantsValidBytes(AgentProvider[Any]):
    """Bytes that are no text are an error."""

    async def _chunks(self, response: Any, signal: Any) -> Any:
        decoder = codecs.getincrementaldecoder("utf-8")("strict")
        async with aclosing(raw_pieces(response, signal)) as pieces:
            async for piece in pieces:
                yield decoder.decode(piece)
        if decoder.getstate()[0]:
            yield "\ufffd"


class _Whole(Parser):
    def parse(self, chunk: str) -> Any:
        return self.inner.parse(chunk if chunk.endswith("\n") else f"{chunk}\n")


@defect("HTTP-CHUNKING-INVARIANT")
class ChunksAreLines(Reframing):
    """The end of a chunk is the end of a line."""

    def reframed(self, frame: Any) -> Any:
        return _Whole(frame())


@defect("HTTP-BODY-UNBOUNDED")
class StopsAtAMegabyte(AgentProvider[Any]):
    """What comes after so many characters is not read."""

    async def _chunks(self, response: Any, signal: Any) -> Any:
        left = 1 << 22
        async with aclosing(super()._chunks(response, signal)) as chunks:
            async for chunk in chunks:
                yield chunk
                left -= len(chunk)
                if left < 0:
                    return
