"""A thin code runner over AutoGen's Jupyter executor, as a subject that we did not write.

Run from the repository: `pytest --adapter tests.downstream.autogen_jupyter_adapter:AutogenJupyterRunner
--known-failures tests/downstream/autogen-jupyter-known-failures.toml`.
"""

from __future__ import annotations

import asyncio
import warnings

from autogen_core import CancellationToken
from autogen_core.code_executor import CodeBlock
from autogen_ext.code_executors.jupyter import JupyterCodeExecutor

from agentports.ports import AbortSignal, CodeResult
from tests.downstream.executing import ExecutorSession

#: The executor's own limit, one for all calls, after which it raises a bare `TimeoutError`.
_NEVER_S = 1_000_000


class AutogenJupyterRunner:
    """A kernel a session, through `JupyterCodeExecutor`."""

    id = "autogen-jupyter"

    async def start(
        self, *, key: str, language: str | None = None, signal: AbortSignal | None = None
    ) -> ExecutorSession:
        """A session with a kernel of its own."""
        if signal is not None:
            signal.raise_if_aborted()
        session = _JupyterSession(language)
        await session.executor.start()
        return session


class _JupyterSession(ExecutorSession):
    def __init__(self, language: str | None) -> None:
        super().__init__(language)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it makes a folder, and warns of it
            self.executor = JupyterCodeExecutor(timeout=_NEVER_S)

    async def run(self, code: str, language: str, limit_ms: int) -> CodeResult:
        block = CodeBlock(code=code, language=language)
        result = await self.executor.execute_code_blocks([block], CancellationToken())
        return CodeResult(ok=result.exit_code == 0, stdout=result.output)

    async def end(self, work: asyncio.Task[CodeResult]) -> None:
        """End what runs: the kernel is given up, and another started."""
        await super().end(work)
        await self.executor.restart()

    async def close(self) -> None:
        await self.executor.stop()
