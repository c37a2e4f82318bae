"""Clients that append to plans, and bare ones that insert rows, in this process and in others."""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final

from agentports.plans import PostgresPlanStore, SQLitePlanStore
from agentports.plans.records import encoded
from portproof.strategies.plans.brief_ops import add_node, set_field
from portproof.strategies.plans.ops import stamped

__all__ = ["MAKERS", "clients", "definition"]

_NODES = 50
#: Does so many appends at each call.
Client = Callable[[int], None]


def definition(number: int) -> dict[str, Any]:
    """What a node of a real plan says."""
    return {
        "tool": "mail.send",
        "args": {"to": ["a@example.org", "b@example.org"], "subject": f"Invoice {number}", "retries": number},
        "output": [{"path": "id", "type": "string"}],
        "on_missing_value": "fail",
        "authority": [{"capability": "mail", "scope": "out", "verb": "create"}],
        "replay_safe": False,
        "on_indeterminate": "halt",
    }


def _edit(number: int, actor: str) -> Any:
    return stamped(set_field(f"n{number * 7 % _NODES}", "args.retries", number), number, actor, f"{actor}-{number:06}")


@contextmanager
def _appending(store: Any, plan: str, actor: str, length: int) -> Iterator[Client]:
    """Appends one op at a time, each behind the last revision that it was told of."""
    revision = 0

    async def prepare() -> int:
        nodes = [stamped(add_node(f"n{n}", definition(n)), n, actor, f"node-{n}") for n in range(_NODES)]
        edits = [_edit(number, actor) for number in range(_NODES, length)]
        if (await store.create_plan(plan)).ok:
            await store.append_ops(plan, [*nodes, *edits])
        return int((await store.read_state(plan)).revision)

    async def appends(count: int) -> None:
        nonlocal revision
        for _ in range(count):
            revision = (await store.append_ops(plan, [_edit(revision, actor)])).revision

    with asyncio.Runner() as runner:
        revision = runner.run(prepare())
        yield lambda count: runner.run(appends(count))
        runner.run(store.close())


def sqlite_store(place: str, plan: str, actor: str, length: int = _NODES) -> AbstractContextManager[Client]:
    """Appends to a plan in a file."""
    return _appending(SQLitePlanStore(f"{place}/plans.db"), plan, actor, length)


def postgres_store(place: str, plan: str, actor: str, length: int = _NODES) -> AbstractContextManager[Client]:
    """Appends to a plan in a database."""
    return _appending(PostgresPlanStore(place), plan, actor, length)


@contextmanager
def sqlite_bare(place: str, plan: str, actor: str) -> Iterator[Client]:
    """Inserts the same ops, each in a transaction of its own, flushed as the store flushes."""
    with closing(sqlite3.connect(f"{place}/bare.db", timeout=60, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS ops (place INTEGER PRIMARY KEY, op BLOB NOT NULL)")
        yield partial(_insert, connection.execute, "BEGIN IMMEDIATE", "INSERT INTO ops (op) VALUES (?)", actor)


@contextmanager
def postgres_bare(place: str, plan: str, actor: str) -> Iterator[Client]:
    """The same in a database."""
    import psycopg

    with psycopg.connect(place, autocommit=True) as connection:
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(1)")
            connection.execute("CREATE TABLE IF NOT EXISTS bare (place BIGSERIAL PRIMARY KEY, op BYTEA NOT NULL)")
        yield partial(_insert, connection.execute, "BEGIN", "INSERT INTO bare (op) VALUES (%s)", actor)


def _insert(execute: Callable[..., Any], begin: str, insert: str, actor: str, count: int) -> None:
    for number in range(count):
        execute(begin)
        execute(insert, [encoded(_edit(number, actor))])
        execute("COMMIT")


MAKERS: Final[dict[str, Callable[..., AbstractContextManager[Client]]]] = {
    "sqlite_store": sqlite_store,
    "sqlite_bare": sqlite_bare,
    "postgres_store": postgres_store,
    "postgres_bare": postgres_bare,
}


@contextmanager
def clients(maker: str, place: str, plans: list[str]) -> Iterator[Client]:
    """A process a plan; each does its share of the appends, all at once."""
    spawning = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for number, plan in enumerate(plans):
        ours, theirs = spawning.Pipe()
        processes.append(spawning.Process(target=_serve, args=(theirs, maker, place, plan, f"actor-{number}")))
        processes[-1].start()
        pipes.append(ours)
        ours.recv()

    def all_append(count: int) -> None:
        for pipe in pipes:
            pipe.send(count // len(pipes))
        for pipe in pipes:
            pipe.recv()

    try:
        yield all_append
    finally:
        for pipe, process in zip(pipes, processes, strict=True):
            pipe.send(0)
            process.join()


def _serve(pipe: Connection, maker: str, place: str, plan: str, actor: str) -> None:
    with MAKERS[maker](place, plan, actor) as append:
        pipe.send("ready")
        while count := pipe.recv():
            append(count)
            pipe.send("done")
