"""A thin code runner over AutoGen's local executor, as a subject that we did not write.

Run from the repository: `pytest --adapter tests.downstream.autogen_adapter:AutogenCommandLineRunner --known-failures
tests/downstream/autogen-command-line-known-failures.toml`.
"""

from __future__ import annotations

import asyncio
import warnings

from autogen_core import CancellationToken
from autogen_core.code_executor import CodeBlock
from autogen_ext.code_executors.local import LocalCommandLineCodeExecutor

from agentports.ports import AbortSignal, CodeResult
from tests.downstream.executing import ExecutorSession

#: The executor's own limit. It is in whole seconds, one for all calls, and ends in a result with exit code 124.
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
        block = CodeBlock(code=code, language=language)
        result = await self.executor.execute_code_blocks([block], CancellationToken())
        return CodeResult(ok=result.exit_code == 0, stdout=result.output, exit_code=result.exit_code)

    async def close(self) -> None:
        await asyncio.sleep(0)  # the execute that this stop ends still needs the folder
        await self.executor.stop()
