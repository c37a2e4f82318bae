"""Leases are shared by whoever has the same place: factories, processes, and the plan store beside them."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from agentports.plans import SQLitePlanLocks
from agentports.plans.stores.sql import MIGRATIONS
from agentports.plans.stores.sqlite import SQLitePlanStore
from agentports.ports.plans import PlanStoreError

from .places import PLACES, place_named

_HOLDER = """
import asyncio, sys
from agentports.plans import SQLitePlanLocks

async def main():
    async with SQLitePlanLocks(sys.argv[1]) as locks:
        lock = locks.create_lock("plan", "1m")
        print(await lock.acquire(), lock.serialize(), sep="\\n", flush=True)
        sys.stdin.read()

asyncio.run(main())
"""


@pytest.mark.parametrize("name", PLACES)
def test_of_many_that_try_at_once_one_gets_the_lease(name: str, tmp_path: Path) -> None:
    """Of two factories, over several rounds."""

    async def main(first: object, second: object) -> None:
        for _ in range(5):
            locks = [locks.create_lock("plan") for locks in (first, second) * 4]  # type: ignore[attr-defined]
            won = await asyncio.gather(*(lock.acquire_immediately() for lock in locks))
            assert sum(won) == 1
            await locks[won.index(True)].release()
        await first.close()  # type: ignore[attr-defined]
        await second.close()  # type: ignore[attr-defined]

    with place_named(name, tmp_path) as make:
        asyncio.run(main(make(), make()))


@pytest.mark.parametrize("name", PLACES)
def test_a_lease_lapses_on_the_clock_of_its_place(name: str, tmp_path: Path) -> None:
    """Without a clock of the caller's."""

    async def main(first: object, second: object) -> None:
        former = first.create_lock("plan", "50ms")  # type: ignore[attr-defined]
        assert await former.acquire()
        successor = second.create_lock("plan")  # type: ignore[attr-defined]
        assert not await successor.acquire_immediately() or await former.get_remaining_time() <= 0
        assert await successor.acquire({"timeout": "10s", "delay": "20ms"})
        await former.release()
        await former.extend("1h")
        assert await former.get_remaining_time() == 0
        assert await successor.get_remaining_time() == float("inf")
        await first.close()  # type: ignore[attr-defined]
        await second.close()  # type: ignore[attr-defined]

    with place_named(name, tmp_path) as make:
        asyncio.run(main(make(), make()))


def test_two_processes_share_a_file(tmp_path: Path) -> None:
    """One is kept out while the other lives, takes over its lease, and another one when that has lapsed."""
    file = tmp_path / "plans.db"
    child = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    async def main() -> None:
        assert child.stdout is not None
        assert child.stdout.readline() == "True\n"
        serialized = child.stdout.readline()
        async with SQLitePlanLocks(file) as locks:
            handed_on = locks.restore_lock(serialized)
            await handed_on.extend("1h")
            other = locks.create_lock("plan")
            assert not await other.acquire()
            child.kill()
            assert not await other.acquire()
            await handed_on.extend("50ms")
            assert await other.acquire({"timeout": "10s", "delay": "10ms"})

    try:
        asyncio.run(main())
    finally:
        child.kill()
        child.communicate()


def test_a_plan_store_and_leases_may_be_in_one_file(tmp_path: Path) -> None:
    """Each finds what it needs, whichever came first."""

    async def main() -> None:
        async with SQLitePlanStore(tmp_path / "plans.db") as store, SQLitePlanLocks(tmp_path / "plans.db") as locks:
            assert await locks.create_lock("plan").acquire()
            assert (await store.create_plan("plan")).ok

    asyncio.run(main())


def test_a_file_of_a_release_without_leases_is_brought_up_to_date(tmp_path: Path) -> None:
    """The table of leases is added to it."""
    with sqlite3.connect(tmp_path / "plans.db") as connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement.format(bytes="BLOB", int="INTEGER", clustered=""))
        connection.execute("PRAGMA user_version = 1")
    connection.close()

    async def main() -> None:
        async with SQLitePlanLocks(tmp_path / "plans.db") as locks:
            assert await locks.create_lock("plan").acquire()

    asyncio.run(main())


def test_what_was_closed_says_so(tmp_path: Path) -> None:
    """And may be closed again."""

    async def main() -> None:
        locks = SQLitePlanLocks(tmp_path / "plans.db")
        await locks.close()
        await locks.close()
        with pytest.raises(PlanStoreError, match="closed"):
            await locks.create_lock("plan").acquire()

    asyncio.run(main())
