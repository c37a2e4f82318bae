"""What every reference code session does: its calls end at the limit, at an abort, a cancellation and a stop."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Collection, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from agentports.ports import AbortSignal, CodeResult, CodeTimeoutError, SessionStoppedError, UnknownLanguageError

__all__ = ["InterruptibleSession", "check_limits", "known_language", "time_limit"]

T = TypeVar("T")


class InterruptibleSession(ABC):
    """Base of the sessions. Whatever is at work when the session stops is ended first."""

    def __init__(self, session_id: str, *, languages: Collection[str], language: str, timeout_ms: int) -> None:
        self.id = session_id
        self._languages = languages
        self._language = language
        self._timeout_ms = timeout_ms
        self._stopped = asyncio.Event()
        self._stopping: asyncio.Task[None] | None = None
        self._work: set[asyncio.Task[Any]] = set()

    async def execute(
        self,
        *,
        code: str,
        language: str | None = None,
        timeout_ms: int | None = None,
        signal: AbortSignal | None = None,
    ) -> CodeResult:
        """Run the code. When this raises, the code does not run any more.

        Raises `CodeTimeoutError`, `UnknownLanguageError`, `SessionStoppedError`, the abort, and what the runner says.
        """
        self._refuse(signal)
        language = known_language(language, self._language, self._languages)
        limit = _checked(self._timeout_ms if timeout_ms is None else timeout_ms)
        return await self._interruptible(self._run(code, language, limit), signal)

    async def stop(self) -> None:
        """End the session, and what runs in it. A stop that failed may be tried again; further ones do nothing."""
        self._stopped.set()
        if self._stopping is None or _failed(self._stopping):
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    @abstractmethod
    async def _run(self, code: str, language: str, timeout_ms: int) -> CodeResult:
        """Run the code within the limit. Cancelled, end it."""

    @abstractmethod
    async def _release(self) -> None:
        """Give back what the session holds; nothing runs in it any more."""

    def _refuse(self, signal: AbortSignal | None = None) -> None:
        """Raise when the call is aborted or the session is stopped."""
        if signal is not None:
            signal.raise_if_aborted()
        if self._stopped.is_set():
            raise SessionStoppedError(self.id)

    async def _interruptible(self, work: Coroutine[Any, Any, T], signal: AbortSignal | None) -> T:
        """Return what the work returns. On an abort, a stop or a cancellation cancel it, wait for its end, raise."""
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._finished)
        watchers: list[asyncio.Task[Any]] = [asyncio.create_task(self._stopped.wait())]
        if signal is not None:
            watchers.append(asyncio.create_task(signal.wait()))
        try:
            await asyncio.wait([task, *watchers], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        finally:
            for each in (task, *watchers):
                each.cancel()
            await asyncio.wait([task, *watchers])
        self._refuse(signal)
        raise AssertionError("only an abort or a stop comes here")

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._work.discard(task)
        if not task.cancelled():
            task.exception()  # of an interrupted work nobody asks for it

    async def _stop(self) -> None:
        while self._work:
            await asyncio.wait(self._work)
        await self._release()


@asynccontextmanager
async def time_limit(timeout_ms: int, remark: str = "") -> AsyncGenerator[None, None]:
    """Cancel the body after so many milliseconds and raise `CodeTimeoutError`."""
    limit = asyncio.timeout(timeout_ms / 1000)
    try:
        async with limit:
            yield
    except TimeoutError:
        if not limit.expired():
            raise
        raise CodeTimeoutError(timeout_ms, remark) from None


def known_language(language: str | None, default: str, languages: Collection[str]) -> str:
    """Return the language that is meant. Raises `UnknownLanguageError` for one that is none of these."""
    if language is None:
        return default
    if language not in languages:
        raise UnknownLanguageError(language, languages)
    return language


def check_limits(timeout_ms: int, max_output_chars: int = 0) -> None:
    """Raise `ValueError` for limits that make no sense."""
    if timeout_ms < 0 or max_output_chars < 0:
        raise ValueError("timeout_ms and max_output_chars must not be negative")


def _checked(timeout_ms: int) -> int:
    """No code ends in no time: with 0 it does not even begin."""
    check_limits(timeout_ms)
    if timeout_ms == 0:
        raise CodeTimeoutError(0)
    return timeout_ms


def _failed(task: asyncio.Task[None]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
