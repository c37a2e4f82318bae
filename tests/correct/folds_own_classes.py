"""A fold whose ops, views and values are of classes of its own: a module that is itself the subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from agentports import plans as reference
from agentports.ports import plans as contract
from portproof.benches.plans.walking import copied

from ._own_plan_classes import (
    UNDEFINED,
    BranchId,
    CloneProvenance,
    Duration,
    EdgeSegment,
    Interval,
    JoinSegment,
    NodeRef,
    ParamRef,
    PlanBounds,
    PlanEdge,
    PlanNode,
    RawPlanView,
    TemplateProvenance,
)

__all__ = [
    "UNDEFINED",
    "BranchId",
    "CloneProvenance",
    "Duration",
    "EdgeSegment",
    "Interval",
    "JoinSegment",
    "NodeRef",
    "ParamRef",
    "PlanBounds",
    "PlanEdge",
    "PlanNode",
    "RawPlanView",
    "TemplateProvenance",
    "branch_key",
    "fold_ops",
    "plan_digest",
]


@dataclass(kw_only=True)
class _Stamped:
    lamport: int
    actor_id: str
    op_id: str
    at: str


@dataclass(kw_only=True)
class AddNode(_Stamped):
    node: PlanNode


@dataclass(kw_only=True)
class RemoveNode(_Stamped):
    node_id: str
    incident_edge_ids: list[str]


@dataclass(kw_only=True)
class SetNodeField(_Stamped):
    node_id: str
    path: str
    value: Any


@dataclass(kw_only=True)
class SetNodeDefinition(_Stamped):
    node_id: str
    definition: Any


@dataclass(kw_only=True)
class SetNodePhase(_Stamped):
    node_id: str
    phase: str | None


@dataclass(kw_only=True)
class AddEdge(_Stamped):
    edge: PlanEdge


@dataclass(kw_only=True)
class RemoveEdge(_Stamped):
    edge_id: str


@dataclass(kw_only=True)
class SetBounds(_Stamped):
    bounds: PlanBounds


class UnknownOp:
    def __init__(self, **said: Any) -> None:
        vars(self).update(said)


def branch_key(branch_id: BranchId) -> str:
    text = ""
    for step in branch_id.segments:
        if isinstance(step, EdgeSegment):
            text += f"e{len(step.edge)}:{step.edge}"
        else:
            text += f"j{len(step.join)}:{step.join}("
            text += "".join(f"e{len(edge)}:{edge}" for edge in step.of) + ")"
    return text


def fold_ops(plan_id: str, ops: Sequence[Any], provenance: Any = None) -> tuple[RawPlanView, list[dict[str, Any]]]:
    folded = reference.fold_ops(plan_id, [_op(op) for op in ops], provenance and _provenance(provenance))
    view = folded.view
    own = RawPlanView(
        plan_id=view.plan_id,
        digest=view.digest,
        revision=view.revision,
        nodes=[PlanNode(node.id, node.kind, copied(node.definition, _own), node.phase) for node in view.nodes],
        edges=[PlanEdge(edge.id, edge.from_, edge.to, edge.handle) for edge in view.edges],
        bounds=PlanBounds(**dict(view.bounds)),
        provenance=provenance and type(provenance)(**copied(vars(provenance))),
    )
    return own, [issue.model_dump() for issue in folded.issues]


def plan_digest(view: RawPlanView) -> str:
    return reference.plan_digest(
        contract.RawPlanView(
            plan_id=view.plan_id,
            revision=view.revision,
            nodes=[_node(node) for node in view.nodes],
            edges=[contract.PlanEdge(**vars(edge)) for edge in view.edges],
            bounds=contract.PlanBounds(**vars(view.bounds)),
            provenance=view.provenance and _provenance(view.provenance),
        )
    )


def _op(op: Any) -> Any:
    said = {name: _contract(value) for name, value in vars(op).items()}
    kind = getattr(contract, type(op).__name__)
    return kind(**said)


def _contract(value: Any) -> Any:
    """Own records and values as those of the contract."""
    if isinstance(value, PlanNode):
        return _node(value)
    if isinstance(value, PlanEdge | PlanBounds):
        return getattr(contract, type(value).__name__)(**vars(value))
    return copied(value, _foreign)


def _node(node: PlanNode) -> contract.PlanNode:
    return contract.PlanNode(id=node.id, kind=node.kind, definition=copied(node.definition, _foreign), phase=node.phase)


def _provenance(given: Any) -> Any:
    return getattr(contract, type(given).__name__)(**copied(vars(given), _foreign))


def _foreign(value: Any) -> Any:
    if value is UNDEFINED:
        return contract.UNDEFINED
    if isinstance(value, Duration):
        return contract.Duration(**value.given)
    if isinstance(value, NodeRef):
        select = value.select if isinstance(value.select, str) else {"index": value.select.index}
        route = None if value.branch_id is None else contract.BranchId([_step(s) for s in value.branch_id.segments])
        return contract.NodeRef(value.node, select, value.path, route)
    if isinstance(value, Interval | ParamRef):
        return getattr(contract, type(value).__name__)(*(getattr(value, field.name) for field in fields(value)))
    return value


def _step(step: Any) -> Any:
    is_edge = isinstance(step, EdgeSegment)
    return contract.EdgeSegment(step.edge) if is_edge else contract.JoinSegment(step.join, step.of)


def _own(value: Any) -> Any:
    if value is contract.UNDEFINED:
        return UNDEFINED
    if isinstance(value, contract.Duration):
        return Duration(**value.units())
    if isinstance(value, contract.NodeRef):
        select = value.select if isinstance(value.select, str) else dict(value.select)
        return NodeRef(value.node, select, value.path, value.branch_id and _own_route(value.branch_id))
    if isinstance(value, contract.Interval):
        return Interval(value.start, value.end)
    return ParamRef(value.path) if isinstance(value, contract.ParamRef) else value


def _own_route(route: contract.BranchId) -> BranchId:
    steps = [
        EdgeSegment(step.edge) if isinstance(step, contract.EdgeSegment) else JoinSegment(step.join, step.of)
        for step in route.segments
    ]
    return BranchId(steps)
