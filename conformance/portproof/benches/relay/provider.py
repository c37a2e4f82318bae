"""The scripted provider behind a relay in this process; it keeps what was done to it, and in which order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from agentports.ports.http import ProviderAbortError, ProviderDelta, ProviderResult
from portproof.benches.relay.scripts import ANSWER, Call, Fail, Give, Hold, Say, Script, Settle, Step, StopWith
from portproof.benches.views import view

__all__ = ["ScriptedProvider"]


class ScriptedProvider:
    """Plays the script of the first message's content, else the one that is set."""

    id = "scripted"
    name = "scripted"
    format = None

    def __init__(self) -> None:
        self.script: Script = ANSWER
        #: By the content of the first message.
        self.scripts: dict[str, Script] = {}
        self.calls: list[Call] = []
        #: Raised when a call is constructed.
        self.refusal: BaseException | None = None
        #: Raised when an iterator is closed.
        self.close_error: BaseException | None = None
        #: Seconds that the clean-up of an iterator takes.
        self.cleans_up_for = 0.0
        #: Whether closing an iterator waits for the abort of the signal.
        self.closes_after_abort = False

    def stream(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> AsyncIterator[Any]:
        """Construct a call."""
        first = view(messages[0], "content") if messages else None
        script = self.scripts.get(first, self.script) if isinstance(first, str) else self.script
        call = Call(messages, tools, options, script, signal, bool(getattr(signal, "aborted", False)))
        self.calls.append(call)
        if self.refusal is not None:
            raise self.refusal
        return _Steps(self, call)

    async def generate(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        """The last item of a stream."""
        last = None
        async for item in self.stream(messages, signal, tools, options):
            last = item
        return last


class _Steps:
    """An async generator that is watched. Python's own rules hold: it cannot be closed while it runs."""

    def __init__(self, provider: ScriptedProvider, call: Call) -> None:
        self._provider = provider
        self._call = call
        self._items = self._play()

    def __aiter__(self) -> _Steps:
        return self

    async def __anext__(self) -> Any:
        call = self._call
        call.steps += 1
        call.under_way += 1
        call.most_under_way = max(call.most_under_way, call.under_way)
        try:
            return await anext(self._items)
        except asyncio.CancelledError:
            call.closes.append(call.is_stopped)
            raise
        finally:
            call.under_way -= 1

    async def aclose(self) -> None:
        call = self._call
        call.closes.append(call.is_stopped)
        try:
            await self._items.aclose()
        finally:
            if self._provider.closes_after_abort and not call.is_stopped:
                await call.signal.wait()
        if self._provider.close_error is not None:
            raise self._provider.close_error

    async def _play(self) -> AsyncGenerator[Any, None]:
        said: dict[str, str] = {"content": "", "thinking": ""}
        try:
            for step in self._call.script:
                if self._call.is_stopped and not _is_deaf(step):
                    raise _stopped(said)
                if isinstance(step, Hold):
                    await self._held(step, said)
                    continue
                if isinstance(step, Say):
                    said[step.channel] += step.text
                yield _item(step)
        finally:
            if self._provider.cleans_up_for:
                await asyncio.sleep(self._provider.cleans_up_for)
            self._call.cleanups += 1

    async def _held(self, step: Hold, said: dict[str, str]) -> None:
        if step.deaf:
            await self._call.gate.wait()
            return
        waits = [asyncio.ensure_future(self._call.gate.wait()), asyncio.ensure_future(self._call.signal.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self._call.is_stopped:
            raise _stopped(said)


def _item(step: Step) -> Any:
    if isinstance(step, Say):
        return ProviderDelta(channel=step.channel, text=step.text)  # type: ignore[arg-type]
    if isinstance(step, Settle):
        return ProviderResult.model_validate(step.result)
    if isinstance(step, StopWith):
        raise ProviderAbortError(ProviderResult.model_validate(step.partial))
    if isinstance(step, Fail):
        raise step.error
    assert isinstance(step, Give)
    return step.item


def _is_deaf(step: Step) -> bool:
    return isinstance(step, Hold) and step.deaf


def _stopped(said: dict[str, str]) -> ProviderAbortError:
    return ProviderAbortError(ProviderResult(content=said["content"], thinking=said["thinking"] or None))
