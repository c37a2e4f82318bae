"""Folds that keep the contract and are made otherwise than the reference: none may be failed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from agentports import plans as reference
from agentports.plans import Fold
from tests.defects._folds import Folding

from . import folds_own_classes
from .folds_backwards import Backwards
from .folds_persistent import Persistent

__all__ = ["CORRECT"]


class Growing:
    """The reference, given its log one op at a time as it comes. The class is not built."""

    @staticmethod
    def fold_ops(plan_id: str, ops: Any, provenance: Any = None) -> Any:
        fold = Fold(plan_id, provenance=provenance)
        for op in ops:
            fold.extend([op])
            fold.digest()
        return fold.result()

    branch_key = staticmethod(reference.branch_key)


class InBatches:
    """The reference, given its log in two halves, the later one first."""

    branch_key = staticmethod(reference.branch_key)

    def fold_ops(self, plan_id: str, ops: Any, provenance: Any = None) -> Any:
        half = len(ops) // 2
        fold = Fold(plan_id, ops[half:], provenance)
        fold.extend(ops[:half])
        return fold.result()


CORRECT: dict[str, Any] = {
    "the reference": reference,
    "plain parts": Folding,
    "backwards": Backwards,
    "persistent": Persistent,
    "classes of its own": folds_own_classes,
    "one at a time": Growing,
    "in two batches": SimpleNamespace(fold_ops=InBatches().fold_ops, branch_key=reference.branch_key),
}
