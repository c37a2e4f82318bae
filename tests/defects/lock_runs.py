"""Locks that run what they should not, or keep the lease after it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from portproof.selftest import defect

from ._locks import AnyLock, Locks


@defect("LCK-RUN-EXECUTES")
class GivesTheBareResult(Locks):
    """run gives what fn gave."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            return (await super().run(fn))[1]


@defect("LCK-RUN-EXECUTES")
class TakesAnEmptyResultForNone(Locks):
    """run says that it did not run when fn gave nothing."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            _, result = await super().run(fn)
            return (bool(result), result or None)


@defect("LCK-RUN-EXECUTES")
class LetsGoBeforeItRuns(Locks):
    """The lease is held while it is looked at, and free while fn runs."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            if not await self.acquire_immediately():
                return False, None
            await self.release()
            return True, await fn()


@defect("LCK-RUN-BUSY")
class WaitsAndThenRuns(Locks):
    """run waits until the lease is free."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            await self.acquire({"timeout": "1h"})
            return await super().run(fn)


@defect("LCK-RUN-BUSY")
class RunsAnyway(Locks):
    """run says whether it held the lease, and calls fn either way."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            ran, result = await super().run(fn)
            if not ran:
                await fn()
            return ran, result


@defect("LCK-RUN-BUSY")
class RaisesWhenBusy(Locks):
    """run of a lease held elsewhere raises."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            ran, result = await super().run(fn)
            if not ran:
                raise BlockingIOError("the plan is running elsewhere")
            return ran, result


@defect("LCK-RUN-RELEASES")
class ReleasesOnSuccessOnly(Locks):
    """What fn raises leaves the lease taken."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            if not await self.acquire_immediately():
                return False, None
            result = await fn()
            await self.release()
            return True, result


@defect("LCK-RUN-RELEASES")
class ForgetsCancellation(Locks):
    """Only exceptions that are errors free the lease."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            if not await self.acquire_immediately():
                return False, None
            try:
                result = await fn()
            except Exception:
                await self.release()
                raise
            await self.release()
            return True, result


@defect("LCK-RUN-RELEASES")
class WrapsWhatIsRaised(Locks):
    """What fn raises comes as another exception."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            try:
                return await super().run(fn)
            except Exception as error:
                raise RuntimeError("the run failed") from error


@defect("LCK-RUN-RELEASES")
class AbsorbsCancellation(Locks):
    """A cancelled run ends as if it were none."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            with contextlib.suppress(asyncio.CancelledError):
                return await super().run(fn)
            return True, None


@defect("LCK-RUN-RELEASES")
class KeepsTheLeaseUntilItLapses(Locks):
    """run leaves the lease to its ttl."""

    class Lock(AnyLock):
        async def run(self, fn: Any) -> Any:
            return (True, await fn()) if await self.acquire_immediately() else (False, None)
