"""Locks that keep the contract, with leases in files and in a database that is worked on in threads."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

__all__ = ["FileLocks", "ThreadedLocks"]

_UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}


def _ms(duration: Any) -> int:
    if not isinstance(duration, str):
        return int(duration)
    unit = next(unit for unit in _UNITS if duration.endswith(unit))
    return round(float(duration.removesuffix(unit)) * _UNITS[unit])


class Claim:
    """A lock over two functions: one that changes who holds a key, in one step, and one that tells it."""

    def __init__(self, home: Any, key: str, owner: str, ttl: int | None) -> None:
        self._home, self._key, self._owner, self._ttl = home, key, owner, ttl
        self._known = ""

    async def acquire(self, retry: Any = None) -> bool:
        delay, made = 0.0 if retry is None or retry.delay is None else _ms(retry.delay) / 1000, 0
        began = self._home.now()
        while not await self.acquire_immediately():
            made += 1
            over = retry is None or (retry.attempts is None and retry.timeout is None)
            over = over or (retry.attempts is not None and made >= retry.attempts)
            # One that would come too late is not waited for.
            if over or (retry.timeout is not None and self._home.now() + delay * 1000 > began + _ms(retry.timeout)):
                return False
            await self._home.sleep(delay)
        return True

    async def acquire_immediately(self) -> bool:
        return await self._changed("take", self._ttl)

    async def release(self) -> None:
        await self._changed("drop", None)

    async def extend(self, duration: Any = None) -> None:
        await self._changed("extend", self._ttl if duration is None else _ms(duration))

    async def run(self, fn: Any) -> tuple[bool, Any]:
        if not await self.acquire_immediately():
            return False, None
        try:
            return True, await fn()
        finally:
            await asyncio.shield(self.release())

    async def get_remaining_time(self) -> float:
        owner, until = await self._home.look(self._key)
        self._known = owner
        if owner != self._owner:
            return 0
        return float("inf") if until is None else until - self._home.now()

    async def is_locked(self) -> bool:
        self._known = (await self._home.look(self._key))[0]
        return self._known != ""

    def get_owner(self) -> str:
        return self._known

    def serialize(self) -> str:
        return json.dumps([self._key, self._owner, self._ttl])

    async def _changed(self, how: str, ttl: int | None) -> bool:
        self._known = await self._home.change(how, self._key, self._owner, ttl)
        return self._known == self._owner


class _Home:
    clock: Callable[[], float]

    def create_lock(self, key: str, ttl: Any = None) -> Claim:
        return Claim(self, key, uuid4().hex, None if ttl is None else _ms(ttl))

    def restore_lock(self, serialized: str) -> Claim:
        key, owner, ttl = json.loads(serialized)
        claim = Claim(self, key, owner, ttl)
        claim._known = owner
        return claim

    def now(self) -> int:
        """Whole milliseconds."""
        return int(self.clock() * 1000)

    def decided(self, how: str, held: str, owner: str) -> bool:
        """Whether the change is to be made, given who holds the lease."""
        return held in ("", owner) if how == "take" else held == owner


class FileLocks(_Home):
    """A file a key, changed while a second one is there. Blocks the loop for as long as a disk takes."""

    def __init__(self, tmp_path: Path, clock: Any, sleep: Any) -> None:
        self.folder, self.clock, self.sleep = tmp_path, clock, sleep

    async def look(self, key: str) -> tuple[str, int | None]:
        return self._read(self._file(key))

    async def change(self, how: str, key: str, owner: str, ttl: int | None) -> str:
        file = self._file(key)
        guard = file.with_suffix(".guard")
        while True:
            try:
                os.close(os.open(guard, os.O_CREAT | os.O_EXCL))
                break
            except FileExistsError:
                await asyncio.sleep(0.001)
        try:
            held, _ = self._read(file)
            if not self.decided(how, held, owner):
                return held
            if how == "drop":
                file.unlink()
                return ""
            file.write_text(json.dumps([owner, None if ttl is None else self.now() + ttl]))
            return owner
        finally:
            guard.unlink()

    def _read(self, file: Path) -> tuple[str, int | None]:
        with suppress(FileNotFoundError):
            owner, until = json.loads(file.read_text())
            if until is None or until > self.now():
                return owner, until
        return "", None

    def _file(self, key: str) -> Path:
        return self.folder / f"{hashlib.sha1(key.encode()).hexdigest()}.lease"


class ThreadedLocks(_Home):
    """A database that is opened for each call, in whatever thread is free."""

    def __init__(self, tmp_path: Path, clock: Any, sleep: Any = asyncio.sleep) -> None:
        self.file, self.clock, self.sleep = tmp_path / "leases.sqlite", clock, sleep
        with closing(sqlite3.connect(self.file)) as database, database:
            database.execute("CREATE TABLE IF NOT EXISTS leases (key TEXT PRIMARY KEY, owner TEXT, until INTEGER)")

    async def look(self, key: str) -> tuple[str, int | None]:
        return await asyncio.to_thread(self._on_file, lambda database: self._held(database, key))

    async def change(self, how: str, key: str, owner: str, ttl: int | None) -> str:
        def changed(database: sqlite3.Connection) -> str:
            held, _ = self._held(database, key)
            if not self.decided(how, held, owner):
                return held
            database.execute("DELETE FROM leases WHERE key = ?", [key])
            if how == "drop":
                return ""
            until = None if ttl is None else self.now() + ttl
            database.execute("INSERT INTO leases VALUES (?, ?, ?)", [key, owner, until])
            return owner

        return await asyncio.to_thread(self._on_file, changed)

    def _on_file(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        with closing(sqlite3.connect(self.file, timeout=30, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            result = work(database)
            database.execute("COMMIT")
            return result

    def _held(self, database: sqlite3.Connection, key: str) -> tuple[str, int | None]:
        row = database.execute("SELECT owner, until FROM leases WHERE key = ?", [key]).fetchone()
        return ("", None) if row is None or (row[1] is not None and row[1] <= self.now()) else row
