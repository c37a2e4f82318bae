"""Adapters that lose the status of a failure, tell it twice, or take a cancellation for one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from agentports.ports import AbortError, LLMResponse, ProviderError
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("ERR-STATUS-ON-GENERIC", wire="openai-chat")
class StatesTheStatusInTheTextOnly(OpenAIChatProvider):
    """Has no attribute for it."""

    def http_error(self, call: Any, response: Any, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.status = None
        return error


@defect("ERR-STATUS-ON-GENERIC", wire="openai-chat")
class TakesEveryServerErrorFor500(OpenAIChatProvider):
    """Knows one status for whatever the server did."""

    def http_error(self, call: Any, response: Any, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.status = min(error.status or 500, 500)
        return error


@defect("ERR-STATUS-ON-GENERIC", wire="openai-chat")
class KeepsTheVendorsWordsToItself(OpenAIChatProvider):
    """Says what the status means, and not what the vendor said."""

    def http_error(self, call: Any, response: Any, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.args = (f"[{self.name}] HTTP {response.status_code}: the request failed",)
        return error


@defect("ERR-STATUS-ON-GENERIC", wire="openai-chat")
class DoesNotSayWhoFailed(OpenAIChatProvider):
    """Hands on the vendor's words as they are."""

    def http_error(self, call: Any, response: Any, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.args = (str(error).removeprefix(f"[{self.name}] "),)
        return error


class Wrapping(OpenAIChatProvider):
    """Wraps whatever its own calls raise. Override `wrapped`."""

    async def complete(self, request: Any, hooks: Any = None) -> LLMResponse:
        try:
            return await super().complete(request, hooks)
        except ProviderError as error:
            raise self.wrapped(error) from error

    def wrapped(self, error: ProviderError) -> ProviderError:
        raise NotImplementedError


@defect("ERR-GENERIC-NOT-REWRAPPED", wire="openai-chat")
class TellsEverythingTwice(Wrapping):
    """Puts its name in front once more."""

    def wrapped(self, error: ProviderError) -> ProviderError:
        message = f"[{self.name}] {error}"
        return ProviderError(message, code=error.code, provider=self.name, status=error.status, cause=error)


@defect("ERR-GENERIC-NOT-REWRAPPED", wire="openai-chat")
class LosesTheCode(Wrapping):
    """Makes a plain failure of an error that stated its code."""

    def wrapped(self, error: ProviderError) -> ProviderError:
        return ProviderError(str(error), provider=self.name, status=error.status, cause=error)


@defect("ERR-CANCEL-PASSES", wire="openai-chat")
class ReadsOnWhenItIsCancelled(OpenAIChatProvider):
    """Makes do with an empty body where reading it was interrupted."""

    async def error_body(self, call: Any) -> str:
        try:
            return await super().error_body(call)
        except asyncio.CancelledError:
            return ""


@defect("ERR-CANCEL-PASSES", wire="openai-chat")
class TakesAnAbortForABrokenBody(OpenAIChatProvider):
    """Raises the vendor's refusal although its caller has left."""

    async def error_body(self, call: Any) -> str:
        try:
            return await super().error_body(call)
        except AbortError:
            return ""


@defect("ERR-CANCEL-PASSES", wire="openai-chat")
class WrapsTheAbortsOfStreams(OpenAIChatProvider):
    """Makes a provider error of everything that ends a stream early."""

    async def stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:  # type: ignore[override]
        try:
            async for chunk in super().stream(request, hooks):
                yield chunk
        except AbortError as error:
            raise ProviderError(f"[{self.name}] {error}", provider=self.name) from error
