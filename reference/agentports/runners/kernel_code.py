"""Code in a live Jupyter kernel, which keeps what the code made (extra `jupyter`)."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from agentports.ports import (
    AbortSignal,
    CodeResult,
    CodeSession,
)
from agentports.runners._captures import Captures
from agentports.runners._code_session import known_language, time_limit
from agentports.runners._kernel import Kernel, require_jupyter
from agentports.runners._opening import open_session
from agentports.runners._session_files import LocalSession, LocalSettings

__all__ = ["KernelCodeRunner"]

_LANGUAGE = "python"


class KernelCodeRunner:
    """Runs Python in one kernel a session: variables live from call to call. **Isolation, not a sandbox.**

    Executions of one session run one after the other, and their limits begin with their turns. The only way to be
    sure that code does not run any more is to kill its kernel: after a timeout, an abort or a cancellation the next
    execution begins with a new one and without the old variables, and so it does after code that killed its own
    kernel, which raises `InterpreterLostError`. Code is taken as Python, without a kernel's magic commands, and
    values are not shown. `exit_code` is there when the code exited.

    `env` is set once, at the start of the kernel; otherwise the parameters are those of `LocalCodeRunner`.
    Raises `ImportError` without the extra.
    """

    id = "kernel-code-runner"

    def __init__(
        self,
        *,
        timeout_ms: int = 30_000,
        max_output_chars: int = 8000,
        env: Mapping[str, str] | None = None,
        output_dir_env: str | None = "AF_OUTPUT_DIR",
    ) -> None:
        require_jupyter()
        self._settings = LocalSettings(timeout_ms, max_output_chars, dict(env or {}), output_dir_env)

    async def start(self, *, key: str, language: str | None = None, signal: AbortSignal | None = None) -> CodeSession:
        """Start a kernel. Raises `UnknownLanguageError`, `InterpreterMissingError`, the abort."""
        known_language(language, _LANGUAGE, [_LANGUAGE])
        return await open_session(lambda: self._open(key), signal)

    async def _open(self, key: str) -> _KernelSession:
        session = _KernelSession(key, self._settings)
        try:
            await session.launch()
        except BaseException:
            await session.stop()
            raise
        return session


class _KernelSession(LocalSession):
    def __init__(self, key: str, settings: LocalSettings) -> None:
        super().__init__(key, settings, languages=[_LANGUAGE], language=_LANGUAGE)
        self._turn = asyncio.Lock()
        self._kernels = itertools.count()
        self._kernel: Kernel | None = None

    async def launch(self) -> Kernel:
        """Return the kernel; start one where there is none."""
        if self._kernel is None:
            kernel = Kernel(self._files.root / f"kernel-{next(self._kernels)}")
            await kernel.launch(env=self._settings.environment({}), cwd=self._files.work)
            self._kernel = kernel
        return self._kernel

    async def _run(self, code: str, language: str, timeout_ms: int) -> CodeResult:
        output = Captures(self._settings.max_output_chars)
        async with self._turn:
            with self._files.execution() as execution:
                async with self._kernel_or_none_after() as kernel, time_limit(timeout_ms, "; its variables are lost"):
                    ok, status = await kernel.run(code, execution.environment, output)
                return output.result(ok=ok, exit_code=status, artifacts=execution.artifacts())

    @asynccontextmanager
    async def _kernel_or_none_after(self) -> AsyncGenerator[Kernel, None]:
        """The kernel for one execution; one that does not come to its end takes the kernel with it."""
        kernel = await self.launch()
        try:
            yield kernel
        except BaseException:
            self._kernel = None
            await kernel.kill()
            raise

    async def _release(self) -> None:
        kernel, self._kernel = self._kernel, None
        if kernel is not None:
            await kernel.kill()
        await super()._release()
