"""Adapters as strangers write them: each wrong in one way, and some whose vendor has a fixed address."""

from __future__ import annotations

import asyncio
import json
import os
import urllib.request

import httpx

from agentports.errors import as_context_window_exceeded
from agentports.ports import ContextWindowExceededError, ProviderError
from agentports.providers import OpenAIChatProvider


class Right:
    """The reference adapter with its errors exposed to change."""

    name = "right"
    wire = "openai-chat"

    def __init__(self, base_url: str, api_key: str) -> None:
        self.key = api_key
        self._inner = OpenAIChatProvider(base_url=base_url, api_key=api_key)

    async def complete(self, request, hooks=None):
        try:
            return await self._inner.complete(request)
        except Exception as error:
            raise self.changed(error) from None

    async def stream(self, request, hooks=None):
        try:
            async for chunk in self._inner.stream(request):
                yield chunk
        except Exception as error:
            raise self.changed(error) from None

    def changed(self, error):
        return error


class Untyped(Right):
    """Takes an overflow for any other failure."""

    def changed(self, error):
        return ProviderError(str(error), status=error.status, retry_after_ms=error.retry_after_ms)


class Overflowing(Right):
    """Takes every failure for an overflow."""

    def changed(self, error):
        said = {"status": error.status, "retry_after_ms": error.retry_after_ms}
        return ContextWindowExceededError(provider="x", provider_message=str(error), **said)


class Miscounting(Right):
    """States sizes that nobody stated."""

    def changed(self, error):
        if isinstance(error, ContextWindowExceededError):
            error.limit_tokens = 7
        return error


class Statusless(Right):
    """Loses the status."""

    def changed(self, error):
        error.status = None
        return error


class Hasty(Right):
    """Loses the wait that the vendor states."""

    def changed(self, error):
        error.retry_after_ms = None
        return error


class Stubborn(Right):
    """Advises to try everything again."""

    def changed(self, error):
        error.retryable = True
        return error


class Silent(Right):
    """Says nothing of what the vendor said."""

    def changed(self, error):
        error.args = ("it failed",)
        return error


class Brief(Right):
    """Quotes the first 200 characters of the body, as the contract allows."""

    def __init__(self, base_url: str) -> None:
        self._client = httpx.AsyncClient(base_url=base_url)

    async def complete(self, request, hooks=None):
        body = {"model": request.model, "messages": [{"role": "user", "content": "hello"}]}
        answer = await self._client.post("/chat/completions", json=body)
        raise ProviderError(answer.text[:200], status=answer.status_code, retry_after_ms=18642)

    stream = None


class Leaking(Right):
    """Puts its key into the message."""

    def changed(self, error):
        error.args = (f"{error} (with key {self.key})",)
        return error


class Swallowing(Right):
    """Answers whatever happens."""

    async def complete(self, request, hooks=None):
        try:
            return await super().complete(request)
        except ProviderError:
            return {"content": "all is well", "stop_reason": "stop"}

    stream = None


class Halfway(Right):
    """Loses the status where it streams."""

    async def stream(self, request, hooks=None):
        try:
            async for chunk in super().stream(request):
                yield chunk
        except ProviderError as error:
            error.status = None
            raise


class Deaf(Right):
    """Asks nobody."""

    async def complete(self, request, hooks=None):
        raise ProviderError("no idea")

    stream = None


class Elsewhere(Right):
    """Asks a path that is none of the wire."""

    def __init__(self, base_url: str) -> None:
        self._client = httpx.AsyncClient(base_url=base_url)

    async def complete(self, request, hooks=None):
        answer = await self._client.post("/oracle", json={"model": request.model})
        raise ProviderError(answer.text, status=answer.status_code)

    stream = None


class Patient(Right):
    """Waits as long as the vendor says, and tries again."""

    async def complete(self, request, hooks=None):
        while True:
            try:
                return await self._inner.complete(request)
            except ProviderError as error:
                await asyncio.sleep((error.retry_after_ms or 0) / 1000)

    stream = None


class Exiting(Right):
    """Ends the program."""

    async def complete(self, request, hooks=None):
        os._exit(0)

    stream = None


def fixed():
    """The reference adapter for a vendor whose address is fixed."""
    return OpenAIChatProvider(base_url="https://api.vendor.example/v1", api_key="sk-0123456789abcdef")


class Blocking:
    """A synchronous adapter over httpx, of a fixed address."""

    name = "blocking"
    wire = "openai-chat"

    def complete(self, request, hooks=None):
        answer = httpx.post("https://api.vendor.example/v1/chat/completions", json={"model": request.model})
        error = ProviderError(answer.text, status=answer.status_code)
        raise as_context_window_exceeded(error, provider="x", body_text=answer.text, status=answer.status_code) or error


class OfUrllib:
    """An adapter over the standard library, of a fixed address."""

    name = "of-urllib"
    wire = "openai-chat"

    def complete(self, request, hooks=None):
        asked = urllib.request.Request("https://api.vendor.example/v1", json.dumps({"model": request.model}).encode())
        try:
            urllib.request.urlopen(asked)
        except urllib.error.HTTPError as refusal:
            said = refusal.read().decode()
            error = ProviderError(said, status=refusal.code)
            raise (
                as_context_window_exceeded(error, provider="x", body_text=said, status=refusal.code) or error
            ) from None


class ByHand:
    """Writes its requests to a socket of its own."""

    name = "by-hand"
    wire = "openai-chat"

    async def complete(self, request, hooks=None):
        try:
            await asyncio.open_connection("api.vendor.example", 443)
        except OSError as error:
            raise ProviderError(f"no connection: {error}", cause=error) from error


def of_openai():
    """An adapter over the vendor's own client, at the vendor's own address."""
    from tests.downstream.openai_adapter import OpenAISDKProvider

    return OpenAISDKProvider(base_url="https://api.openai.com/v1", api_key="sk-0123456789abcdef")


def retry(inner):
    """A wrapper."""
    return inner


class RetriesOnce(Right):
    """Tries again, once."""

    async def complete(self, request, hooks=None):
        try:
            return await self._inner.complete(request)
        except ProviderError:
            return await self._inner.complete(request)

    stream = None


class Failing(Right):
    """Cannot be built."""

    def __init__(self, base_url):
        raise ValueError("no")
