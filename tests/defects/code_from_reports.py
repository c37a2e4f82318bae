"""Runners with bugs that were reported of real sandboxes, where no other defect is like them."""

from __future__ import annotations

import re
from typing import Any

from portproof_defects._runners import AroundSession, Runner, changing

from agentports.ports import CodeResult
from agentports.runners import LocalCodeRunner, ManagedCodeRunner
from portproof.selftest import defect


@defect("CODE-OK-MEANS-ZERO")
class LosesTheStatusOfLongOutput(Runner):
    """Keeps the exit status behind the output, and cuts it off with the rest."""

    around = changing(lambda result: {} if result.truncated is None else {"ok": True, "exit_code": 0})


@defect("CODE-TRUNC-STATED")
class IgnoresTheLimit(LocalCodeRunner):
    """Accepts a limit of the output, and hands on whatever there is."""

    def __init__(self, *, max_output_chars: int = 8000) -> None:
        super().__init__(max_output_chars=10_000_000)


@defect("CODE-CRASH-IS-RESULT")
class TakesACrashForSuccess(Runner):
    """Warns of a dead interpreter in a log, and goes on."""

    around = changing(lambda result: {"ok": True, "exit_code": 0} if (result.exit_code or 0) < 0 else {})


class _Exited(AroundSession):
    gone = False

    async def execute(self, *, code: str, **stated: Any) -> Any:
        if self.gone:
            return CodeResult(ok=False)
        self.gone = "exit(" in code
        return await super().execute(code=code, **stated)


@defect("CODE-USABLE-AFTER-FAILURE")
class IsDeadAfterAnExit(Runner):
    """Runs code in the shell that reads it: code that exits takes the session along, and later calls say nothing."""

    around = _Exited


_ASSIGNMENT = re.compile(r"\w+ = .*")


@defect("CODE-KEY-ISOLATES")
class HasOneInterpreter(LocalCodeRunner):
    """Keeps the variables of every session in one place, as under a default session id."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[str] = []

    async def start(self, **stated: Any) -> Any:
        kept = self._kept

        class Sharing(AroundSession):
            async def execute(self, *, code: str, **stated: Any) -> Any:
                if _ASSIGNMENT.fullmatch(code):
                    kept.append(code)
                return await super().execute(code="\n".join([*kept, code]), **stated)

        return Sharing(await super().start(**stated))


class _Forgetful(AroundSession):
    forgotten = False

    async def stop(self) -> None:
        if not self.forgotten:
            self.forgotten = True
            await self.inner.stop()


@defect("CODE-STOP-OTHER-ERRORS")
class ForgetsTheSessionBeforeItIsGone(ManagedCodeRunner):
    """Raises when the service cannot stop a session, and then takes it for stopped."""

    async def start(self, **stated: Any) -> Any:
        return _Forgetful(await super().start(**stated))


@defect("CODE-KEY-ISOLATES")
class KeepsTheCurrentSession(LocalCodeRunner):
    """Keeps the session that was opened last in one variable, and every handle leads to it."""

    async def start(self, **stated: Any) -> Any:
        runner, session = self, await super().start(**stated)
        runner._current = session

        class Handle(AroundSession):
            async def execute(self, **code: Any) -> Any:
                return await runner._current.execute(**code)

            async def stage_inputs(self, inputs: Any) -> Any:
                return await runner._current.stage_inputs(inputs)

        return Handle(session)
