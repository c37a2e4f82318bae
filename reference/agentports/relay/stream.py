"""The streaming half of the relay: an upstream call as newline-delimited frames (document 51, section 3)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Final

from agentports.ports import AbortController, AbortSignal
from agentports.ports.http import HttpProvider, ProviderRequest
from agentports.relay._frames import line_of, line_of_failure, settles

try:
    from starlette.responses import Response
except ImportError as missing:  # pragma: no cover - the extra is installed where this is tested
    raise ImportError("the relay stands on Starlette: pip install 'portproof[relay]'") from missing

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

__all__ = ["RELAY_CONTENT_TYPE", "UPSTREAM_RELAY_STATUS", "ClientGone", "RelayStream"]

RELAY_CONTENT_TYPE: Final = "application/x-ndjson; charset=utf-8"
UPSTREAM_RELAY_STATUS: Final = 502
_IN_A_ROW: Final = 64
_HEADERS: Final = {"content-type": RELAY_CONTENT_TYPE, "cache-control": "no-store"}


class ClientGone(Exception):
    """The reason of the upstream signal when the client has disconnected."""


class RelayStream:
    """One upstream call, constructed at once, whose `response` streams its frames.

    `signal` is the caller's. Its abort reaches the upstream call with its reason and silences the response, which then
    waits for the client to go: a proper end would look like an answer. When it was aborted before, the provider is
    called with an aborted signal and may say so (RLY-PREABORTED). The response must be run: until it has ended, or the
    call could not be constructed, there is one listener on the signal (RLY-LISTENERS-RELEASED).
    """

    def __init__(self, provider: HttpProvider, request: ProviderRequest, signal: AbortSignal) -> None:
        self._upstream = AbortController()
        if signal.aborted:
            self._upstream.abort(signal.reason)
        try:
            call = provider.stream(request.messages, self._upstream.signal, request.tools, request.options)
            items = aiter(call)
        except Exception as failure:
            self._upstream.abort(failure)
            #: A Starlette response: the stream, or 502 when the upstream call could not be constructed.
            self.response: Response = Response(status_code=UPSTREAM_RELAY_STATUS)
        else:
            self.response = _Frames(items, self._upstream, signal)


class _Frames(Response):
    """The answer, written frame by frame as the client takes them.

    One task steps the iterator, writes and closes, for some iterators must be closed where they were stepped. Another
    waits for the client to go.
    """

    def __init__(self, items: AsyncIterator[Any], upstream: AbortController, signal: AbortSignal) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._items = items
        self._upstream = upstream
        self._is_settled = self._is_silent = self._is_closed = False
        self._writing: asyncio.Task[None] | None = None
        was_aborted = signal.aborted
        self._forget = _nothing if was_aborted else signal.subscribe(lambda: self._stop(signal.reason))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write until the terminal frame, or until the client or the caller's signal ends it before."""
        gone = asyncio.ensure_future(self._watch(receive))
        self._writing = asyncio.ensure_future(self._write(send))
        try:
            await asyncio.wait((self._writing, gone), return_when=asyncio.FIRST_COMPLETED)
            await self._release()
            if self._is_silent:
                await asyncio.wait((gone,))
        finally:
            await self._release()
            gone.cancel()
            await _over(gone)

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._stop(ClientGone("the client has disconnected"))

    async def _write(self, send: Send) -> None:
        try:
            if self._is_silent:
                return
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            # Some servers keep the headers until there is a body.
            await send({"type": "http.response.body", "body": b"", "more_body": True})
            is_last, written = False, 0
            while not is_last and not self._is_silent:
                line, is_last = await self._next()
                if self._is_silent:
                    return
                await send({"type": "http.response.body", "body": line, "more_body": not is_last})
                written += 1
                if written % _IN_A_ROW == 0:
                    # Neither side need have waited, and others want to be heard: the client that goes above all.
                    await asyncio.sleep(0)
        except Exception:
            # The host takes nothing more.
            self._settle(ClientGone("the client has disconnected"))
            raise
        finally:
            await self._close()

    async def _next(self) -> tuple[bytes, bool]:
        """The next line, and whether it is terminal."""
        try:
            item = await anext(self._items)
            line, self._is_settled = line_of(item), settles(item)
            return line, self._is_settled
        except asyncio.CancelledError as error:
            if _is_cancelled():
                raise
            failure: BaseException = error
        except Exception as error:
            failure = error
        self._settle(failure)
        return line_of_failure(failure), True

    def _stop(self, reason: object) -> None:
        """Stop the upstream call and the writing, if they go on; in any thread, for a signal may be aborted in any."""
        was_silent, self._is_silent = self._is_silent, True
        self._settle(reason)
        if self._writing is not None and not was_silent:
            # Once: a second cancellation would interrupt what the upstream call does about the first.
            self._writing.get_loop().call_soon_threadsafe(self._writing.cancel)

    def _settle(self, reason: object) -> None:
        if not self._is_settled:
            self._is_settled = True
            self._upstream.abort(reason)

    async def _release(self) -> None:
        assert self._writing is not None
        if not self._writing.done():
            self._stop(ClientGone("the answer is given up"))
        await _over(self._writing)
        await self._close()
        self._forget()

    async def _close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        try:
            close = getattr(self._items, "aclose", None)
            if close is not None:
                await close()
        except asyncio.CancelledError:
            if _is_cancelled():
                raise
        except Exception:
            # The answer is settled, and has no place for this (RLY-CLEANUP-SWALLOWED).
            pass


async def _over(task: asyncio.Task[None]) -> None:
    """Wait for the end of a task, and have what it raised be read."""
    await asyncio.wait((task,))
    if not task.cancelled():
        task.exception()


def _is_cancelled() -> bool:
    """Whether it is this task that is cancelled, and not something that it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _nothing() -> None:
    """What there is to unsubscribe from a signal that was aborted before."""
