"""Adapters that show their key where something fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx

from agentports.ports import ProviderError
from agentports.providers import GeminiProvider, OpenAIChatProvider
from agentports.providers._errors import error_of, read_refusal
from portproof.selftest import defect


@defect("ERR-SECRET-NOT-ECHOED", wire="gemini")
class SendsTheKeyInTheAddress(GeminiProvider):
    """Names the whole address of a failed call, key and all."""

    def transport_error(self, call: Any, exc: Exception) -> ProviderError:
        address = f"{self.url_for(call.request)}?key={call.key}"
        return ProviderError(f"[{self.name}] {address}: {exc}", provider=self.name)


@defect("ERR-SECRET-NOT-ECHOED", wire="openai-chat")
class DumpsTheHeaders(OpenAIChatProvider):
    """Notes what it sent on the error of a refusal."""

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.sent = self.headers(call.key)  # type: ignore[attr-defined]
        return error


@defect("ERR-SECRET-NOT-ECHOED", wire="openai-chat")
class ChainsWhatItSent(OpenAIChatProvider):
    """Keeps the request behind the error of a body that it cannot read."""

    def parse_body(self, call: Any, text: str) -> Any:
        try:
            return super().parse_body(call, text)
        except ProviderError as error:
            raise error from ValueError(f"in answer to {self.headers(call.key)}")


@defect("ERR-SECRET-ECHO-SCRUBBED", wire="openai-chat")
class TrustsTheVendor(OpenAIChatProvider):
    """Quotes the vendor as it is."""

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        return error_of(self.name, read_refusal(body), status=response.status_code, headers=response.headers)


@defect("ERR-SECRET-ECHO-SCRUBBED", wire="openai-chat")
class ScrubsTheMessageOnly(OpenAIChatProvider):
    """Keeps the vendor's words as the cause of the error that it scrubbed."""

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.cause = error.__cause__ = RuntimeError(body)
        return error


@defect("ERR-SECRET-ECHO-SCRUBBED", wire="openai-chat")
class TrustsAStream(OpenAIChatProvider):
    """Scrubs what comes as an HTTP error, and not what comes in a stream."""

    def stated_error(self, call: Any, error: object) -> ProviderError:
        refusal = read_refusal(str(error))
        return error_of(self.name, replace(refusal, message=str(error)))
