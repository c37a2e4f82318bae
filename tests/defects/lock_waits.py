"""Locks that wait too long, too short, or with an exception at the end."""

from __future__ import annotations

from typing import Any

from agentports.ports.plans import LockRetry
from portproof.selftest import defect

from ._locks import AnyLock, Locks


def _without(retry: Any, name: str) -> LockRetry:
    changed = LockRetry.model_validate({} if retry is None else retry).model_copy(update={name: None})
    forever = changed.attempts is None and changed.timeout is None
    return changed.model_copy(update={"attempts": 10**9}) if forever else changed


@defect("LCK-ACQUIRE-BOUNDED")
class IgnoresAttempts(Locks):
    """acquire tries until the timeout."""

    class Lock(AnyLock):
        async def acquire(self, retry: Any = None) -> bool:
            return await super().acquire(_without(retry, "attempts"))


@defect("LCK-ACQUIRE-BOUNDED")
class IgnoresTheTimeout(Locks):
    """acquire makes all its attempts."""

    class Lock(AnyLock):
        async def acquire(self, retry: Any = None) -> bool:
            return await super().acquire(_without(retry, "timeout"))


@defect("LCK-ACQUIRE-BOUNDED")
class RaisesAtTheEnd(Locks):
    """acquire raises when it has waited in vain."""

    class Lock(AnyLock):
        async def acquire(self, retry: Any = None) -> bool:
            if not await super().acquire(retry):
                raise TimeoutError("the lease was not to be had")
            return True


@defect("LCK-ACQUIRE-BOUNDED")
class SleepsMilliseconds(Locks):
    """The delay is slept for in the wrong unit."""

    def __init__(self, clock: Any, sleep: Any) -> None:
        super().__init__(clock, lambda seconds: sleep(seconds * 1000))


@defect("LCK-ACQUIRE-BOUNDED")
class TriesOnce(Locks):
    """acquire is acquire_immediately."""

    class Lock(AnyLock):
        async def acquire(self, retry: Any = None) -> bool:
            return await self.acquire_immediately()


@defect("LCK-ACQUIRE-BOUNDED")
class WaitsAfterTheLastTry(Locks):
    """After the last attempt the delay is waited for once more."""

    class Lock(AnyLock):
        async def acquire(self, retry: Any = None) -> bool:
            took = await super().acquire(retry)
            if not took:
                await self._sleep(0.3)
            return took


@defect("LCK-ACQUIRE-BOUNDED")
class TriesAllAtOnce(Locks):
    """There is no delay between the attempts."""

    def __init__(self, clock: Any, sleep: Any) -> None:
        super().__init__(clock, sleep)

    class Lock(AnyLock):
        async def acquire(self, retry: Any = None) -> bool:
            asked = LockRetry.model_validate({} if retry is None else retry)
            return any([await self.acquire_immediately() for _ in range(asked.attempts or 10)])
