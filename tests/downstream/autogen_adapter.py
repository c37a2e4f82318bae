"""Thin code runners over AutoGen's executors that need no cloud, as subjects that we did not write.

Run from the repository: `pytest --adapter tests.downstream.autogen_adapter:AutogenCommandLineRunner --known-failures
tests/downstream/autogen-command-line-known-failures.toml`.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import warnings

from autogen_core import CancellationToken
from autogen_core.code_executor import CodeBlock, CodeExecutor
from autogen_ext.code_executors.jupyter import JupyterCodeExecutor
from autogen_ext.code_executors.local import LocalCommandLineCodeExecutor

from agentports.ports import AbortSignal, CodeResult
from tests.downstream.executing import ExecutorSession

#: The executors' own limit. It is in whole seconds, set once, and ends in a result or leaves the code running.
_NEVER_S = 1_000_000


class AutogenCommandLineRunner:
    """A file and a process a call, through `LocalCommandLineCodeExecutor`."""

    id = "autogen-command-line"

    async def start(
        self, *, key: str, language: str | None = None, signal: AbortSignal | None = None
    ) -> ExecutorSession:
        """A session with a folder of its own."""
        if signal is not None:
            signal.raise_if_aborted()
        session = _CommandLineSession(language)
        await session.executor.start()
        return session


class _CommandLineSession(ExecutorSession):
    languages = ("python", "bash", "sh")

    def __init__(self, language: str | None) -> None:
        super().__init__(language)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns whoever makes one that code is dangerous
            self.executor = LocalCommandLineCodeExecutor(timeout=_NEVER_S)

    async def run(self, code: str, language: str, limit_ms: int) -> CodeResult:
        return await _executed(self.executor, code, language, CancellationToken())

    async def close(self) -> None:
        await asyncio.sleep(0)  # the execute that this stop ends still needs the folder
        await self.executor.stop()


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
        self._folder = tempfile.mkdtemp()
        self._turn = asyncio.Lock()
        self.executor = JupyterCodeExecutor(timeout=_NEVER_S, output_dir=self._folder)

    async def run(self, code: str, language: str, limit_ms: int) -> CodeResult:
        token = CancellationToken()
        async with self._turn:  # two cells at once take each other's messages
            try:
                result = await _executed(self.executor, code, language, token)
            except asyncio.CancelledError:
                token.cancel()
                await self.executor.restart()  # nothing less ends code that runs in a kernel
                raise
        return result.model_copy(update={"exit_code": None})  # the executor's own, 0 or 1

    async def end(self, work: asyncio.Task[CodeResult]) -> None:
        work.cancel()
        await asyncio.wait({work}, timeout=15)

    async def close(self) -> None:
        async with self._turn:
            await self.executor.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


async def _executed(executor: CodeExecutor, code: str, language: str, token: CancellationToken) -> CodeResult:
    """The executor's result. It knows one text, of both streams."""
    result = await executor.execute_code_blocks([CodeBlock(code=code, language=language)], token)
    return CodeResult(ok=result.exit_code == 0, stdout=result.output, exit_code=result.exit_code)
