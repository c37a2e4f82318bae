"""Where the reference keeps leases, for tests that hold in each place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from agentports.plans import MemoryPlanLocks, PostgresPlanLocks, SQLitePlanLocks

__all__ = ["PLACES", "place_named"]

PLACES = ("memory", "sqlite", "postgres")
#: A server on which databases can be made.
_SERVER = "PORTPROOF_TEST_POSTGRES"


@contextmanager
def place_named(name: str, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Makes factories that share their leases."""
    if name == "memory":
        locks = MemoryPlanLocks()
        yield lambda: locks
    elif name == "sqlite":
        yield lambda **time: SQLitePlanLocks(tmp_path / "plans.db", **time)
    else:
        with _database() as dsn:
            yield lambda **time: PostgresPlanLocks(dsn, **time)


@contextmanager
def _database() -> Iterator[str]:
    server = os.environ.get(_SERVER)
    if server is None:
        pytest.skip(f"{_SERVER} names no server")
    psycopg = pytest.importorskip("psycopg")
    name = f"locks_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield f"{server.rpartition('/')[0]}/{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
