"""Ops of the contract's classes as ops of a subject's own classes, with containers of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentports.ports import PlanBounds, PlanEdge, PlanNode, PlanOp, PlanProvenance, TemplateProvenance, UnknownOp
from portproof.benches.plans.carrying import Carrier
from portproof.benches.plans.walking import copied

__all__ = ["OpCarrier"]


class OpCarrier(Carrier):
    """Carries ops over, each time anew, so that what a subject does to one concerns nobody else."""

    def ops(self, ops: Iterable[PlanOp]) -> list[Any]:
        """The ops, in the order given."""
        return [self.op(op) for op in ops]

    def op(self, op: PlanOp) -> Any:
        """One op."""
        fields = {name: self._fresh(value) for name, value in op}
        make = getattr(self.classes, type(op).__name__)
        if isinstance(op, UnknownOp):
            return make(**fields)
        try:
            return make(**{name: value for name, value in fields.items() if name != "op"})
        except (TypeError, ValueError):
            return make(**fields)  # of a class that does not say by itself what it is

    def fresh_provenance(self, provenance: PlanProvenance) -> Any:
        """A provenance."""
        if isinstance(provenance, TemplateProvenance):
            return self.provenance(TemplateProvenance(template=provenance.template, args=copied(provenance.args)))
        return self.provenance(provenance.model_copy(update={"completed_at_clone": [*provenance.completed_at_clone]}))

    def _fresh(self, value: Any) -> Any:
        if isinstance(value, PlanNode):
            return self.node(
                PlanNode(id=value.id, kind=value.kind, definition=copied(value.definition), phase=value.phase)
            )
        if isinstance(value, PlanEdge):
            return self.edge(value)
        if isinstance(value, PlanBounds):
            return self.classes.PlanBounds(**dict(value))
        return copied(self.value(value))
