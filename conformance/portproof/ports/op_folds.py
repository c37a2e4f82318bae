"""The port of folds of a plan's log."""

from __future__ import annotations

from typing import Any

from portproof.ports.port import Bench, Port
from portproof.subjects.namespaces import name_of, take_as_it_is
from portproof.subjects.subject import Subject
from portproof.wires import Dialect

__all__ = ["OpFoldPort"]


class OpFoldPort(Port):
    """Sets of functions that fold ops and render routes: modules, classes, objects."""

    name = "op-fold"
    checks = ("fold",)
    members = ("fold_ops", "branch_key")
    patience = 3.0  # for a log of 20,000 ops

    def look_at(self, subject: Subject, wire: Dialect | None) -> None:
        take_as_it_is(subject, self.members)
        super().look_at(subject, wire)

    async def read(self, subject: Subject, value: Any) -> None:
        subject.name = name_of(value)
        subject.members = {"plan_digest": getattr(value, "plan_digest", None)}

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.plans.folds import FoldBenches

        return FoldBenches(subject, deadline)
