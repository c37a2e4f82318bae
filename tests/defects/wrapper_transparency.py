"""Wrappers that change what they should hand on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from agentports.ports import LLMMessage, LLMRequest, LLMResponse
from portproof.selftest import defect

from ._wrappers import Retrying, Transparent


@defect("WRP-REQUEST-FORWARDED", kind="transparent")
class KnowsOldRequests(Transparent):
    """Rebuilds the request from the fields that it knew."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        known = LLMRequest(
            model=request.model,
            messages=request.messages,
            system_prompt=request.system_prompt,
            tools=request.tools,
            temperature=request.temperature,
            max_tokens=request.max_tokens,
            stop=request.stop,
        )
        return await super().complete(known, hooks)


@defect("WRP-REQUEST-FORWARDED", kind="retry")
class RetriesWithoutThinking(Retrying):
    """Leaves thinking out when it tries again."""

    async def ask(self, attempt: int, request: Any, hooks: Any) -> Any:
        request = request if attempt == 1 else request.model_copy(update={"thinking": None})
        return await super().ask(attempt, request, hooks)


@defect("WRP-REQUEST-FORWARDED", kind="transparent")
class DropsWhatItDoesNotKnowInStreams(Transparent):
    """Validates requests of streams and keeps the contract's fields."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        known = LLMRequest(**{name: getattr(request, name) for name in LLMRequest.model_fields})
        async with aclosing(super()._stream(known, hooks)) as chunks:
            async for chunk in chunks:
                yield chunk


@defect("WRP-REQUEST-NOT-MUTATED", kind="retry")
class NotesRetriesInTheRequest(Retrying):
    """Appends a note to the caller's messages before a retry."""

    async def ask(self, attempt: int, request: Any, hooks: Any) -> Any:
        if attempt > 1:
            request.messages.append(LLMMessage(role="user", content="Try again."))
        return await super().ask(attempt, request, hooks)


@defect("WRP-REQUEST-NOT-MUTATED", kind="other")
class SortsTheCallersTools(Transparent):
    """Puts the tools into an order of its own, in the caller's list."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        for tool in request.tools or ():
            tool.input_schema.setdefault("additionalProperties", False)
        return await super().complete(request, hooks)


@defect("WRP-RESPONSE-UNCHANGED", kind="transparent")
class KnowsOldResponses(Transparent):
    """Returns a new response of content, tool calls, usage and stop reason."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        full = await super().complete(request, hooks)
        return LLMResponse(
            content=full.content, tool_calls=full.tool_calls, usage=full.usage, stop_reason=full.stop_reason
        )


@defect("WRP-RESPONSE-UNCHANGED", kind="retry")
class CountsEmptyUsage(Retrying):
    """Puts zeros where nobody measured, in what a retry brought."""

    async def ask(self, attempt: int, request: Any, hooks: Any) -> Any:
        full = await super().ask(attempt, request, hooks)
        usage = full.usage.model_copy(update={"thinking": full.usage.thinking or 0})
        return full if attempt == 1 else full.model_copy(update={"usage": usage})


@defect("WRP-ERROR-IDENTITY", kind="transparent")
class WrapsErrors(Transparent):
    """Raises an error of its own from the inner one."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except Exception as error:
            raise RuntimeError("call failed") from error


@defect("WRP-ERROR-IDENTITY", kind="transparent")
class CopiesErrorsOfStreams(Transparent):
    """Raises an equal error anew when a stream breaks."""

    async def _stream(self, request: Any, hooks: Any = None) -> AsyncIterator[Any]:
        try:
            async with aclosing(super()._stream(request, hooks)) as chunks:
                async for chunk in chunks:
                    yield chunk
        except Exception as error:
            raise type(error)(*error.args) from None


@defect("WRP-ERROR-IDENTITY", kind="transparent")
class HidesCauses(Transparent):
    """Raises the same error without its cause."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except Exception as error:
            raise error from None


@defect("WRP-ERROR-IDENTITY", kind="transparent")
class GivesCausesOfItsOwn(Transparent):
    """Raises the same error with another cause."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except Exception as error:
            raise error from RuntimeError("logged")


@defect("WRP-CANCEL-PROPAGATES", kind="retry")
class RetriesCancellations(Retrying):
    """Takes a cancellation for a failure."""

    async def ask(self, attempt: int, request: Any, hooks: Any) -> Any:
        try:
            return await super().ask(attempt, request, hooks)
        except asyncio.CancelledError:
            raise ConnectionError("cancelled") from None


@defect("WRP-CANCEL-PROPAGATES", kind="retry")
class EndsItsWaitWhenCancelled(Retrying):
    """Takes a cancellation during a wait for the end of the wait."""

    def __init__(self, inner: Any, sleep: Any = asyncio.sleep) -> None:
        super().__init__(inner, self.rest)
        self.real_sleep = sleep

    async def rest(self, seconds: float) -> None:
        try:
            await self.real_sleep(seconds)
        except asyncio.CancelledError:
            return


@defect("WRP-CONCURRENT-CALLS", kind="transparent")
class KeepsHooksOnItself(Transparent):
    """Keeps the hooks of the current call on the wrapper."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        self.hooks = hooks
        await asyncio.sleep(0)
        return await super().complete(request, self.hooks)


@defect("WRP-CONCURRENT-CALLS", kind="retry")
class RetriesTheLatestRequest(Retrying):
    """Keeps the request to be tried again on the wrapper."""

    async def ask(self, attempt: int, request: Any, hooks: Any) -> Any:
        if attempt == 1:
            self.request = request
        return await super().ask(attempt, self.request, hooks)


@defect("WRP-NAME", kind="transparent")
class NamedByAnObject(Transparent):
    """Has the inner provider as its name."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.name = inner


@defect("WRP-NAME", kind="retry")
class NamedByTheAttempt(Retrying):
    """Says in its name how far it got."""

    async def ask(self, attempt: int, request: Any, hooks: Any) -> Any:
        self.name = f"{self.inner.name}+try{attempt}"
        return await super().ask(attempt, request, hooks)
