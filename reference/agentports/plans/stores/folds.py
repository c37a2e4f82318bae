"""The folds of the plans that a store works on, so that an append does not fold the log again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from agentports.plans._copies import copied
from agentports.plans.encoding import encode
from agentports.plans.fold import Fold
from agentports.plans.records import as_op, op_of, plain, provenance_of
from agentports.plans.stores.moments import later_than
from agentports.plans.stores.tables import PlanRow, Tables
from agentports.ports.plans import PlanOp

__all__ = ["Batch", "Folds", "folded", "with_fold"]

#: Of so many plans the fold is kept.
_KEPT: Final = 64


class Folds:
    """Folds by plan. A log only grows, so a fold of the same or a smaller revision is of use."""

    def __init__(self) -> None:
        self._folds: OrderedDict[str, Fold] = OrderedDict()

    def take(self, tables: Tables, row: PlanRow) -> Fold:
        """The fold of the plan as the row has it. Who takes it has it kept again, unless the transaction fails."""
        fold = self._folds.pop(row.plan_id, None)
        if fold is None or fold.revision > row.revision:
            fold = Fold(row.plan_id, (), provenance_of(row.provenance))
        fold.extend(op_of(data) for data in tables.ops(row, fold.revision, row.revision))
        return fold

    def keep(self, plan_id: str, fold: Fold) -> None:
        """Keep the fold; the one that was not used for longest is dropped."""
        self._folds[plan_id] = fold
        if len(self._folds) > _KEPT:
            self._folds.popitem(last=False)


class Batch:
    """Ops as they were when they were given: encoded, and with containers of their own, as `op_of` would give them.

    Raises `ValueError` for what is no op, `EncodingError` for what cannot be encoded.
    """

    def __init__(self, given: Sequence[Any]) -> None:
        records = [plain(as_op(op)) for op in given]
        self.data = [encode(record) for record in records]
        self.ops = [as_op(copied(record)) for record in records]


def folded(row: PlanRow, ops: Iterable[PlanOp]) -> PlanRow:
    """The row with what the fold of these ops says of it."""
    return with_fold(row, Fold(row.plan_id, ops, provenance_of(row.provenance)))


def with_fold(row: PlanRow, fold: Fold) -> PlanRow:
    """The row with what the fold says of it, as of now."""
    moment = later_than(row.updated_at)
    return replace(row, revision=fold.revision, node_count=fold.node_count, digest=fold.digest(), updated_at=moment)
