"""Runners whose code finds around it what it should not, or not what it should."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

from portproof_defects._runners import AroundSession, Runner

from agentports.ports import CodeResult, CodeTimeoutError, InterpreterMissingError, UnknownLanguageError
from portproof.selftest import defect


class _Shelled(AroundSession):
    async def execute(self, *, code: str, **stated: Any) -> Any:
        return await super().execute(code=os.path.expandvars(code), **stated)


@defect("CODE-CODE-VERBATIM")
class PassesTheCodeThroughAShell(Runner):
    """Variables of the host are put into the code."""

    around = _Shelled


@defect("CODE-ENV-ALLOWLIST")
class InheritsTheEnvironment(Runner):
    """Gives the code every variable that the host has."""

    def __init__(self) -> None:
        super().__init__(env=dict(os.environ))


@defect("CODE-ENV-CONFIGURED-WINS")
class AppliesTheInheritedPathLast(Runner):
    """Overrides the operator's PATH by the host's."""

    def __init__(self, *, env: dict[str, str] | None = None) -> None:
        super().__init__(env={**(env or {}), "PATH": os.environ["PATH"]})


class _SharedInput(AroundSession):
    async def execute(self, *, code: str, timeout_ms: int | None = None, **stated: Any) -> Any:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdin=None, stdout=pipe, stderr=pipe)
        try:
            out, err = await asyncio.wait_for(process.communicate(), (timeout_ms or 30_000) / 1000)
        except TimeoutError:
            process.kill()
            raise CodeTimeoutError(timeout_ms or 30_000) from None
        return CodeResult(ok=process.returncode == 0, stdout=out.decode(), stderr=err.decode())


@defect("CODE-STDIN-CLOSED")
class InheritsStandardInput(Runner):
    """Lets the code read what the host reads."""

    around = _SharedInput


class _Quiet(AroundSession):
    async def execute(self, **stated: Any) -> Any:
        try:
            return await super().execute(**stated)
        except InterpreterMissingError:
            return CodeResult(ok=False)


@defect("CODE-INTERPRETER-MISSING")
class TakesAMissingInterpreterForAFailure(Runner):
    """Gives a failed result without a word."""

    around = _Quiet


class _FallingBack(AroundSession):
    async def execute(self, *, language: str | None = None, **stated: Any) -> Any:
        try:
            return await super().execute(language=language, **stated)
        except UnknownLanguageError:
            return await super().execute(language="bash", **stated)


@defect("CODE-LANGUAGE-UNKNOWN")
class FallsBackToAShell(Runner):
    """Runs what it does not know as a shell script."""

    around = _FallingBack


@defect("CODE-LANGUAGE-RESOLUTION")
class IgnoresTheLanguageOfTheStart(Runner):
    """Runs its own language unless the call names another."""

    async def start(self, *, language: str | None = None, **stated: Any) -> Any:
        return await super().start(**stated)
