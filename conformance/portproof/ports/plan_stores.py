"""The port of plan stores."""

from __future__ import annotations

from typing import Any

from portproof.conditions.plan_stores import STORE_WORDS
from portproof.ports.port import Bench, Port
from portproof.running.loops import Time
from portproof.subjects.looking import closed, common_supply
from portproof.subjects.places import Place
from portproof.subjects.subject import Subject

__all__ = ["PlanStorePort"]


class PlanStorePort(Port):
    """Stores of plans, on real time: they may work with threads, processes and servers."""

    name = "plan-store"
    checks = ("store",)
    members = (
        "create_plan",
        "clone_plan",
        "append_ops",
        "read_ops",
        "read_provenance",
        "transition",
        "read_state",
        "claim_run",
        "append_run_events",
        "read_run_events",
        "read_approval",
        "list",
    )
    options = ("dsn",)
    words = STORE_WORDS
    patience = 2.0

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        return common_supply(subject, time) | Place(subject.options).supply_once()

    async def read(self, subject: Subject, value: Any) -> None:
        subject.members = {name: getattr(value, name, None) for name in ("close", "fold_ops", "reopen")}
        if subject.parameters is not None:  # not the user's own object
            await closed(value)

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.plans.stores import StoreBench

        return StoreBench(subject, deadline)
