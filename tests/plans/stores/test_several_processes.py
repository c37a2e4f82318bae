"""One place, several processes: nothing is lost, and of two claims one wins."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentports.plans import PostgresPlanStore, SQLitePlanStore, fold_ops
from agentports.ports.plans import ApprovalRecord, TransitionRequest

from .postgres import empty_database

_WRITER = """
import asyncio, json, sys
from agentports.plans import PostgresPlanStore, SQLitePlanStore
from agentports.ports.plans import AddNode, PlanNode

async def main(kind, place, name):
    async with {"sqlite": SQLitePlanStore, "postgres": PostgresPlanStore}[kind](place) as store:
        for i in range(25):
            node = PlanNode(id=f"{name}_{i}", kind="call", definition={})
            op = AddNode(op_id=f"{name}{i}", actor_id=name, lamport=i, at="", node=node)
            assert (await store.append_ops("p", [op, op])).ok
        while (state := await store.read_state("p")).state != "executable":
            await asyncio.sleep(0.02)
        claim = await store.claim_run("p", state.digest)
        print(json.dumps([claim.ok, claim.run_id or claim.existing_run_id]))

asyncio.run(main(*sys.argv[1:]))
"""
_WRITERS = 3


def _writers(kind: str, place: Any) -> list[subprocess.Popen[str]]:
    start = [sys.executable, "-c", _WRITER, kind, str(place)]
    return [subprocess.Popen([*start, f"w{i}"], stdout=subprocess.PIPE, text=True) for i in range(_WRITERS)]


async def _work_together(kind: str, make: Callable[[Any], Any], place: Any) -> None:
    store = make(place)
    await store.create_plan("p")
    writers = _writers(kind, place)
    while (state := await store.read_state("p")).revision < _WRITERS * 50:
        assert all(writer.poll() in (None, 0) for writer in writers)
        await asyncio.sleep(0.02)
    ops = await store.read_ops("p")
    assert [op.op_id for op in ops[::2]] == [op.op_id for op in ops[1::2]]  # batches of two, one after another
    assert state.digest == fold_ops("p", ops).view.digest
    for to in ("reviewable", "executable"):
        approval = ApprovalRecord(plan_id="p", digest=state.digest, authority=[], decided_by="ann", decided_at="now")
        from_ = "editable" if to == "reviewable" else "reviewable"
        request = TransitionRequest(from_=from_, to=to, expected_digest=state.digest, approval=approval)
        assert (await store.transition("p", request)).ok
    claims = [json.loads(writer.communicate(timeout=30)[0]) for writer in writers]
    assert sorted(ok for ok, _ in claims) == [False] * (_WRITERS - 1) + [True]
    assert len({run for _, run in claims}) == 1
    await store.close()


def test_processes_share_one_sqlite_file(tmp_path: Path) -> None:
    """Three of them append and claim at once."""
    asyncio.run(_work_together("sqlite", SQLitePlanStore, tmp_path / "plans.db"))


def test_processes_share_one_postgres_database() -> None:
    """Three of them append and claim at once."""
    pytest.importorskip("psycopg")
    with empty_database() as dsn:
        asyncio.run(_work_together("postgres", PostgresPlanStore, dsn))
