"""Folds that compare keys of ops otherwise than part by part, numbers as numbers and texts by code point."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from portproof_defects._folds import Folding, Op

from agentports.ports import PlanOp
from portproof.selftest import defect


@defect("OPS-KEY-LAMPORT-FIRST")
class ActorFirst(Folding):
    """The actor decides, then the clock."""

    def key(self, op: Op) -> Any:
        return (op.actor_id, op.lamport, op.op_id)


@defect("OPS-KEY-LAMPORT-FIRST")
class IdFirst(Folding):
    """The id of the op decides, as if ids ascended with time."""

    def key(self, op: Op) -> Any:
        return (op.op_id, op.lamport, op.actor_id)


@defect("OPS-KEY-ACTOR-SECOND")
class IdSecond(Folding):
    """At one clock the id of the op decides."""

    def key(self, op: Op) -> Any:
        return (op.lamport, op.op_id, op.actor_id)


@defect("OPS-KEY-ACTOR-SECOND")
class FoldsCase(Folding):
    """Actors are ordered without regard to case."""

    def key(self, op: Op) -> Any:
        return (op.lamport, op.actor_id.casefold(), op.op_id)


@defect("OPS-KEY-OPID-THIRD")
class TwoParts(Folding):
    """What clock and actor leave open, arrival decides."""

    def in_order(self, ops: Iterable[PlanOp]) -> list[PlanOp]:
        return sorted(ops, key=lambda op: (op.lamport, op.actor_id))


@defect("OPS-KEY-OPID-THIRD")
class ByLength(Folding):
    """A longer id of an op is a greater one."""

    def key(self, op: Op) -> Any:
        return (op.lamport, op.actor_id, len(op.op_id), op.op_id)


@defect("OPS-LAMPORT-NUMERIC")
class ClocksAsTexts(Folding):
    """Clocks are compared as texts of ten digits."""

    def key(self, op: Op) -> Any:
        return (f"{op.lamport:010}", op.actor_id, op.op_id)


@defect("OPS-LAMPORT-NUMERIC")
class ClocksAsFloats(Folding):
    """Clocks are compared as floats."""

    def key(self, op: Op) -> Any:
        return (float(op.lamport), op.actor_id, op.op_id)


@defect("OPS-KEY-COLLISION-TOTAL")
class ArrivalBreaksTies(Folding):
    """Of two ops with one key the one that comes last counts."""

    def in_order(self, ops: Iterable[PlanOp]) -> list[PlanOp]:
        return sorted(ops, key=self.key)


@defect("OPS-KEY-COLLISION-TOTAL")
class FirstOfAKey(Folding):
    """Of two ops with one key the one that comes first counts, as if the other were a repeat."""

    def in_order(self, ops: Iterable[PlanOp]) -> list[PlanOp]:
        by_key: dict[Any, PlanOp] = {}
        for op in ops:
            by_key.setdefault(self.key(op), op)
        return [by_key[key] for key in sorted(by_key)]
