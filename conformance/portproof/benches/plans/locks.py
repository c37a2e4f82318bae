"""The bench of the port plan-lock: locks of factories that share their leases."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import uuid4

from agentports.ports.plans import LockDuration
from portproof.benches.checker import owed
from portproof.benches.plans.hand_moved import HandMovedTime
from portproof.benches.plans.lock_calls import LockCalls
from portproof.benches.real_time import RealTimeBench
from portproof.running.outcome import CheckFunction, expect
from portproof.running.plain import plain
from portproof.subjects.looking import closed, common_supply
from portproof.subjects.places import Place
from portproof.subjects.subject import Subject
from portproof.subjects.supply import Built, build

__all__ = ["LockBench"]

_CLEANING_S = 2.0


class LockBench(RealTimeBench):
    """Makes locks. The examples of a check share the factories, and each has keys of its own."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        super().__init__(subject, deadline)
        #: The time of the subject, where it takes a clock.
        self.time = HandMovedTime()
        self._place = Place(subject.options)
        self._factories: list[Built] = []
        self._run = uuid4().hex[:6]
        self._example = 0
        self._made: list[LockCalls] = []

    # ---- what checks use

    def key(self, text: str = "plan") -> str:
        """The key in this example, so that it meets no lease of another one."""
        head, word, tail = text.partition("plan")
        return f"{head}{word}~{self._run}{self._example}{tail}"

    def lock(self, key: str = "plan", ttl: LockDuration | None = None, at: int = 0) -> LockCalls:
        """A lock of the factory of this number, of which there may be one or two."""
        create = self._factory(at).create_lock
        with owed("create_lock"):
            raw = create(self.key(key)) if ttl is None else create(self.key(key), ttl=ttl)
        return self._kept("create_lock", raw)

    def locks(self, key: str = "plan", ttl: LockDuration | None = None) -> list[LockCalls]:
        """A further lock of each factory."""
        return [self.lock(key, ttl, at) for at in range(len(self._factories))]

    async def held(self, key: str = "plan", ttl: LockDuration | None = None, at: int = 0) -> LockCalls:
        """A lock that has taken the lease. Raises a `Violation` when it does not get it."""
        lock = self.lock(key, ttl, at)
        expect(await lock.take(), "acquire_immediately of a lease that is free gives false")
        return lock

    def restored(self, serialized: str) -> list[LockCalls]:
        """The lock that was serialised, of each factory."""
        found = []
        for built in self._factories:
            with owed("restore_lock"):
                raw = built.value.restore_lock(serialized)
            found.append(self._kept("restore_lock", raw))
        return found

    # ---- what the runner uses

    def supply(self) -> Mapping[str, Any]:
        time = {"clock": self.time.clock, "sleep": self.time.sleep}
        common = common_supply(self.subject, self._time) | time | dict(self.subject.options)
        return common | self._place.supply()

    def renew(self) -> None:
        super().renew()
        self._place = Place(self.subject.options)
        self.time = HandMovedTime()

    def close(self) -> None:
        super().close()
        self._place.close()

    async def example(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        if not self._factories:
            await self._build()
        self._example += 1
        try:
            await super().example(check, drawn)
        finally:
            made, self._made = self._made, []
            with suppress(Exception):
                await asyncio.wait_for(_freed(made), _CLEANING_S)

    async def dismantle(self) -> None:
        self._built = None
        factories, self._factories = self._factories, []
        for built in factories if self.subject.parameters is not None else ():
            with suppress(Exception):
                await closed(built.value)
            with suppress(Exception):
                await built.exit.aclose()

    async def _build(self) -> None:
        target, parameters = self.subject.target, self.subject.parameters
        self._built = await build(target, parameters, self.supply())
        self._factories.append(self._built)
        if self._shares():
            with owed("building a second factory over the same place"):
                self._factories.append(await build(target, parameters, self.supply()))

    def _shares(self) -> bool:
        """Whether a second factory has the leases of the first."""
        return self.subject.takes("tmp_path") or (self.subject.takes("dsn") and "dsn" in self.subject.options)

    def _factory(self, at: int) -> Any:
        return self._factories[at % len(self._factories)].value

    def _kept(self, what: str, raw: Any) -> LockCalls:
        if inspect.iscoroutine(raw):
            raw.close()
        expect(callable(getattr(raw, "acquire", None)), f"{what} gives no lock from a plain call", got=plain(raw))
        lock = LockCalls(raw, self.time)
        self._made.append(lock)
        return lock


async def _freed(locks: list[LockCalls]) -> None:
    """Leave nothing behind where leases outlive the run."""
    for lock in locks:
        if lock.took:
            with suppress(Exception):
                await lock.release()
