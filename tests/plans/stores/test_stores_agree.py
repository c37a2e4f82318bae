"""Whatever happens to plans, the stores say the same as a plain store by another hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings

from agentports.plans import MemoryPlanStore, SQLitePlanStore
from portproof.benches.plans.store_calls import StoreCalls
from portproof.benches.plans.telling import Telling
from portproof.strategies.plans.stories import PLANS, Step, stories
from portproof.subjects.places import Place
from tests.defects._stores import Storing


async def _told(store: Any, story: list[Step]) -> list[Any]:
    calls = StoreCalls(store, lambda name: name, Place({}))
    telling = Telling(calls)
    said: list[Any] = []
    for step in story:
        await telling.tell(step)
        answer = telling.answer
        said.append(None if answer is None else (answer.ok, answer.reason, answer.said("digest"), answer.actual))
    listed = await calls.listed()
    return said + [{**await calls.snapshot(plan), "updated_at": None} for plan in PLANS if plan in listed]


def _agrees(make: Callable[[], Any], story: list[Step]) -> None:
    async def main() -> None:
        store = make()
        assert await _told(store, story) == await _told(Storing(), story)
        await store.close()

    asyncio.run(main())


@given(stories(20))
@settings(max_examples=60, deadline=None)
def test_the_store_in_memory_says_the_same(story: list[Step]) -> None:
    """Every answer, refusals and their reasons included, and all that is read in the end."""
    _agrees(MemoryPlanStore, story)


@given(stories(20))
@settings(max_examples=30, deadline=None)
def test_the_store_in_a_file_says_the_same(story: list[Step]) -> None:
    """Every answer, refusals and their reasons included, and all that is read in the end."""
    with TemporaryDirectory() as folder:
        _agrees(lambda: SQLitePlanStore(Path(folder, "plans.db")), story)
