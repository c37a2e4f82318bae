"""Sessions that end too early, too late, or take others with them."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from portproof_defects._runners import AroundSession, Runner

from agentports.ports import SessionStoppedError
from agentports.runners import LocalCodeRunner
from portproof.selftest import defect


@defect("CODE-ID")
class HasAFreshIdOnEachAccess(LocalCodeRunner):
    """Names itself anew whenever it is asked."""

    id = property(lambda self: uuid4().hex)  # type: ignore[assignment]


class _Constant(AroundSession):
    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.id = "session"


@defect("CODE-SESSION-ID")
class CallsEverySessionTheSame(Runner):
    """Has one id for all."""

    around = _Constant


class _Once(AroundSession):
    served = False

    async def execute(self, **stated: Any) -> Any:
        if self.served:
            raise SessionStoppedError(self.id)
        self.served = True
        return await super().execute(**stated)


@defect("CODE-START-EXECUTE-STOP")
class ClosesAfterTheFirstExecute(Runner):
    """Serves once."""

    around = _Once


class _Buffering(AroundSession):
    out = ""

    async def execute(self, **stated: Any) -> Any:
        self.out = ""
        result = await super().execute(**stated)
        self.out += result.stdout
        await asyncio.sleep(0.3)
        return result.model_copy(update={"stdout": self.out})


@defect("CODE-CONCURRENT-CALLS")
class HasOneBufferASession(Runner):
    """Gathers the output of all calls in one place."""

    around = _Buffering


class _Twice(AroundSession):
    stops = 0

    async def stop(self) -> None:
        self.stops += 1
        if self.stops > 1:
            raise LookupError("no such session")
        await super().stop()


@defect("CODE-STOP-IDEMPOTENT")
class KnowsNoStoppedSession(Runner):
    """Raises at the second stop."""

    around = _Twice


@defect("CODE-STOP-REFUSES-EXECUTE")
class ReopensWhenItIsUsed(LocalCodeRunner):
    """Opens a new session behind a stopped one."""

    async def start(self, **stated: Any) -> Any:
        opening = super().start

        class Reopening(AroundSession):
            async def execute(self, **code: Any) -> Any:
                try:
                    return await super().execute(**code)
                except SessionStoppedError:
                    again = await opening(**stated)
                    try:
                        return await again.execute(**code)
                    finally:
                        await again.stop()

        return Reopening(await opening(**stated))


@defect("CODE-STOP-ONLY-ITS-OWN")
class StopsEverySession(LocalCodeRunner):
    """Closes what all sessions share."""

    def __init__(self) -> None:
        super().__init__()
        self._opened: list[Any] = []

    async def start(self, **stated: Any) -> Any:
        opened = self._opened

        class Sharing(AroundSession):
            async def stop(self) -> None:
                for session in opened:
                    await session.stop()

        session = Sharing(await super().start(**stated))
        opened.append(session.inner)
        return session


class _Patient(AroundSession):
    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self._idle = asyncio.Event()
        self._idle.set()

    async def execute(self, **stated: Any) -> Any:
        self._idle.clear()
        try:
            return await super().execute(**stated)
        finally:
            self._idle.set()

    async def stop(self) -> None:
        await self._idle.wait()
        await super().stop()


@defect("CODE-STOP-DURING-EXECUTE")
class WaitsForTheCode(Runner):
    """Stops when the code has ended, if it ever does."""

    around = _Patient
