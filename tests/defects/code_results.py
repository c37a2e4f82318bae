"""Runners that tell something else than what the code did."""

from __future__ import annotations

import subprocess
from typing import Any

from portproof_defects._runners import AroundSession, Runner, changing

from agentports.ports import CodeTimeoutError
from portproof.selftest import defect


@defect("CODE-STREAMS-SEPARATE")
class MergesTheStreams(Runner):
    """Gives what was written to standard error as standard output."""

    around = changing(lambda result: {"stdout": result.stdout + result.stderr, "stderr": ""})


class _Strict(AroundSession):
    async def execute(self, **stated: Any) -> Any:
        result = await super().execute(**stated)
        if "\ufffd" in result.stdout:
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
        return result


@defect("CODE-TEXT-DECODED")
class DecodesStrictly(Runner):
    """Raises where the output is not valid."""

    around = _Strict


@defect("CODE-TEXT-DECODED")
class DecodesInTheLocalesEncoding(Runner):
    """Takes the output for ASCII."""

    around = changing(lambda result: {"stdout": result.stdout.encode().decode("ascii", "replace")})


class _Checking(AroundSession):
    async def execute(self, **stated: Any) -> Any:
        result = await super().execute(**stated)
        if not result.ok:
            raise subprocess.CalledProcessError(result.exit_code, "python3")
        return result


@defect("CODE-NONZERO-IS-RESULT")
class RaisesForAnErrorExit(Runner):
    """Calls the interpreter with check=True."""

    around = _Checking


@defect("CODE-OK-MEANS-ZERO")
class IsAlwaysOk(Runner):
    """Says ok whenever the process could be started."""

    around = changing(lambda result: {"ok": True})


@defect("CODE-EXIT-CODE")
class ReportsEveryFailureAsOne(Runner):
    """Knows two exit codes."""

    around = changing(lambda result: {"exit_code": 0 if result.ok else 1})


class _OwnKill(AroundSession):
    async def execute(self, *, timeout_ms: int | None = None, **stated: Any) -> Any:
        result = await super().execute(timeout_ms=timeout_ms, **stated)
        if result.exit_code is not None and result.exit_code < 0:
            raise CodeTimeoutError(timeout_ms or 30_000)
        return result


@defect("CODE-CRASH-IS-RESULT")
class TakesEverySignalForItsOwnKill(Runner):
    """Reports a crash as a timeout."""

    around = _OwnKill


@defect("CODE-NO-INVENTED-OUTPUT")
class ExplainsTheFailureInStderr(Runner):
    """Fills an empty standard error with words of its own."""

    around = changing(
        lambda result: {"stderr": result.stderr or ("" if result.ok else f"Command failed: {result.exit_code}")}
    )
