"""The port of leases on running plans."""

from __future__ import annotations

from typing import Any

from portproof.conditions.locks import LOCK_WORDS
from portproof.ports.port import Bench, Port
from portproof.running.loops import Time
from portproof.subjects.looking import closed, common_supply
from portproof.subjects.places import Place
from portproof.subjects.subject import Subject

__all__ = ["PlanLockPort"]


class PlanLockPort(Port):
    """Factories of locks, on real time but for their clock: they may work with threads, processes and servers."""

    name = "plan-lock"
    checks = ("locks",)
    members = ("create_lock", "restore_lock")
    words = LOCK_WORDS

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        return common_supply(subject, time) | Place(subject.options).supply_once()

    async def read(self, subject: Subject, value: Any) -> None:
        if subject.parameters is not None:  # what was made to look at it; an instance is the user's own
            await closed(value)

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.plans.locks import LockBench

        return LockBench(subject, deadline)
