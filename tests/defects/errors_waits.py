"""Adapters that misread how long a vendor asks them to wait."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx

from agentports.errors import stated_wait_ms
from agentports.ports import ProviderError
from agentports.providers import GeminiProvider, OpenAIChatProvider
from portproof.selftest import defect


class Waiting(OpenAIChatProvider):
    """Reads the wait from the headers and the body of an HTTP error. Override `wait_ms`."""

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.retry_after_ms = self.wait_ms(dict(response.headers), body)
        return error

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        return stated_wait_ms(headers, body)


def seconds_in(headers: Mapping[str, str]) -> str:
    """The value of Retry-After."""
    return headers.get("retry-after", "")


@defect("ERR-RETRY-AFTER-SECONDS", wire="openai-chat")
class TakesSecondsForMilliseconds(Waiting):
    """Puts the number on the error as it came."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        value = seconds_in(headers).strip()
        return int(value) if value.isdecimal() else super().wait_ms(headers, body)


@defect("ERR-RETRY-AFTER-SECONDS", wire="openai-chat")
class TakesNoWaitForNone(Waiting):
    """Takes zero seconds for nothing stated."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        return super().wait_ms(headers, body) or None


@defect("ERR-RETRY-AFTER-SECONDS", wire="openai-chat")
class WaitsForThrottlingOnly(OpenAIChatProvider):
    """Reads the header of a 429 alone."""

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.retry_after_ms = error.retry_after_ms if response.status_code == 429 else None
        return error


@defect("ERR-RETRY-AFTER-DATE", wire="openai-chat")
class KnowsNoDates(Waiting):
    """Reads seconds only."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        return super().wait_ms({k: v for k, v in headers.items() if ":" not in v}, body)


@defect("ERR-RETRY-AFTER-DATE", wire="openai-chat")
class LooksBack(Waiting):
    """Has a negative wait for a date that has passed."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        wait = super().wait_ms(headers, body)
        return -60_000 if wait == 0 and ":" in seconds_in(headers) else wait


@defect("ERR-RETRY-AFTER-MALFORMED", wire="openai-chat")
class TrustsTheHeader(Waiting):
    """Lets the conversion of the number raise."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        wait = super().wait_ms(headers, body)
        return float(headers["retry-after"]) * 1000 if wait is None and "retry-after" in headers else wait


@defect("ERR-RETRY-AFTER-MALFORMED", wire="openai-chat")
class WaitsForEver(Waiting):
    """Reads whatever Python takes for a number, infinity included."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        try:
            return float(seconds_in(headers)) * 1000
        except ValueError:
            return super().wait_ms(headers, body)


@defect("ERR-RETRY-AFTER-MALFORMED", wire="openai-chat")
class WaitsAMinuteWhenInDoubt(Waiting):
    """Has a wait of its own for a header that it cannot read."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        wait = super().wait_ms(headers, body)
        return 60_000 if wait is None and seconds_in(headers) else wait


@defect("ERR-RETRY-AFTER-TEXT", wire="openai-chat")
class DoesNotReadTheMessage(Waiting):
    """Looks at headers only."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        return super().wait_ms(headers, "")


@defect("ERR-RETRY-AFTER-TEXT", wire="openai-chat")
class TrustsTheMessageMore(Waiting):
    """Lets the message override the header."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        wait = super().wait_ms({}, body)
        return super().wait_ms(headers, body) if wait is None else wait


@defect("ERR-RETRY-AFTER-TEXT", wire="openai-chat")
class TakesABareNumberForSeconds(Waiting):
    """Adds the unit that is not there."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        wait = super().wait_ms(headers, body)
        return super().wait_ms(headers, body.replace('."', 's"')) if wait is None else wait


@defect("ERR-RETRY-AFTER-MS", wire="openai-chat")
class KnowsRetryAfterOnly(Waiting):
    """Does not know the header with milliseconds."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        return super().wait_ms({k: v for k, v in headers.items() if k != "retry-after-ms"}, body)


@defect("ERR-RETRY-AFTER-MS", wire="openai-chat")
class PrefersSeconds(Waiting):
    """Takes Retry-After first."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        named = {k: v for k, v in headers.items() if k != "retry-after-ms"} if "retry-after" in headers else headers
        return super().wait_ms(named, body)


@defect("ERR-RETRY-AFTER-MS", wire="openai-chat")
class GivesUpAtTheFirstHeader(Waiting):
    """Tries no other source behind a malformed retry-after-ms."""

    def wait_ms(self, headers: dict[str, str], body: str) -> float | None:
        value = headers.get("retry-after-ms")
        return (
            super().wait_ms({} if value is None else {"retry-after-ms": value}, "")
            if value
            else super().wait_ms(headers, body)
        )


class WaitingForQuota(GeminiProvider):
    """Reads the wait from the error object. Override `wait_ms`."""

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        error.retry_after_ms = self.wait_ms(dict(response.headers), body, json.loads(body)["error"])
        return error

    def wait_ms(self, headers: dict[str, str], body: str, error: dict[str, Any]) -> float | None:
        return stated_wait_ms(headers, body, error)


@defect("ERR-RETRY-INFO", wire="gemini")
class LooksAtHeadersOnly(WaitingForQuota):
    """Does not know the vendor's details."""

    def wait_ms(self, headers: dict[str, str], body: str, error: dict[str, Any]) -> float | None:
        return super().wait_ms(headers, body, {})


@defect("ERR-RETRY-INFO", wire="gemini")
class LooksAtTheFirstDetail(WaitingForQuota):
    """Takes the details for a list of one."""

    def wait_ms(self, headers: dict[str, str], body: str, error: dict[str, Any]) -> float | None:
        return super().wait_ms(headers, body, {**error, "details": (error.get("details") or [])[:1]})


@defect("ERR-RETRY-INFO", wire="gemini")
class TrustsTheDetails(WaitingForQuota):
    """Lets the conversion of a delay raise."""

    def wait_ms(self, headers: dict[str, str], body: str, error: dict[str, Any]) -> float | None:
        wait = super().wait_ms(headers, body, error)
        delays = [detail["retryDelay"] for detail in error.get("details", ()) if "retryDelay" in detail]
        return float(delays[0].removesuffix("s")) * 1000 if wait is None and delays else wait
