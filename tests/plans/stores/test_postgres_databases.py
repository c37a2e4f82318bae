"""Databases of the PostgreSQL store: tables are made once, later versions are refused, lost servers are told."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

import pytest

from agentports.plans import PostgresPlanStore
from agentports.plans.stores.sql import MIGRATIONS
from agentports.ports.plans import PlanStoreError
from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .postgres import empty_database


@pytest.fixture
def dsn() -> Iterator[str]:
    """An empty database."""
    pytest.importorskip("psycopg")
    with empty_database() as dsn:
        yield dsn


def _postgres(dsn: str) -> PostgresPlanStore:
    return PostgresPlanStore(dsn)


def test_the_store_passes_every_rule(dsn: str) -> None:
    """Those on durability included."""
    server = f"{dsn.rpartition('/')[0]}/postgres"
    subject = look_at("postgres", _postgres, "plan-store", None, {"dsn": server})
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in invariants_of("plan-store")}
    assert not {rule: result for rule, result in results.items() if result.outcome != "passed"}


def test_stores_that_open_an_empty_database_at_once_make_its_tables_once(dsn: str) -> None:
    """None of them fails."""

    async def main() -> None:
        stores = [PostgresPlanStore(dsn) for _ in range(4)]
        made = await asyncio.gather(*(store.create_plan(f"p{i}") for i, store in enumerate(stores)))
        assert all(result.ok for result in made)
        assert [plan.plan_id for plan in await stores[0].list()] == ["p0", "p1", "p2", "p3"]
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(main())


def test_a_database_of_a_later_version_is_refused_in_words(dsn: str) -> None:
    """The message names both versions and says what to do."""

    async def main() -> None:
        import psycopg

        async with PostgresPlanStore(dsn) as store:
            await store.list()
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("UPDATE agentports_schema SET version = version + 1")
        async with PostgresPlanStore(dsn) as store:
            with pytest.raises(PlanStoreError, match=rf"version {len(MIGRATIONS) + 1}; .*Upgrade"):
                await store.list()

    asyncio.run(main())


def test_a_connection_that_was_cut_is_made_anew(dsn: str) -> None:
    """The call that notices raises; the next one works."""

    async def main() -> None:
        import psycopg

        async with PostgresPlanStore(dsn) as store:
            await store.create_plan("p")
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            outcomes = [await _outcome(store) for _ in range(9)]
            assert outcomes[-1] == "p"

    asyncio.run(main())


async def _outcome(store: PostgresPlanStore) -> str:
    try:
        return (await store.list())[0].plan_id
    except PlanStoreError as error:
        return str(error)


def test_a_server_that_does_not_answer_is_told(dsn: str) -> None:
    """With the reason."""

    async def main() -> None:
        async with PostgresPlanStore("postgresql://nobody@127.0.0.1:1/none") as store:
            with pytest.raises(PlanStoreError, match="does not answer"):
                await store.list()

    asyncio.run(main())


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the user knows what to install."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ImportError, match=r"portproof\[postgres\]"):
        PostgresPlanStore("postgresql://")
