"""Files of the SQLite store: made, brought to this version, refused when they are another's or of a later version."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from agentports.plans import SQLitePlanStore
from agentports.plans.stores.sql import MIGRATIONS
from agentports.ports.plans import PlanStoreError
from portproof.strategies.plans.brief_ops import add_node, log


def _make_first_version(path: Path) -> None:
    """A file as the first version made it."""
    connection = sqlite3.connect(path)
    for statement in MIGRATIONS[0]:
        connection.execute(statement.format(bytes="BLOB", int="INTEGER", clustered=" WITHOUT ROWID"))
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()


def _version(path: Path) -> int:
    connection = sqlite3.connect(path)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(version)


async def _write(path: Path) -> list[object]:
    async with SQLitePlanStore(path) as store:
        await store.create_plan("p", label="l")
        await store.append_ops("p", log(add_node("a")))
        return [*await store.list(), *await store.read_ops("p")]


async def _read(path: Path) -> list[object]:
    async with SQLitePlanStore(path) as store:
        return [*await store.list(), *await store.read_ops("p")]


def test_a_file_of_an_earlier_version_is_migrated_with_what_it_holds(tmp_path: Path) -> None:
    """Plans that were written before are there afterwards."""
    path = tmp_path / "plans.db"
    written = asyncio.run(_write(path))
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE agentports_leases")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    assert asyncio.run(_read(path)) == written
    assert _version(path) == len(MIGRATIONS)


def test_an_empty_file_of_the_first_version_is_taken_into_use(tmp_path: Path) -> None:
    """As well as one that is not there."""
    path = tmp_path / "plans.db"
    _make_first_version(path)
    assert asyncio.run(_write(path))
    assert _version(path) == len(MIGRATIONS)


def test_a_file_of_a_later_version_is_refused_in_words(tmp_path: Path) -> None:
    """The message names both versions and says what to do; the file stays as it is."""
    path = tmp_path / "plans.db"
    asyncio.run(_write(path))
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    with pytest.raises(PlanStoreError, match=rf"version {len(MIGRATIONS) + 1}; .* up to {len(MIGRATIONS)}\. Upgrade"):
        SQLitePlanStore(path)
    assert _version(path) == len(MIGRATIONS) + 1


def test_a_file_that_is_no_database_is_refused_in_words(tmp_path: Path) -> None:
    """The message names the file, which stays as it is."""
    path = tmp_path / "plans.db"
    path.write_text("not a database, but a longer text than the header of one" * 20)
    with pytest.raises(PlanStoreError, match=r"plans\.db cannot be opened as a plan store"):
        SQLitePlanStore(path)
    assert path.read_text().startswith("not a database")


def test_a_store_that_was_closed_says_so(tmp_path: Path) -> None:
    """It may be closed twice."""

    async def main() -> None:
        store = SQLitePlanStore(tmp_path / "plans.db")
        await store.close()
        await store.close()
        with pytest.raises(PlanStoreError, match="closed"):
            await store.list()

    asyncio.run(main())
