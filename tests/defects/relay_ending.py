"""Relay providers whose calls end in the wrong way."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

import httpx

from agentports.ports.http import ProviderAbortError, ProviderError, ProviderIncrement, ProviderResult
from agentports.relay import RelayProvider
from portproof.selftest import defect

from .http_calls import SendsAllTheSame
from .http_deadlines import IdleTimeout
from .http_releases import KeepsTheResponse
from .http_requests import KeepsItsHeaders


@defect("RLP-REMOTE-ABORT")
class AbortsAreFailures(RelayProvider):
    """A far abort is told as a failure."""

    def read(self, record: Any) -> ProviderIncrement:
        try:
            return super().read(record)
        except ProviderAbortError as error:
            raise ProviderError("PROVIDER", error.message) from error


@defect("RLP-REMOTE-ABORT-LOCAL-SIGNAL")
class AbortsHereToo(RelayProvider):
    """A far abort aborts the caller's signal."""

    async def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        try:
            async with aclosing(super().stream(messages, signal, tools, options)) as items:
                async for item in items:
                    yield item
        except ProviderAbortError:
            signal._abort("far")
            raise


@defect("RLP-REMOTE-ERROR")
class FailuresAreRefusals(RelayProvider):
    """A far failure is told with the status of the answer."""

    def read(self, record: Any) -> ProviderIncrement:
        try:
            return super().read(record)
        except ProviderError as error:
            if error.code == "PROVIDER":
                raise ProviderError("HTTP", error.message, status=200) from error
            raise


@defect("RLP-REFUSAL-HTTP")
class WantsAFrame(RelayProvider):
    """A refusal without a frame breaks the protocol."""

    async def _refusal(self, response: Any, signal: Any) -> ProviderError:
        return ProviderError("PROTOCOL", "invalid relay frame")


@defect("RLP-LOCAL-ABORT")
class ForgetsWhatHasCome(RelayProvider):
    """The partial of an abort here is empty."""

    def _ending(self, error: Any, answer: Any, signal: Any) -> Exception:
        ending = super()._ending(error, answer, signal)
        if isinstance(ending, ProviderAbortError) and signal.aborted:
            return ProviderAbortError(ProviderResult(content=""), cause=ending.cause)
        return ending


@defect("RLP-LOCAL-WINS")
class TheFarSideWins(RelayProvider):
    """What the far side reports is raised, also after an abort here."""

    def _ending(self, error: Any, answer: Any, signal: Any) -> Exception:
        far = isinstance(error, ProviderAbortError | ProviderError)
        return error if far else super()._ending(error, answer, signal)


@defect("RLP-HEADERS-HOOK")
class AsksForHeadersOnce(KeepsItsHeaders, RelayProvider):
    """The hook is asked once."""


@defect("RLP-DEADLINE")
class IdleTime(IdleTimeout, RelayProvider):
    """Whatever arrives starts the time anew."""


@defect("RLP-DEADLINE")
class TenMinutes(RelayProvider):
    """Without a timeout a call has ten minutes."""

    def __init__(self, url: str, **named: Any) -> None:
        super().__init__(url, **{"timeout": 600_000, **named})


@defect("RLP-PREABORTED")
class AsksAllTheSame(SendsAllTheSame, RelayProvider):
    """The request is sent and cancelled afterwards."""


class _Retrying(httpx.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        if response.status_code != 502:
            return response
        await response.aclose()
        return await super().handle_async_request(request)


@defect("RLP-ONE-REQUEST")
class AsksAgain(RelayProvider):
    """An answer of 502 is asked for once more."""

    def _make_client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=None, transport=_Retrying(verify=False))


@defect("RLP-EARLY-CLOSE")
class LeavesItOpen(KeepsTheResponse, RelayProvider):
    """The response is left to the garbage collector."""
