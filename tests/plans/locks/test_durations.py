"""Durations of leases are milliseconds, or numbers with a unit."""

from __future__ import annotations

from typing import Any

import pytest

from agentports.plans import MemoryPlanLocks
from agentports.plans.locks.durations import lifetime, milliseconds

NONE = ["", "30", "30 seconds", "s", "-1s", "1e3ms", "٣s", "1s ", True, None, -1, float("nan"), float("inf"), 10**400]


@pytest.mark.parametrize(
    ("duration", "expected"),
    [
        (250, 250),
        (0.5, 0.5),
        (0, 0),
        ("500ms", 500),
        ("30s", 30_000),
        ("5m", 300_000),
        ("1h", 3_600_000),
        ("1.5 s", 1500),
    ],
)
def test_a_duration_is_read_in_milliseconds(duration: Any, expected: float) -> None:
    """Numbers are milliseconds, texts have a unit."""
    assert milliseconds(duration) == expected


@pytest.mark.parametrize("duration", NONE, ids=repr)
def test_what_is_no_duration_is_refused_with_what_would_be_one(duration: Any) -> None:
    """Negative, infinite and unreadable ones."""
    with pytest.raises(ValueError, match="500ms, 30s, 5m, 1h"):
        milliseconds(duration)


def test_a_lease_lasts_longer_than_nothing() -> None:
    """A ttl of nothing is a slip; no ttl at all means for ever."""
    assert lifetime(None) is None
    with pytest.raises(ValueError, match="longer than nothing"):
        MemoryPlanLocks().create_lock("plan", "0s")
