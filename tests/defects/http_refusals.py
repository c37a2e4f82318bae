"""Refusals whose body is told too long, too short or not at all."""

from __future__ import annotations

from typing import Any

from agentports.ports.http import ProviderAbortError, ProviderError
from agentports.relay import AgentProvider, read_text
from portproof.selftest import defect

_LIMIT = 2048


class _Telling(AgentProvider[Any]):
    async def excerpt(self, response: Any, signal: Any) -> str:
        """What is told of the body."""
        return (await read_text(response.aiter_bytes(), _LIMIT, signal)).text

    async def _refusal(self, response: Any, signal: Any) -> ProviderError:
        status, cause = response.status_code, None
        try:
            text = await self.excerpt(response, signal)
        except Exception as error:
            text, cause = "(error body unavailable)", error
        return ProviderError("HTTP", f"provider error: {status} - {text}", status=status, cause=cause)


@defect("HTTP-ERROR-MESSAGE")
class TellsTheStatusOnly(AgentProvider[Any]):
    """The body of a refusal is dropped."""

    async def _refusal(self, response: Any, signal: Any) -> ProviderError:
        error = await super()._refusal(response, signal)
        return ProviderError("HTTP", f"provider error: {error.status}", status=error.status, cause=error.cause)


@defect("HTTP-ERROR-MESSAGE-FORM")
class TellsItsOwnWay(AgentProvider[Any]):
    """The message has another form."""

    async def _refusal(self, response: Any, signal: Any) -> ProviderError:
        error = await super()._refusal(response, signal)
        told = error.message.replace("provider error: ", "HTTP status ").replace(" - ", ": ", 1)
        return ProviderError("HTTP", told, status=error.status, cause=error.cause)


@defect("HTTP-ERROR-EXCERPT-BOUND")
class TellsTwiceAsMuch(_Telling):
    """The limit is another one."""

    async def excerpt(self, response: Any, signal: Any) -> str:
        return (await read_text(response.aiter_bytes(), 2 * _LIMIT, signal)).text


@defect("HTTP-ERROR-EXCERPT-BYTES")
class CountsCharacters(_Telling):
    """The limit counts characters."""

    async def excerpt(self, response: Any, signal: Any) -> str:
        return (await read_text(response.aiter_bytes(), 2 * _LIMIT, signal)).text[:_LIMIT]


@defect("HTTP-ERROR-BODY-STOPPED")
class ReadsToTheEnd(_Telling):
    """The body is read to its end, and cut then."""

    async def excerpt(self, response: Any, signal: Any) -> str:
        whole = await read_text(response.aiter_bytes(), None, signal)
        return whole.text.encode()[:_LIMIT].decode("utf-8", "replace")


@defect("HTTP-ERROR-BODY-UNREADABLE")
class RaisesTheReadFailure(AgentProvider[Any]):
    """A body that cannot be read hides the status."""

    async def _refusal(self, response: Any, signal: Any) -> ProviderError:
        error = await super()._refusal(response, signal)
        if error.cause is not None:
            raise error.cause
        return error


@defect("HTTP-ERROR-BODY-UNREADABLE")
class ForgetsTheReadFailure(AgentProvider[Any]):
    """Why a body could not be read is not told."""

    async def _refusal(self, response: Any, signal: Any) -> ProviderError:
        error = await super()._refusal(response, signal)
        return ProviderError("HTTP", error.message, status=error.status)


@defect("HTTP-ERROR-BODY-EMPTY")
class MissesTheBody(AgentProvider[Any]):
    """A refusal without a body breaks the protocol."""

    async def _refuse(self, response: Any, signal: Any) -> None:
        if response.headers.get("content-length") == "0" and response.status_code >= 400:
            raise ProviderError("PROTOCOL", "provider error: no response body")
        await super()._refuse(response, signal)


@defect("HTTP-ERROR-BODY-ABORT")
class WaitsForTheBody(_Telling):
    """The body of a refusal is waited for, whatever happens to the call."""

    async def excerpt(self, response: Any, signal: Any) -> str:
        return (await read_text(response.aiter_bytes(), _LIMIT)).text


@defect("HTTP-ERROR-ABORT-RACE")
class ForgetsTheRefusal(AgentProvider[Any]):
    """A refusal that the abort hid is not told."""

    def _ending(self, error: Any, answer: Any, signal: Any) -> Exception:
        ending = super()._ending(error, answer, signal)
        if isinstance(ending, ProviderAbortError) and isinstance(error, ProviderError):
            return ProviderAbortError(ending.partial)
        return ending
