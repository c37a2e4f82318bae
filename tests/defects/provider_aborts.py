"""Adapters that do not stop when they are told to."""

from __future__ import annotations

import asyncio
from typing import Any

from agentports.ports import AbortError, ProviderError
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


def detached(call: Any) -> asyncio.Task[Any]:
    """A task that nobody will ask what became of it."""
    task = asyncio.ensure_future(call)
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    return task


@defect("PRV-ABORT-BEFORE-CALL", wire="openai-chat")
class LooksAtTheSignalTooLate(OpenAIChatProvider):
    """Sends a request that was aborted before, and raises behind the answer."""

    def signal_of(self, request: Any) -> Any:
        return None if request.signal is not None and request.signal.aborted else request.signal

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        response = await super().complete(request, hooks)
        if request.signal is not None:
            request.signal.raise_if_aborted()
        return response


@defect("PRV-ABORT-DURING-CALL", wire="openai-chat")
class LooksAtTheSignalOnce(OpenAIChatProvider):
    """Looks at the signal before the call and hands it to nothing."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        if request.signal is not None:
            request.signal.raise_if_aborted()
        return await super().complete(request.model_copy(update={"signal": None}), hooks)


@defect("PRV-ABORT-DURING-CALL", wire="openai-chat")
class LetsTheVendorGoOn(OpenAIChatProvider):
    """Raises the abort at once and leaves the request running."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        if request.signal is None:
            return await super().complete(request, hooks)
        request.signal.raise_if_aborted()
        unsignalled = request.model_copy(update={"signal": None})
        call = detached(super().complete(unsignalled, hooks))
        abort = asyncio.ensure_future(request.signal.wait())
        await asyncio.wait({call, abort}, return_when=asyncio.FIRST_COMPLETED)
        if call.done():
            abort.cancel()
            return call.result()
        raise AbortError


@defect("PRV-ABORT-IS-AN-ABORT", wire="openai-chat")
class WrapsAnAbortThatHasAReason(OpenAIChatProvider):
    """Makes a provider error of an abort that came with a text."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except AbortError as error:
            if isinstance(request.signal.reason, str):
                raise ProviderError(request.signal.reason, provider=self.name) from error
            raise


@defect("PRV-ABORT-IS-AN-ABORT", wire="openai-chat")
class GivesTheAbortAStatus(OpenAIChatProvider):
    """Marks an abort with status 499, as a proxy logs it."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except AbortError as error:
            error.status = 499  # type: ignore[attr-defined]
            raise


@defect("PRV-CANCEL-PROPAGATES", wire="openai-chat")
class WrapsCancellations(OpenAIChatProvider):
    """Makes a provider error of everything that interrupts a call."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except asyncio.CancelledError as error:
            raise ProviderError("the call was interrupted", provider=self.name) from error


@defect("PRV-CANCEL-PROPAGATES", wire="openai-chat")
class ShieldsItsRequest(OpenAIChatProvider):
    """Lets the cancellation out and leaves the request running."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        return await asyncio.shield(detached(super().complete(request, hooks)))
