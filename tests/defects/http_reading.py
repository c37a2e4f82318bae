"""Functions for bytes that read too much, tell the wrong thing or hold on."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

from agentports.ports.http import TextRead
from agentports.relay import AgentProvider, read_chunks, read_text
from portproof.selftest import defect


@defect("HTTP-READTEXT-LIMIT")
class TakesWholeChunks(AgentProvider[Any]):
    """The last chunk is decoded whole."""

    @staticmethod
    async def read_text(body: Any, limit: int | None = None, signal: Any = None) -> Any:
        pieces, length = [], 0
        while limit is None or length < limit:
            try:
                pieces.append(await anext(body))
            except StopAsyncIteration:
                return TextRead(text=b"".join(pieces).decode("utf-8", "replace"), complete=True)
            length += len(pieces[-1])
        await body.aclose()
        return TextRead(text=b"".join(pieces).decode("utf-8", "replace"), complete=False)


@defect("HTTP-READTEXT-COMPLETE")
class CompleteAtTheLimit(AgentProvider[Any]):
    """As many bytes as the limit, and then the end, are complete."""

    @staticmethod
    async def read_text(body: Any, limit: int | None = None, signal: Any = None) -> Any:
        read = await read_text(body, limit, signal)
        full = limit is not None and len(read.text) == limit > 0
        return read.model_copy(update={"complete": read.complete or full})


@defect("HTTP-READTEXT-ZERO")
class NothingIsNoLimit(AgentProvider[Any]):
    """A limit of 0 is no limit."""

    @staticmethod
    async def read_text(body: Any, limit: int | None = None, signal: Any = None) -> Any:
        return await read_text(body, limit or None, signal)


@defect("HTTP-READTEXT-BOM")
class CountsTheText(AgentProvider[Any]):
    """Whether it is complete is told by the length of the text."""

    @staticmethod
    async def read_text(body: Any, limit: int | None = None, signal: Any = None) -> Any:
        read = await read_text(body, limit, signal)
        short = limit is not None and len(read.text.encode()) < limit
        return read.model_copy(update={"complete": read.complete or (short and not (signal and signal.aborted))})


@defect("HTTP-READTEXT-ABORT")
class RaisesTheAbort(AgentProvider[Any]):
    """An abort is raised."""

    @staticmethod
    async def read_text(body: Any, limit: int | None = None, signal: Any = None) -> Any:
        read = await read_text(body, limit, signal)
        if signal is not None:
            signal.raise_if_aborted()
        return read


@defect("HTTP-READCHUNKS-ABORT")
class FlushesAfterAnAbort(AgentProvider[Any]):
    """Half a character is replaced after an abort too."""

    @staticmethod
    async def read_chunks(body: Any, signal: Any = None) -> Any:
        async with aclosing(read_chunks(body, signal)) as chunks:
            async for chunk in chunks:
                yield chunk
        if signal is not None and signal.aborted:
            yield "\ufffd"


@defect("HTTP-READCHUNKS-RELEASE")
class FailsToCancel(AgentProvider[Any]):
    """That a body could not be cancelled is raised."""

    @staticmethod
    async def read_chunks(body: Any, signal: Any = None) -> Any:
        try:
            async with aclosing(read_chunks(body, signal)) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            await body.aclose()


class _Kept:
    def __init__(self, body: Any) -> None:
        self._body = body

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        return await anext(self._body)


@defect("HTTP-READCHUNKS-RELEASE")
class NeverCancels(AgentProvider[Any]):
    """The body is left as it is."""

    @staticmethod
    def read_chunks(body: Any, signal: Any = None) -> Any:
        return read_chunks(_Kept(body), signal)
