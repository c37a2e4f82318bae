"""What adapters over executors of code share: how a call ends early, and what a stopped session says."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import ClassVar
from uuid import uuid4

from agentports.ports import AbortSignal, CodeResult, CodeTimeoutError, SessionStoppedError, UnknownLanguageError

#: How long a library may take to end what it runs, in seconds, before its caller is told without it.
_PATIENCE_S = 2.0


class ExecutorSession(ABC):
    """A session over an executor. `languages` is what the executor speaks, by default the first."""

    languages: ClassVar[tuple[str, ...]] = ("python",)
    limit_ms: ClassVar[int] = 30_000

    def __init__(self, language: str | None = None) -> None:
        self.id = uuid4().hex
        self._language = self._known(language or self.languages[0])
        self._stopped = asyncio.Event()

    @abstractmethod
    async def run(self, code: str, language: str, limit_ms: int) -> CodeResult:
        """What the executor makes of the code."""

    async def end(self, work: asyncio.Task[CodeResult]) -> None:
        """End what the executor runs."""
        work.cancel()
        await asyncio.wait({work}, timeout=_PATIENCE_S)

    @abstractmethod
    async def close(self) -> None:
        """Give the executor up."""

    async def execute(
        self,
        *,
        code: str,
        language: str | None = None,
        timeout_ms: int | None = None,
        signal: AbortSignal | None = None,
    ) -> CodeResult:
        """Run the code. Raises `CodeTimeoutError`, `SessionStoppedError`, `UnknownLanguageError`, the abort."""
        spoken, limit_ms = self._known(language or self._language), timeout_ms or self.limit_ms
        self._expect_going(signal)
        work = asyncio.create_task(self.run(code, spoken, limit_ms))
        reasons = {asyncio.ensure_future(self._stopped.wait())}
        reasons |= set() if signal is None else {asyncio.ensure_future(signal.wait())}  # type: ignore[arg-type]
        try:
            await asyncio.wait({work, *reasons}, timeout=limit_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
        finally:
            for reason in reasons:
                reason.cancel()
            if not work.done():
                await self.end(work)
        self._expect_going(signal)
        raise CodeTimeoutError(limit_ms)

    async def stop(self) -> None:
        """Stop; once is enough."""
        if not self._stopped.is_set():
            self._stopped.set()
            await self.close()

    def _known(self, language: str) -> str:
        if language not in self.languages:
            raise UnknownLanguageError(language, self.languages)
        return language

    def _expect_going(self, signal: AbortSignal | None) -> None:
        if signal is not None:
            signal.raise_if_aborted()
        if self._stopped.is_set():
            raise SessionStoppedError(self.id)
