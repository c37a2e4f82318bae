"""Locks that keep the contract and are built otherwise than the reference: none may be failed."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from .locks_elsewhere import FileLocks, ThreadedLocks

__all__ = ["CORRECT"]

_UNITS = {"ms": 1.0, "s": 1e3, "m": 6e4, "h": 3.6e6}


def seconds(duration: Any) -> float:
    """Of any duration."""
    if isinstance(duration, str):
        number = duration.rstrip("msh")
        return float(number) * _UNITS[duration[len(number) :]] / 1000
    return float(duration) / 1000


@dataclass
class Slot:
    """One key: who has it, until when, and who waits for news."""

    owner: str | None = None
    until: float = 0.0
    news: asyncio.Event = field(default_factory=asyncio.Event)


class SlotLocks:
    """Slots in a dictionary; who waits is woken by a release. Without a ttl a lease lasts a day."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, sleep: Any = asyncio.sleep) -> None:
        self.clock, self.sleep = clock, sleep
        self.slots: dict[str, Slot] = {}
        self.numbers = count(1)

    def create_lock(self, key: str, ttl: Any = None) -> SlotLock:
        return SlotLock(self, key, f"owner-{next(self.numbers)}", 86_400.0 if ttl is None else seconds(ttl))

    def restore_lock(self, serialized: str) -> SlotLock:
        key, owner, ttl = base64.b64decode(serialized).decode().split("\0")
        return SlotLock(self, key, owner, float(ttl))


class SlotLock:
    """Says who holds the lease as the slot has it, at any time."""

    def __init__(self, home: SlotLocks, key: str, owner: str, ttl: float) -> None:
        self.home, self.key, self.owner, self.ttl = home, key, owner, ttl

    @property
    def slot(self) -> Slot:
        """Emptied when it has lapsed."""
        slot = self.home.slots.setdefault(self.key, Slot())
        if slot.owner is not None and slot.until <= self.home.clock():
            slot.owner = None
        return slot

    async def acquire(self, retry: Any = None) -> bool:
        attempts = (retry and retry.attempts) or (10**6 if retry and retry.timeout is not None else 1)
        delay = seconds(retry.delay) if retry and retry.delay is not None else 0.1
        until = self.home.clock() + (seconds(retry.timeout) if retry and retry.timeout is not None else 1e9)
        for attempt in range(attempts):
            if await self.acquire_immediately():
                return True
            if attempt + 1 == attempts or self.home.clock() >= until:
                break
            await self.until_news_or(delay)
        return False

    async def until_news_or(self, delay: float) -> None:
        """Whichever is first."""
        self.slot.news.clear()
        waits = {asyncio.ensure_future(self.home.sleep(delay)), asyncio.ensure_future(self.slot.news.wait())}
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    async def acquire_immediately(self) -> bool:
        """False for the holder too: it has it already."""
        slot = self.slot
        if slot.owner is not None:
            return False
        slot.owner, slot.until = self.owner, self.home.clock() + self.ttl
        return True

    async def release(self) -> None:
        if self.slot.owner == self.owner:
            self.slot.owner = None
            self.slot.news.set()

    async def run(self, fn: Any) -> Any:
        """In a task of its own."""
        if self.slot.owner != self.owner and not await self.acquire_immediately():
            return [False, None]
        try:
            return [True, await asyncio.ensure_future(fn())]
        finally:
            await self.release()

    async def extend(self, duration: Any = None) -> None:
        if self.slot.owner == self.owner:
            self.slot.until = self.home.clock() + (self.ttl if duration is None else seconds(duration))

    async def get_remaining_time(self) -> float:
        """Negative where there is none."""
        return (self.slot.until - self.home.clock()) * 1000 if self.slot.owner == self.owner else -1

    async def is_locked(self) -> bool:
        return self.slot.owner is not None

    def get_owner(self) -> str:
        return self.slot.owner or ""

    def serialize(self) -> str:
        return base64.b64encode(f"{self.key}\0{self.owner}\0{self.ttl}".encode()).decode()


class LateNewsLocks(SlotLocks):
    """Locks that remember what they saw last, and so call themselves owner until they look again."""

    def create_lock(self, key: str, ttl: Any = None) -> SlotLock:
        return LateNewsLock(self, key, f"owner-{next(self.numbers)}", 86_400.0 if ttl is None else seconds(ttl))

    def restore_lock(self, serialized: str) -> SlotLock:
        plain = super().restore_lock(serialized)
        lock = LateNewsLock(self, plain.key, plain.owner, plain.ttl)
        lock.seen = lock.owner
        return lock


class LateNewsLock(SlotLock):
    """Its release says nothing of who holds the lease; whole milliseconds remain."""

    seen = ""

    async def acquire_immediately(self) -> bool:
        took = await super().acquire_immediately()
        self.seen = self.owner if took else self.seen
        return took

    async def is_locked(self) -> bool:
        self.seen = self.slot.owner or ""
        return bool(self.seen)

    async def get_remaining_time(self) -> float:
        return int(max(0, await super().get_remaining_time()))

    def get_owner(self) -> str:
        return self.seen


class WholeSecondLocks(SlotLocks):
    """Leases end with a second, and a wait is made of short ones."""

    def create_lock(self, key: str, ttl: Any = None) -> SlotLock:
        return WholeSecondLock(self, key, f"{key}#{next(self.numbers)}", 86_400.0 if ttl is None else seconds(ttl))

    def restore_lock(self, serialized: str) -> SlotLock:
        plain = super().restore_lock(serialized)
        return WholeSecondLock(self, plain.key, plain.owner, plain.ttl)


class WholeSecondLock(SlotLock):
    """Frees the lease behind the back of a run that was cancelled."""

    async def acquire_immediately(self) -> bool:
        took = await super().acquire_immediately()
        if took:
            self.slot.until = float(int(self.slot.until))
        return took

    async def until_news_or(self, delay: float) -> None:
        for _ in range(10):
            await self.home.sleep(delay / 10)

    async def run(self, fn: Any) -> Any:
        if not await self.acquire_immediately():
            return False, None
        try:
            result = await fn()
        except asyncio.CancelledError:
            self.later = asyncio.ensure_future(self.release())
            raise
        except BaseException:
            await self.release()
            raise
        await self.release()
        return True, result


async def made_later(clock: Any, sleep: Any) -> SlotLocks:
    """An asynchronous factory."""
    await asyncio.sleep(0)
    return SlotLocks(clock, sleep)


@asynccontextmanager
async def opened(clock: Any) -> AsyncIterator[SlotLocks]:
    """A factory within a context, with waits of its own."""
    yield SlotLocks(clock)


#: By name.
CORRECT: dict[str, Any] = {
    "slots": SlotLocks,
    "late news": LateNewsLocks,
    "whole seconds": WholeSecondLocks,
    "made later": made_later,
    "within a context": opened,
    "own time": lambda: SlotLocks(),
    "files": FileLocks,
    "threads": ThreadedLocks,
    "an instance": SlotLocks(),
}
