"""Records that a plan store is given, in a few words, and what identifies those that it gives back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentports.ports.plans import (
    ApprovalRecord,
    AuthorityClaim,
    BranchId,
    CloneProvenance,
    EdgeSegment,
    FailedOutcome,
    FrameRef,
    NodeEntered,
    NodeOutput,
    NodeSettled,
    OkOutcome,
    OutputItem,
    PlanProvenance,
    RunSettled,
    RunStarted,
    SettledError,
    SkippedOutcome,
    TemplateProvenance,
)
from portproof.benches.plans.fold_views import provenance_record
from portproof.benches.plans.portraits import portrait
from portproof.benches.views import view

__all__ = [
    "approval",
    "approval_portrait",
    "contract_provenance",
    "entered",
    "failed",
    "frame",
    "provenance_portrait",
    "settled",
    "skipped",
    "started",
    "stopped",
]

_AT = "2026-07-02T09:00:00Z"


def approval(plan_id: str, digest: str, by: str = "ann", claims: Iterable[AuthorityClaim] = ()) -> ApprovalRecord:
    """A decision on this digest of this plan."""
    return ApprovalRecord(plan_id=plan_id, digest=digest, authority=[*claims], decided_by=by, decided_at=_AT)


def approval_portrait(own: Any) -> str | None:
    """What identifies an approval; its claims are a set."""
    if own is None:
        return None
    fields = {name: view(own, name) for name in ("plan_id", "digest", "disposition", "decided_by", "decided_at")}
    claims = [[view(claim, name) for name in AuthorityClaim.model_fields] for claim in view(own, "authority") or ()]
    return portrait(fields | {"authority": sorted(claims)})


def provenance_portrait(own: Any) -> str | None:
    """What identifies a provenance."""
    return None if own is None else portrait(provenance_record(own))


def contract_provenance(own: Any) -> PlanProvenance | None:
    """A provenance of the contract's class."""
    if own is None:
        return None
    kind = CloneProvenance if view(own, "kind") == "clone" else TemplateProvenance
    return own if isinstance(own, kind) else kind(**provenance_record(own))


def frame(node: str, *edges: str) -> FrameRef:
    """The execution of a call that these edges led to."""
    route = BranchId([EdgeSegment(edge) for edge in edges])
    return FrameRef(node_id=node, kind="call", branch_id=route, via_edge_id=edges[-1] if edges else None)


def started(run_id: str, digest: str) -> RunStarted:
    """The first event."""
    return RunStarted(at=_AT, run_id=run_id, digest=digest)


def entered(node: str, *edges: str) -> NodeEntered:
    """A node begins."""
    return NodeEntered(at=_AT, frame=frame(node, *edges))


def settled(node: str, *edges: str, output: dict[str, Any] | None = None) -> NodeSettled:
    """A node ended well."""
    items = [OutputItem(json_=output or {})]
    put_out = NodeOutput(items=items, branch_id=BranchId([EdgeSegment(edge) for edge in edges]))
    return NodeSettled(at=_AT, frame=frame(node, *edges), outcome=OkOutcome(output=put_out))


def failed(node: str) -> NodeSettled:
    """A node failed."""
    error = SettledError(name="Boom", message="it broke")
    return NodeSettled(at=_AT, frame=frame(node), outcome=FailedOutcome(handled=True, error=error))


def skipped(node: str) -> NodeSettled:
    """A node was passed over."""
    return NodeSettled(at=_AT, frame=frame(node), outcome=SkippedOutcome())


def stopped(outcome: Any) -> RunSettled:
    """The run ends: `completed`, `halted` or `aborted`."""
    return RunSettled(at=_AT, outcome=outcome)
