"""Keys of leases, and durations as locks are told them (document 31, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports.plans import LockDuration

__all__ = ["Span", "delays", "lease_keys", "ttls"]


@dataclass(frozen=True)
class Span:
    """A duration as it is stated, and its milliseconds."""

    stated: LockDuration
    ms: float


#: Each a minute or so, and far from each other once a unit is mistaken; so that whole seconds are fine enough.
_TTLS = [
    *(Span(30_000, 30_000), Span("45000ms", 45_000), Span("40s", 40_000), Span("2m", 120_000)),
    *(Span("1.5m", 90_000), Span("1h", 3_600_000)),
]

#: For waits: together less than any limit that an implementation may have of its own.
_DELAYS = [Span(50, 50), Span("100ms", 100), Span(250, 250), Span("0.25s", 250)]

#: Around the word `plan`: what is easily taken for the same.
_NEAR = [
    *("plan", "plan ", " plan", "PLAN", "plan\n", "plan1", "plan10", "plan/1", "plan-1", "plan_1", "plan:1", "plan.1"),
    *("plan*", "plan%", "plan?", "a/plan", "b/plan", "plané", "plane\u0301", "1plan", "01plan"),
    *("plan" + "x" * 80 + end for end in "ab"),
]


def ttls() -> SearchStrategy[Span]:
    """For how long a lease is taken."""
    return st.sampled_from(_TTLS)


def delays() -> SearchStrategy[Span]:
    """What is waited between two tries."""
    return st.sampled_from(_DELAYS)


def lease_keys() -> SearchStrategy[list[str]]:
    """Keys that differ, though some in little, in any order."""
    return st.permutations(_NEAR)
