"""Bytes of a body as text, within a limit and until a signal (document 50, section 9).

A body is an asynchronous iterable of bytes. Whatever happens, it is cancelled with its `aclose`, if it has one.
"""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import AsyncGenerator, AsyncIterable

from agentports.ports import AbortSignal
from agentports.ports.http import TextRead
from agentports.relay._racing import Stopped, unless

__all__ = ["read_chunks", "read_text"]

_BYTE_ORDER_MARK = "\ufeff"


async def read_chunks(body: AsyncIterable[bytes], signal: AbortSignal | None = None) -> AsyncGenerator[str, None]:
    """The text of a body as it arrives: UTF-8, with U+FFFD for what is none; never an empty piece.

    An abort ends it without an error, and without the bytes of a character that is not whole. Raises what reading the
    body raises.
    """
    source, text = _Source(body, signal), _Text()
    try:
        while (piece := await source.next()) is not None:
            if decoded := text.decode(piece):
                yield decoded
        if source.ended and (tail := text.decode(b"", final=True)):
            yield tail
    finally:
        await source.cancel()


async def read_text(
    body: AsyncIterable[bytes], limit: int | None = None, signal: AbortSignal | None = None
) -> TextRead:
    """The text of at most `limit` bytes. It is complete when the end was seen before the limit was used up.

    An abort gives what there is, incomplete. Raises what reading the body raises.
    """
    source, data = _Source(body, signal), bytearray()
    try:
        while limit is None or len(data) < limit:
            piece = await source.next()
            if piece is None:
                break
            data += piece if limit is None else piece[: limit - len(data)]
    finally:
        await source.cancel()
    return TextRead(text=_Text().decode(bytes(data), final=True), complete=source.ended)


class _Text:
    """A decoder that replaces what is no UTF-8 and drops a byte-order mark at the very start."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = False

    def decode(self, piece: bytes, final: bool = False) -> str:
        text = self._decoder.decode(piece, final)
        if not text or self._begun:
            return text
        self._begun = True
        return text.removeprefix(_BYTE_ORDER_MARK)


class _Source:
    """A body that is pulled until a signal."""

    def __init__(self, body: AsyncIterable[bytes], signal: AbortSignal | None) -> None:
        self._pieces = aiter(body)
        self._signal = signal
        self.ended = False

    async def next(self) -> bytes | None:
        """The next bytes; None at the end, which `ended` tells from an abort."""
        if self._signal is None:
            return await self._pull()
        if self._signal.aborted:
            return None
        try:
            piece = await unless(self._signal, self._pull())
        except Stopped:
            return None
        return None if self._signal.aborted else piece

    async def _pull(self) -> bytes | None:
        try:
            return await anext(self._pieces)
        except StopAsyncIteration:
            self.ended = True
            return None

    async def cancel(self) -> None:
        """Let go of the body. A body that refuses changes nothing."""
        close = getattr(self._pieces, "aclose", None)
        if close is not None:
            with contextlib.suppress(Exception):
                await close()
