"""The server end of the relay, as an ASGI application (document 51, section 3).

It checks neither origin nor method nor content type: an application that trusts cookies puts such checks in front.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Final, NoReturn

from agentports.ports import AbortController
from agentports.ports.http import HttpProvider, ProviderRequest
from agentports.relay.byte_reading import read_text
from agentports.relay.contracts import provider_request_contract
from agentports.relay.stream import RelayStream

try:
    from starlette.requests import Request
    from starlette.responses import Response
except ImportError as missing:  # pragma: no cover - the extra is installed where this is tested
    raise ImportError("the relay stands on Starlette: pip install 'portproof[relay]'") from missing

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = [
    "DEFAULT_RELAY_LIMIT",
    "INVALID_RELAY_STATUS",
    "OVERSIZED_RELAY_STATUS",
    "UNAUTHORIZED_RELAY_STATUS",
    "Authorize",
    "create_relay",
]

#: Bytes: a body of as many is refused.
DEFAULT_RELAY_LIMIT: Final = 1_048_576
INVALID_RELAY_STATUS: Final = 400
UNAUTHORIZED_RELAY_STATUS: Final = 401
OVERSIZED_RELAY_STATUS: Final = 413

#: Says True, at once or later, to let a request through. Its body is not there yet.
Authorize = Callable[[Request], bool | Awaitable[bool]]


def create_relay(*, provider: HttpProvider, authorize: Authorize, limit: int = DEFAULT_RELAY_LIMIT) -> ASGIApp:
    """An application that lets whom `authorize` says True to use the provider.

    `limit` is in bytes; a body of so many or more is 413. Refusals have no body, and say nothing of any failure.
    """

    async def relay(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            response = await _answer(provider, authorize, limit, scope, receive)
            await response(scope, receive, send)

    return relay


async def _answer(provider: HttpProvider, authorize: Authorize, limit: int, scope: Scope, receive: Receive) -> Response:
    body = _Body(receive)
    if not await _authorized(authorize, Request(scope, body.receive)):
        return Response(status_code=UNAUTHORIZED_RELAY_STATUS)
    try:
        request = await _read(body, limit)
    except _Oversized:
        return Response(status_code=OVERSIZED_RELAY_STATUS)
    except Exception:
        return Response(status_code=INVALID_RELAY_STATUS)
    return RelayStream(provider, request, AbortController().signal).response


async def _authorized(authorize: Authorize, request: Request) -> bool:
    try:
        decision = authorize(request)
        return (await decision if inspect.isawaitable(decision) else decision) is True
    except Exception:
        return False


async def _read(body: _Body, limit: int) -> ProviderRequest:
    """The request.

    Raises `_Oversized`, and other exceptions for what is no request.
    """
    if body.is_touched:
        raise _Invalid
    try:
        read = await read_text(body.pieces(), limit)
    except _Gone:
        raise _Oversized from None
    if not read.complete:
        raise _Oversized
    value = json.loads(read.text, parse_constant=_refuse)
    request = provider_request_contract.parse(value) if provider_request_contract.is_valid(value) else None
    if request is None:
        raise _Invalid
    return request


class _Body:
    """The body of a request, and whether somebody has taken from it."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.is_touched = False

    async def receive(self) -> Message:
        """What the hook is given in place of the server's own function."""
        message = await self._receive()
        self.is_touched = self.is_touched or message["type"] == "http.request"
        return message

    async def pieces(self) -> AsyncIterator[bytes]:
        """The bytes as they arrive. Raises `_Gone` when the client leaves before the end."""
        more = True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise _Gone
            yield message.get("body", b"")
            more = message.get("more_body", False)


class _Gone(Exception):
    """The client disconnected within its body."""


class _Oversized(Exception):
    """There is more of the body than is read."""


class _Invalid(Exception):
    """This is no request."""


def _refuse(constant: str) -> NoReturn:
    raise _Invalid(constant)
