"""The local runner: a child process for each execution (document 21, "Local runner")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from agentports.ports import (
    AbortSignal,
    CodeResult,
    CodeSession,
    CodeTimeoutError,
    InterpreterMissingError,
)
from agentports.runners._child_process import ChildProcess, child_process
from agentports.runners._code_session import known_language, time_limit
from agentports.runners._interpreters import INTERPRETERS, command_for
from agentports.runners._session_files import Execution, LocalSession, LocalSettings

__all__ = ["LocalCodeRunner"]


class LocalCodeRunner:
    """Runs code on this machine. **Isolation, not a sandbox**: the code may read, write and send what its user may.

    Each execution is a process of its own in a group of its own, without standard input, in the session's own
    directory, with `PATH`, `env` and the staged inputs' manifest for an environment. It and its group are killed at
    the limit, at an abort, and when it has ended; only what has left the group on purpose lives on.

    `timeout_ms` is the limit of an execution that states none; of each stream the first `max_output_chars`
    characters come back. `interpreters` are the languages, the first of which is the default, each with the
    arguments that stand before the code. Files that the code puts into the directory that the variable
    `output_dir_env` names are the artifacts; they lie there until the session stops, and with None nothing is
    reported. The `uri` of an artifact is a `file:` address.
    """

    id = "local-code-runner"

    def __init__(
        self,
        *,
        timeout_ms: int = 30_000,
        max_output_chars: int = 8000,
        env: Mapping[str, str] | None = None,
        interpreters: Mapping[str, Sequence[str]] | None = None,
        output_dir_env: str | None = "AF_OUTPUT_DIR",
    ) -> None:
        languages = INTERPRETERS if interpreters is None else interpreters
        if not languages or not all(languages.values()):
            raise ValueError("interpreters must name a command for each language, and one language at least")
        self._settings = LocalSettings(timeout_ms, max_output_chars, dict(env or {}), output_dir_env)
        self._interpreters = dict(languages)

    async def start(self, *, key: str, language: str | None = None, signal: AbortSignal | None = None) -> CodeSession:
        """Make a session. Raises `UnknownLanguageError`, and the abort when the signal is aborted."""
        if signal is not None:
            signal.raise_if_aborted()
        language = known_language(language, next(iter(self._interpreters)), self._interpreters)
        return _LocalSession(key, language, self._settings, self._interpreters)


class _LocalSession(LocalSession):
    """Executions of one session run side by side, each in its own process."""

    def __init__(
        self, key: str, language: str, settings: LocalSettings, interpreters: Mapping[str, Sequence[str]]
    ) -> None:
        super().__init__(key, settings, languages=interpreters, language=language)
        self._interpreters = interpreters

    async def _run(self, code: str, language: str, timeout_ms: int) -> CodeResult:
        interpreter = self._interpreters[language]
        with self._files.execution() as execution:
            command = command_for(language, interpreter, code, execution.code)
            try:
                async with time_limit(timeout_ms), self._child(command, execution) as child:
                    status = await child.wait()
            except CodeTimeoutError:
                raise
            except OSError as error:
                raise InterpreterMissingError(interpreter[0], str(error)) from error
            return child.output.result(ok=status == 0, exit_code=status, artifacts=execution.artifacts())

    def _child(self, command: Sequence[str | bytes], execution: Execution) -> AbstractAsyncContextManager[ChildProcess]:
        environment = self._settings.environment(execution.environment)
        return child_process(command, env=environment, cwd=self._files.work, limit=self._settings.max_output_chars)
