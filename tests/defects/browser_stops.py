"""Sessions that end twice, not at all, or come back."""

from __future__ import annotations

from typing import Any

from portproof_defects._browsers import Around, Runner

from agentports.ports import ServiceError, SessionStoppedError
from portproof.selftest import defect


class _Twice(Around):
    stops = 0

    async def stop(self) -> None:
        self.stops += 1
        if self.stops > 1:
            raise LookupError("no such session")
        await self.inner.stop()


@defect("BRW-STOP-IDEMPOTENT")
class KnowsNoStoppedSession(Runner):
    """Raises at the second stop."""

    around = _Twice


class _Unlocked(Around):
    done = False

    async def stop(self) -> None:
        if not self.done:
            await self.inner._screen._backend.close(self.inner.id)
            self.done = True
        await self.inner.stop()


@defect("BRW-STOP-IDEMPOTENT")
class ClosesTwiceAtOnce(Runner):
    """Notes that it has closed when it has, and raises what the second of two concurrent stops is told."""

    around = _Unlocked


class _Strict(Around):
    async def close(self, handle: str) -> None:
        try:
            await self.inner.close(handle)
        except ServiceError as error:
            raise RuntimeError("the browser could not be closed") from error


@defect("BRW-STOP-ALREADY-GONE")
class RaisesWhenThereIsNothingToStop(Runner):
    """Passes on that the service does not find the browser any more."""

    through = _Strict


class _KnowsOneName(Around):
    async def close(self, handle: str) -> None:
        try:
            await self.inner.close(handle)
        except ServiceError as error:
            if error.name != "not_found":
                raise RuntimeError("the browser could not be closed") from error


@defect("BRW-STOP-ALREADY-GONE")
class KnowsOneNameForGone(Runner):
    """Raises when the service says already_terminated."""

    through = _KnowsOneName


class _Careless(Around):
    async def stop(self) -> None:
        try:
            await self.inner.stop()
        except ServiceError:
            return


@defect("BRW-STOP-OTHER-ERRORS")
class SwallowsEveryFailureOfStop(Runner):
    """Says that the browser is closed, whatever the service says."""

    around = _Careless


@defect("BRW-AFTER-STOP")
class ReopensWhenItIsUsed(Runner):
    """Opens a new browser behind a stopped session."""

    async def start(self, **stated: Any) -> Any:
        opening = super().start

        class Reopening(Around):
            async def type(self, text: str) -> None:
                try:
                    await self.inner.type(text)
                except SessionStoppedError:
                    self.inner = await opening(**stated)
                    await self.inner.type(text)

        return Reopening(await opening(**stated))


class _Alive(Around):
    async def close(self, handle: str) -> None:
        """Leave it to the service's time limit."""


@defect("BRW-AFTER-STOP")
class LeavesTheBrowserOpen(Runner):
    """Forgets the session, and closes nothing."""

    through = _Alive
