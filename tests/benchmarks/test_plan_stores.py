"""How many appends a second a plan store takes, beside bare inserts that are flushed alike; and does it slow down?"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.benchmarks.appending import MAKERS, clients
from tests.benchmarks.measuring import in_turns

_APPENDS = 40
_PLANS = {"one client": ["p0"], "four processes": ["p0", "p1", "p2", "p3"], "four processes, one plan": ["p"] * 4}


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The database's name, and where it is."""
    if request.param == "sqlite":
        yield "sqlite", str(tmp_path)
        return
    server = os.environ.get("PORTPROOF_TEST_POSTGRES") or pytest.skip("PORTPROOF_TEST_POSTGRES names no server")
    psycopg = pytest.importorskip("psycopg")
    name = f"benchmark_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield "postgres", f"{server.rpartition('/')[0]}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize("plans", _PLANS.values(), ids=_PLANS)
def test_appends_a_second(
    benchmark: Any, found: Callable[..., None], database: tuple[str, str], plans: list[str]
) -> None:
    """Appends of one op each to plans of 50 nodes."""
    kind, place = database
    with ExitStack() as exits:
        store, bare = (_clients(exits, f"{kind}_{what}", place, plans) for what in ("store", "bare"))
        ours, theirs = in_turns(partial(store, _APPENDS), partial(bare, _APPENDS), rounds=30, clock=time.perf_counter)
        found(appends=_APPENDS / ours, bare_inserts=_APPENDS / theirs, ratio_to_bare=ours / theirs)
        benchmark.pedantic(partial(store, _APPENDS), rounds=1)


def _clients(exits: ExitStack, maker: str, place: str, plans: list[str]) -> Callable[[int], None]:
    one = len(plans) == 1
    return exits.enter_context(MAKERS[maker](place, plans[0], "actor") if one else clients(maker, place, plans))


def test_an_append_costs_the_same_after_many(
    benchmark: Any, found: Callable[..., None], database: tuple[str, str]
) -> None:
    """Seconds of an append after 10,000 ops, and after 100."""
    kind, place = database
    client = MAKERS[f"{kind}_store"]
    with client(place, "short", "actor", 100) as short, client(place, "long", "actor", 10_000) as long:
        few, many = in_turns(partial(short, _APPENDS), partial(long, _APPENDS), rounds=20, clock=time.perf_counter)
        found(after_100_us=few / _APPENDS * 1e6, after_10_000_us=many / _APPENDS * 1e6, ratio=many / few)
        benchmark.pedantic(partial(long, _APPENDS), rounds=1)
