"""Plan stores that keep the contract and are built otherwise than the reference: none may be failed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from agentports.plans import MemoryPlanStore, SQLitePlanStore, fold_ops
from agentports.ports import plans as p
from tests.defects._stores import Plan, Storing

from .stores_of_files import FolderStore
from .stores_of_records import DictStore, ReopenedStore

__all__ = ["CORRECT"]

_WRITES = ("create_plan", "clone_plan", "append_ops", "transition", "claim_run", "append_run_events")
_READS = ("read_ops", "read_provenance", "read_state", "read_run_events", "read_approval", "list")


class Wrapped:
    """A store behind another object."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _with_methods(kind: type, names: tuple[str, ...], make: Any) -> type:
    for name in names:
        setattr(kind, name, make(name))
    return kind


class Dawdling(Wrapped):
    """Waits before and after, a lock around each call."""

    def __init__(self) -> None:
        super().__init__(Storing())
        self._lock = asyncio.Lock()


def _dawdle(name: str) -> Any:
    async def method(self: Any, *given: Any, **stated: Any) -> Any:
        await asyncio.sleep(0)
        async with self._lock:
            await asyncio.sleep(0)
            result = await getattr(self._inner, name)(*given, **stated)
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        return result

    return method


class Threaded(Wrapped):
    """Works in threads, one call at a time."""

    def __init__(self) -> None:
        super().__init__(Storing())
        self._lock = asyncio.Lock()


def _in_thread(name: str) -> Any:
    async def method(self: Any, *given: Any, **stated: Any) -> Any:
        async def work() -> Any:
            async with self._lock:
                return await asyncio.to_thread(lambda: asyncio.run(getattr(self._inner, name)(*given, **stated)))

        return await asyncio.shield(asyncio.ensure_future(work()))  # a call that is cancelled is still carried out

    return method


class Mappings(Wrapped):
    """Answers with dicts that hold only what there is to say."""

    def __init__(self) -> None:
        super().__init__(Storing())


def _as_mapping(name: str) -> Any:
    async def method(self: Any, *given: Any, **stated: Any) -> Any:
        return _mapping(await getattr(self._inner, name)(*given, **stated))

    return method


def _mapping(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_mapping, value))
    results = (p.CreateResult, p.AppendResult, p.TransitionResult, p.ClaimRunResult, p.PlanSummary, p.PlanStatus)
    if not isinstance(value, results):
        return value
    members = {name: _mapping(held) for name, held in value if held is not None}
    return {name.removesuffix("_"): held for name, held in members.items()}


class Objects(Wrapped):
    """Answers with plain objects, whose absent members are not there."""

    def __init__(self) -> None:
        super().__init__(Mappings())


def _as_object(name: str) -> Any:
    async def method(self: Any, *given: Any, **stated: Any) -> Any:
        return _object(await getattr(self._inner, name)(*given, **stated))

    return method


def _object(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_object(held) for held in value]
    return SimpleNamespace(**{k: _object(v) for k, v in value.items()}) if isinstance(value, dict) else value


class RaisesForUnknownReads(Storing):
    """Refuses ops of unknown kind, and gives every run a long id of its own."""

    def op(self, op: Any) -> Any:
        if isinstance(op, p.UnknownOp):
            raise ValueError(f"{op.op} is no kind of op")
        return super().op(op)

    def new_run(self, plan: Plan) -> str:
        return f"{plan.id}/{super().new_run(plan)}"

    async def read_approval(self, plan_id: str) -> Any:
        return await super().read_approval(plan_id) if plan_id in self.plans else None


class OwnDigests(Storing):
    """Has a fold of its own, whose digests are numbers in a text, and offers it."""

    def fold_ops(self, plan_id: str, ops: Any, provenance: Any = None) -> Any:
        folded = fold_ops(plan_id, ops, provenance)
        short = f"v1:{int(folded.view.digest, 16) % 10**40}"
        return folded._replace(view=folded.view.model_copy(update={"digest": short}))

    def fold(self, plan: Plan, revision: int | None = None) -> Any:
        return self.fold_ops(plan.id, plan.log[:revision], plan.provenance).view


@asynccontextmanager
async def in_a_context(tmp_path: Path) -> AsyncIterator[SQLitePlanStore]:
    """The reference in a file, opened by an async context manager."""
    async with SQLitePlanStore(tmp_path / "deep.db") as store:
        yield store


async def built_later(tmp_path: Path) -> SQLitePlanStore:
    """The reference in a file, from a coroutine."""
    await asyncio.sleep(0)
    return SQLitePlanStore(str(tmp_path / "plans.sqlite"))


CORRECT: dict[str, Any] = {
    "the reference": MemoryPlanStore,
    "in a context": in_a_context,
    "built later": built_later,
    "plain parts": Storing,
    "dawdling": _with_methods(Dawdling, _WRITES + _READS, _dawdle),
    "threads": _with_methods(Threaded, _WRITES + _READS, _in_thread),
    "mappings": _with_methods(Mappings, _WRITES + _READS, _as_mapping),
    "objects": _with_methods(Objects, _WRITES + _READS, _as_object),
    "other choices": RaisesForUnknownReads,
    "own digests": OwnDigests,
    "files": FolderStore,
    "dicts": DictStore,
    "reopened": ReopenedStore,
    "an instance": MemoryPlanStore(),
}
