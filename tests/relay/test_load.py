"""Many streams, and clients that take nothing: a smaller measure of what the benchmarks look at."""

from __future__ import annotations

import asyncio

from .churning import churn
from .stalling import stall


def test_streams_that_are_left_at_any_point_leave_nothing() -> None:
    """No task, no socket, no listener on the signal that they share, no upstream call."""
    left = asyncio.run(churn(300))
    assert left.whole > 20
    assert left.broken > 100
    assert (left.tasks, left.sockets, left.listeners, left.calls) == (0, 0, 0, 0)


def test_clients_that_take_nothing_hold_the_upstream_back() -> None:
    """What is pulled is what the sockets hold, and no more a while later; when they go nothing is left."""
    stalled = asyncio.run(stall(20, later_s=0.3))
    assert stalled.pulled_later == stalled.pulled
    assert stalled.pulled < 20 * 20_000
    assert stalled.memory_later - stalled.memory < 2**20
    assert stalled.left == 0
