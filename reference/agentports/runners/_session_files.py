"""Sessions on this machine: a directory where the code works, with what it was given and what it leaves."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from uuid import uuid4

from agentports.ports import STAGED_INPUTS_ENV, CodeArtifact, CodeInput, StagedCodeInput
from agentports.runners._code_session import InterruptibleSession, check_limits
from agentports.runners._labels import session_label
from agentports.runners._outputs import files_in
from agentports.runners._staging import StagedInputs

__all__ = ["Execution", "LocalSession", "LocalSettings"]


class Execution:
    """The files of one execution, for `with`."""

    def __init__(self, files: SessionFiles, number: int) -> None:
        self._output = files.root / "output" / str(number)
        self._variable = files.output_dir_env
        self.code = files.root / f"code-{number}"
        self.environment = files.inputs.environment
        if self._variable is not None:
            self._output.mkdir(parents=True)
            self.environment[self._variable] = str(self._output)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.code.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._output.rmdir()  # only where it is empty

    def artifacts(self) -> list[CodeArtifact] | None:
        """What the code left in its output folder; None where it was told of none."""
        return None if self._variable is None else files_in(self._output)


class SessionFiles:
    """Everything below one temporary directory, which only its owner can enter."""

    def __init__(self, output_dir_env: str | None) -> None:
        self.output_dir_env = output_dir_env
        self._directory = tempfile.TemporaryDirectory(prefix="code-session-", ignore_cleanup_errors=True)
        self._numbers = itertools.count()
        self.root = Path(self._directory.name)
        self.inputs = StagedInputs(self.root / "inputs")
        self.work = self.root / "work"
        self.work.mkdir()

    def execution(self) -> Execution:
        """Make the place for one more execution."""
        return Execution(self, next(self._numbers))

    async def remove(self) -> None:
        """Remove all of it. That something of it cannot be removed is no error."""
        await asyncio.to_thread(self._directory.cleanup)


@dataclass(frozen=True)
class LocalSettings:
    """What an operator configures for sessions on this machine."""

    timeout_ms: int
    max_output_chars: int
    env: Mapping[str, str]
    output_dir_env: str | None

    def __post_init__(self) -> None:
        check_limits(self.timeout_ms, self.max_output_chars)

    def environment(self, told: Mapping[str, str]) -> dict[str, str]:
        """What the code sees, beside what the runner tells it; nothing else of the host's, and no false manifest."""
        configured = {name: value for name, value in self.env.items() if name != STAGED_INPUTS_ENV}
        return {"PATH": os.environ.get("PATH", os.defpath), **configured, **told}


class LocalSession(InterruptibleSession):
    """Base of the sessions whose code runs on this machine: they stage inputs, and leave nothing when they stop."""

    def __init__(self, key: str, settings: LocalSettings, *, languages: Collection[str], language: str) -> None:
        session_id = f"{session_label(key)}-{uuid4().hex}"
        super().__init__(session_id, languages=languages, language=language, timeout_ms=settings.timeout_ms)
        self._settings = settings
        self._files = SessionFiles(settings.output_dir_env)

    async def stage_inputs(self, inputs: Sequence[CodeInput]) -> Sequence[StagedCodeInput]:
        """Write inputs where later executions read them. Raises `SessionStoppedError`, `StagingError`."""
        self._refuse()
        return self._files.inputs.stage(inputs)

    async def _release(self) -> None:
        await self._files.remove()
