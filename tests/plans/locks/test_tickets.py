"""A lock goes as text from one process to another."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agentports.plans import MemoryPlanLocks

_WHOLE: dict[str, Any] = {"key": "plan", "owner": "me", "ttl": 1000.0, "holder": "me"}
GARBAGE = [
    *("", "{", "null", "[]", "7", "[" * 100_000, json.dumps({"key": "plan"}), None, b"\xff", 7),
    *(json.dumps(_WHOLE | {"owner": owner}) for owner in ("", "a\0b", 7)),
    *(json.dumps(_WHOLE | {"ttl": ttl}) for ttl in ("1s", 0, True)),
    *(json.dumps(_WHOLE | {name: None}) for name in ("key", "holder", "more")),
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda garbage: repr(garbage)[:30])
def test_what_was_not_serialised_is_refused_with_what_is_wanted(garbage: Any) -> None:
    """Also what is nearly a lock."""
    with pytest.raises(ValueError, match=r"serialize\(\) gave: a JSON object"):
        MemoryPlanLocks().restore_lock(garbage)


def test_any_key_survives() -> None:
    """Lone surrogates and line ends too."""
    locks = MemoryPlanLocks()
    lock = locks.create_lock('\ud800 "plan"\n', "1m")
    assert asyncio.run(lock.acquire())
    restored = locks.restore_lock(lock.serialize())
    assert asyncio.run(restored.get_remaining_time()) > 0
    assert restored.serialize() == lock.serialize()


def test_a_lock_that_holds_nothing_is_restored_as_one() -> None:
    """Nobody is its owner, and it can acquire."""
    locks = MemoryPlanLocks()
    restored = locks.restore_lock(locks.create_lock("plan").serialize())
    assert restored.get_owner() == ""
    assert asyncio.run(restored.acquire())
