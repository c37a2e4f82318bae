"""A plan as of one revision, and what folding its ops reports (document 30, section 7; document 31, section 2)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from agentports.ports.messages import Data
from agentports.ports.plans.content import Content, PlanBounds, PlanEdge, PlanNode, PlanProvenance

__all__ = ["FoldResult", "PlanIssue", "RawPlanView"]


class RawPlanView(Content):
    """The content of a plan. `digest` is what `plan_digest` says of the rest; `revision` counts the ops folded."""

    plan_id: str
    digest: str = ""
    revision: int
    nodes: list[PlanNode]
    edges: list[PlanEdge]
    bounds: PlanBounds
    provenance: PlanProvenance | None = None


class PlanIssue(Data):
    """One finding. `code` is stable and safe to branch on; `message` is for a model and says what to do."""

    code: str
    message: str
    node_id: str | None = None
    edge_id: str | None = None
    severity: Literal["blocking", "advisory"]


class FoldResult(NamedTuple):
    """What folding a log gives."""

    view: RawPlanView
    issues: list[PlanIssue]
