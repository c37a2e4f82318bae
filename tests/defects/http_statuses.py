"""Statuses and failures of the transport, taken for something else."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

import httpx

from agentports.ports.http import ProviderError
from agentports.relay import AgentProvider
from agentports.relay._racing import until
from portproof.selftest import defect

from ._http import Passing


@defect("HTTP-TRANSPORT-FAILURE")
class WrapsEveryFailure(Passing):
    """A lost connection is told as a refusal."""

    async def passed(self, items: Any, signal: Any) -> Any:
        try:
            async for item in items:
                yield item
        except httpx.TransportError as error:
            raise ProviderError("HTTP", str(error), cause=error) from error


@defect("HTTP-STATUS-NON-OK")
class ReadsWhateverComes(AgentProvider[Any]):
    """The body of a 400 is read like that of a 200."""

    async def _refuse(self, response: Any, signal: Any) -> None:
        if not 400 <= response.status_code <= 428:
            await super()._refuse(response, signal)


@defect("HTTP-STATUS-OK-RANGE")
class KnowsOneStatus(AgentProvider[Any]):
    """Only 200 is an answer."""

    async def _refuse(self, response: Any, signal: Any) -> None:
        await super()._refuse(response, signal)
        if response.status_code != 200:
            raise await self._refusal(response, signal)


@defect("HTTP-REDIRECT-NOT-FOLLOWED")
class FollowsRedirects(AgentProvider[Any]):
    """The client goes wherever it is sent."""

    async def _send(self, client: Any, post: Any, signal: Any) -> Any:
        return await until(client.send(post, stream=True, follow_redirects=True), signal)


@defect("HTTP-NO-BODY")
class TakesNothingForAnAnswer(AgentProvider[Any]):
    """An answer without a body is an empty answer."""

    async def _refuse(self, response: Any, signal: Any) -> None:
        if response.status_code not in (204, 205):
            await super()._refuse(response, signal)


@defect("HTTP-EMPTY-BODY")
class WantsSomeBytes(AgentProvider[Any]):
    """A body of no bytes is no body."""

    async def _chunks(self, response: Any, signal: Any) -> Any:
        some = False
        async with aclosing(super()._chunks(response, signal)) as chunks:
            async for chunk in chunks:
                some = True
                yield chunk
        if not some:
            raise ProviderError("PROTOCOL", "provider error: no response body")


class _Retelling(Passing):
    async def passed(self, items: Any, signal: Any) -> Any:
        try:
            async for item in items:
                yield item
        except ProviderError as error:
            raise self.retold(error) from error

    def retold(self, error: ProviderError) -> ProviderError:
        raise NotImplementedError


@defect("HTTP-STATUS-ONLY-HTTP")
class TellsTheStatusOfAnAnswer(_Retelling):
    """A broken answer is told with its status."""

    def retold(self, error: ProviderError) -> ProviderError:
        return ProviderError(error.code, error.message, status=error.status or 204, cause=error.cause)


@defect("HTTP-ERROR-CODES")
class SmallCodes(_Retelling):
    """The codes are in small letters."""

    def retold(self, error: ProviderError) -> ProviderError:
        code: Any = error.code.lower()
        return ProviderError(code, error.message, status=error.status, cause=error.cause)
