"""Code runners: their members, what they take and give, and what they raise (document 21, section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from pydantic import ConfigDict, Field

from agentports.ports.messages import Data
from agentports.ports.signals import AbortSignal

__all__ = [
    "STAGED_INPUTS_ENV",
    "CodeArtifact",
    "CodeInput",
    "CodeResult",
    "CodeRunner",
    "CodeRunnerError",
    "CodeSession",
    "CodeTimeoutError",
    "InterpreterLostError",
    "InterpreterMissingError",
    "StagedCodeInput",
    "StagingCodeSession",
    "StagingError",
    "Truncation",
    "UnknownLanguageError",
    "can_stage_code_inputs",
]

#: The variable in which the code finds what was staged: one JSON object, from an input's name to its path.
STAGED_INPUTS_ENV: Final = "AF_STAGED_INPUTS"

Content = str | bytes


class _Exact(Data):
    model_config = ConfigDict(frozen=True, from_attributes=True, extra="forbid")


class CodeArtifact(_Exact):
    """A file that one execution left in the output place. `bytes` is its true length.

    `data` is there only when the whole content came back; `uri` says where it lies, `ref` who stored it as what.
    """

    name: str
    data: Content | None = None
    uri: str | None = None
    media_type: str | None = None
    ref: str | None = None
    bytes: int = Field(ge=0)


class Truncation(_Exact):
    """What was cut. `of_chars` counts the characters of the cut stream before the cut; of two, those of the longer."""

    stdout: bool = False
    stderr: bool = False
    of_chars: int | None = None


class CodeResult(_Exact):
    """How one execution ended. `ok`: to completion, without an error exit.

    `artifacts` absent: the runner does not report files; empty: this execution left none. `truncated` is there
    exactly when something was cut.
    """

    ok: bool
    stdout: str = ""
    stderr: str = ""
    exit_code: int | None = None
    artifacts: tuple[CodeArtifact, ...] | None = None
    truncated: Truncation | None = None


class CodeInput(_Exact):
    """Data for the code: a text, written as UTF-8, or bytes. The code finds it under `name`.

    `file_name`, by default the name, only shapes what the file is called on disk.
    """

    name: str
    data: Content
    file_name: str | None = None
    media_type: str | None = None


class StagedCodeInput(_Exact):
    """Where an input lies, as the code opens it, and how many bytes were written."""

    name: str
    path: str
    bytes: int = Field(ge=0)


@runtime_checkable
class CodeSession(Protocol):
    """The required members of a session. One that can stage inputs is a `StagingCodeSession`."""

    @property
    def id(self) -> str: ...

    async def execute(
        self,
        *,
        code: str,
        language: str | None = None,
        timeout_ms: int | None = None,
        signal: AbortSignal | None = None,
    ) -> CodeResult: ...

    async def stop(self) -> None: ...


@runtime_checkable
class StagingCodeSession(CodeSession, Protocol):
    """A session that can put data where its code reads it."""

    async def stage_inputs(self, inputs: Sequence[CodeInput]) -> Sequence[StagedCodeInput]: ...


@runtime_checkable
class CodeRunner(Protocol):
    """Opens sessions, each under the isolation key that its caller derived (document 23, section 2)."""

    @property
    def id(self) -> str: ...

    async def start(
        self, *, key: str, language: str | None = None, signal: AbortSignal | None = None
    ) -> CodeSession: ...


def can_stage_code_inputs(session: Any) -> bool:
    """Whether the session has the member, and nothing else (CODE-STAGE-DETECTED-BY-MEMBER)."""
    return callable(getattr(session, "stage_inputs", None))


class CodeRunnerError(Exception):
    """Base of what the reference runners raise. Code that fails is a result, not an exception."""


class CodeTimeoutError(CodeRunnerError, TimeoutError):
    """The code did not end within its limit and is dead."""

    def __init__(self, timeout_ms: int, remark: str = "") -> None:
        super().__init__(f"the code did not end within its limit of {timeout_ms} ms and does not run any more{remark}")
        self.timeout_ms = timeout_ms


class UnknownLanguageError(CodeRunnerError):
    """The runner has no interpreter for the language."""

    def __init__(self, language: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown language {language!r}; this runner knows {', '.join(sorted(known))}")
        self.language = language


class InterpreterMissingError(CodeRunnerError):
    """The interpreter could not be run at all."""

    def __init__(self, command: str, reason: str) -> None:
        super().__init__(f"could not run {command!r}: {reason}")
        self.command = command


class InterpreterLostError(CodeRunnerError):
    """A live interpreter ended, and its state with it. `exit_code` where it is known."""

    def __init__(self, exit_code: int | None) -> None:
        status = "" if exit_code is None else f" with status {exit_code}"
        super().__init__(f"the interpreter ended{status}; its state is lost")
        self.exit_code = exit_code


class StagingError(CodeRunnerError):
    """The inputs cannot be staged; nothing was written."""
