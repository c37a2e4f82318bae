"""Runners that do not end what should end, or call it something else."""

from __future__ import annotations

import asyncio
import os
import signal as signals
import sys
from contextlib import suppress
from typing import Any

from portproof_defects._runners import AroundSession, Runner

from agentports.ports import (
    CodeResult,
    CodeTimeoutError,
    InterpreterMissingError,
    SessionStoppedError,
)
from portproof.selftest import defect


class _Plain(AroundSession):
    """Runs code in a child process of its own, without the care of the reference. Override what shall go wrong."""

    group = True

    async def execute(
        self, *, code: str, timeout_ms: int | None = None, signal: Any = None, language: str | None = None
    ) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            code,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,
        )
        limit = 20_000 if timeout_ms is None else timeout_ms
        aborted = asyncio.ensure_future(signal.wait() if signal is not None else asyncio.Event().wait())
        talking = asyncio.ensure_future(process.communicate())
        try:
            await asyncio.wait({talking, aborted}, timeout=limit / 1000, return_when=asyncio.FIRST_COMPLETED)
            if talking.done():
                out, err = talking.result()
                return CodeResult(ok=process.returncode == 0, stdout=out.decode(), stderr=err.decode())
            if aborted.done():
                return self.on_abort(signal, process)
            return self.on_timeout(limit, process)
        except asyncio.CancelledError:
            self.on_cancel(process)
            raise
        finally:
            aborted.cancel()
            if process.returncode is not None:
                await talking
            else:
                talking.cancel()

    def kill(self, process: Any) -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signals.SIGKILL)

    def on_timeout(self, limit: int, process: Any) -> Any:
        self.kill(process)
        raise CodeTimeoutError(limit)

    def on_abort(self, signal: Any, process: Any) -> Any:
        self.kill(process)
        signal.raise_if_aborted()

    def on_cancel(self, process: Any) -> None:
        self.kill(process)


def plain(**parts: Any) -> type[_Plain]:
    """The session with some of its parts replaced."""
    return type("Plain", (_Plain,), parts)


def _give_up(self: _Plain, limit: int, process: Any) -> Any:
    raise CodeTimeoutError(limit)


def _empty_result(self: _Plain, limit: int, process: Any) -> Any:
    self.kill(process)
    return CodeResult(ok=True)


def _unnamed(self: _Plain, limit: int, process: Any) -> Any:
    self.kill(process)
    raise TimeoutError("the code took too long")


def _only_the_child(self: _Plain, process: Any) -> None:
    process.kill()


@defect("CODE-TIMEOUT-RAISES")
class ReturnsAnEmptyResultAtTheLimit(Runner):
    """Takes code that was killed for code that printed nothing."""

    around = plain(on_timeout=_empty_result)


@defect("CODE-TIMEOUT-RAISES")
class DoesNotNameTheLimit(Runner):
    """Says that it took too long, and not how long it might."""

    around = plain(on_timeout=_unnamed)


@defect("CODE-TIMEOUT-KILLS")
class GivesUpWaiting(Runner):
    """Raises at the limit, and lets the process live on."""

    around = plain(on_timeout=_give_up)


@defect("CODE-TIMEOUT-KILLS-CHILDREN")
class KillsTheDirectChildOnly(Runner):
    """Leaves what the code started."""

    around = plain(kill=_only_the_child)


class _Deaf(AroundSession):
    async def execute(self, *, timeout_ms: int | None = None, **stated: Any) -> Any:
        return await super().execute(**stated)


@defect("CODE-TIMEOUT-PER-CALL")
class IgnoresTheCallsTimeout(Runner):
    """Has one limit for all calls."""

    around = _Deaf


class _Unmoved(AroundSession):
    async def execute(self, *, signal: Any = None, **stated: Any) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        return await super().execute(**stated)


@defect("CODE-ABORT-RAISES")
class IgnoresTheSignal(Runner):
    """Accepts a signal and does not look at it again."""

    around = _Unmoved


def _raise_and_leave(self: _Plain, signal: Any, process: Any) -> Any:
    signal.raise_if_aborted()


@defect("CODE-ABORT-RAISES")
class RaisesAndLetsTheCodeRun(Runner):
    """Gives up waiting at an abort."""

    around = plain(on_abort=_raise_and_leave)


def _missing(self: _Plain, signal: Any, process: Any) -> Any:
    self.kill(process)
    raise InterpreterMissingError("python3", "it left no exit code")


@defect("CODE-ABORT-NOT-MISLABELLED")
class TakesAnAbortForAMissingInterpreter(Runner):
    """Takes every end without an exit code for one thing."""

    around = plain(on_abort=_missing)


class _LookingLate(AroundSession):
    async def execute(self, *, signal: Any = None, **stated: Any) -> Any:
        result = await super().execute(**stated)
        if signal is not None:
            signal.raise_if_aborted()
        return result


@defect("CODE-ABORT-BEFORE")
class LooksAtTheSignalAfterwards(Runner):
    """Runs the code first."""

    around = _LookingLate


@defect("CODE-CANCEL-CLEANS")
class LeavesTheProcessAtACancellation(Runner):
    """Passes the cancellation on, and nothing else."""

    around = plain(on_cancel=lambda self, process: None)


@defect("CODE-START-ABORTED")
class StartsWithAnAbortedSignal(Runner):
    """Does not look at the signal of a start."""

    async def start(self, *, signal: Any = None, **stated: Any) -> Any:
        return await super().start(**stated)


class _Remembering(AroundSession):
    left = ""

    async def execute(self, *, code: str, **stated: Any) -> Any:
        try:
            result = await super().execute(code=code, **stated)
        except SessionStoppedError:
            raise
        except BaseException:
            self.left = "left over"
            raise
        said, self.left = self.left + result.stdout, ""
        return result.model_copy(update={"stdout": said})


@defect("CODE-USABLE-AFTER-FAILURE")
class ReturnsWhatAKilledCallLeft(Runner):
    """Gives the output of a killed call to the next one."""

    around = _Remembering
