"""A relay, and beside it a bare streaming response that writes the same bytes: `uvicorn …relay_server:app`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Mount, Route

from agentports.ports.http import ProviderDelta, ProviderResult
from agentports.relay.server import create_relay

__all__ = ["FRAMES", "app"]

#: Frames of an answer, the result included.
FRAMES = 200
_TEXT = "some words of an answer"
_DELTA = ProviderDelta(channel="content", text=_TEXT)
_RESULT = ProviderResult(content=_TEXT * (FRAMES - 1))
_LINE = f'{{"channel":"content","text":"{_TEXT}"}}\n'.encode()
_LAST = f'{{"channel":"result","result":{{"content":"{_RESULT.content}"}}}}\n'.encode()
_HEADERS = {"content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store"}


class _Provider:
    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> AsyncIterator[Any]:
        for _ in range(FRAMES - 1):
            yield _DELTA
        yield _RESULT


async def _lines() -> AsyncIterator[bytes]:
    for _ in range(FRAMES - 1):
        yield _LINE
    yield _LAST


async def _bare(request: Request) -> StreamingResponse:
    await request.body()
    return StreamingResponse(_lines(), headers=_HEADERS)


_relay = create_relay(provider=_Provider(), authorize=lambda request: True)  # type: ignore[arg-type]
app = Starlette(routes=[Mount("/relay", _relay), Route("/bare", _bare, methods=["POST"])])
