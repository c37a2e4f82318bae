"""Interception by respx: httpx only, with chunks, pauses and breaks as they were recorded."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx

from agentports.sim import Pause, Reply, Step

__all__ = ["played"]


@contextmanager
def played(respx: Any, replies: Sequence[Reply]) -> Iterator[Callable[[], int]]:
    """Answer every request with these replies, in order; the last repeats. Gives what counts the requests."""
    coming = itertools.chain(replies, itertools.repeat(replies[-1]))
    # Above the transports, so that a client with one of its own is intercepted too.
    with respx.MockRouter(assert_all_called=False, using="httpx") as router:
        route = router.route().mock(side_effect=lambda request: _response(next(coming)))
        yield lambda: int(route.call_count)


def _response(reply: Reply) -> httpx.Response:
    return httpx.Response(reply.status, headers=list(reply.headers), stream=_Recorded(reply.steps))


class _Recorded(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The steps of an answer, for clients of both kinds."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps

    def __iter__(self) -> Iterator[bytes]:
        for step in self._steps:
            if isinstance(step, Pause):
                time.sleep(step.seconds)
            else:
                yield _sent(step)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for step in self._steps:
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
            else:
                yield _sent(step)


def _sent(step: Step) -> bytes:
    if isinstance(step, bytes):
        return step
    raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")
