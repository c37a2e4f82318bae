"""A thin code runner over LangChain's Python REPL, as a subject that we did not write.

Run from the repository: `pytest --adapter tests.downstream.python_repl_adapter:PythonREPLRunner --known-failures
tests/downstream/langchain-python-repl-known-failures.toml`.
"""

from __future__ import annotations

import asyncio
import threading

from langchain_experimental.utilities import PythonREPL

from agentports.ports import AbortSignal, CodeResult, CodeTimeoutError
from tests.downstream.executing import ExecutorSession


class PythonREPLRunner:
    """A forked process a call, through `PythonREPL.run` with a timeout; without one the code runs in the host."""

    id = "langchain-python-repl"

    async def start(
        self, *, key: str, language: str | None = None, signal: AbortSignal | None = None
    ) -> ExecutorSession:
        """A session with names of its own."""
        if signal is not None:
            signal.raise_if_aborted()
        return _Session(language)


class _Session(ExecutorSession):
    limit_ms = 3_000  # the answer to many a call never comes

    def __init__(self, language: str | None) -> None:
        super().__init__(language)
        self._repl = PythonREPL()

    async def run(self, code: str, language: str, limit_ms: int) -> CodeResult:
        said = await self._said(code, limit_ms)
        if said == "Execution timed out":  # a text like any other
            raise CodeTimeoutError(limit_ms)
        return CodeResult(ok=True, stdout=said)

    async def _said(self, code: str, limit_ms: int) -> str:
        """What the REPL says, from a thread that may hang for ever."""
        loop, answer = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()

        def tell(said: str) -> None:
            if not answer.done():
                answer.set_result(said)

        def ask() -> None:
            said = self._repl.run(code, timeout=limit_ms / 1000)  # type: ignore[arg-type]
            if not loop.is_closed():
                loop.call_soon_threadsafe(tell, said)

        threading.Thread(target=ask, daemon=True).start()
        return str(await answer)

    async def close(self) -> None:
        """There is nothing that could be ended."""
