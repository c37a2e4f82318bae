"""Classes of plans as somebody else writes them: named tuples' cousins, plain dataclasses, an enum member."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any


class Nothing(enum.Enum):
    UNDEFINED = "undefined"

    def __bool__(self) -> bool:
        return False


UNDEFINED = Nothing.UNDEFINED


class Duration:
    """Keeps the units that it was given, in a dict."""

    def __init__(self, **units: Any) -> None:
        self.given = units

    def __getattr__(self, unit: str) -> Any:
        if unit.startswith("_") or unit == "given":
            raise AttributeError(unit)
        return self.given.get(unit)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Duration) and self.given == other.given

    def __hash__(self) -> int:
        return hash(frozenset(self.given.items()))


@dataclass(frozen=True)
class Interval:
    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        naive = [(end.replace(tzinfo=None), end.utcoffset() or timedelta(0)) for end in (self.start, self.end)]
        (first, ahead), (last, behind) = naive
        if first - last > ahead - behind:
            raise ValueError("ends before it starts")


@dataclass(frozen=True)
class EdgeSegment:
    edge: str


@dataclass(frozen=True)
class JoinSegment:
    join: str
    of: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "of", tuple(self.of))


@dataclass(frozen=True)
class BranchId:
    segments: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", tuple(self.segments))


@dataclass(frozen=True)
class At:
    """The n-th execution. Can be subscripted as the dict that it stands for."""

    index: int

    def __getitem__(self, key: str) -> int:
        return {"index": self.index}[key]


@dataclass(frozen=True)
class NodeRef:
    node: str
    select: Any
    path: str | None = None
    branch_id: BranchId | None = None

    def __post_init__(self) -> None:
        if isinstance(self.select, dict):
            object.__setattr__(self, "select", At(self.select["index"]))
        if not isinstance(self.node, str) or not (type(self.select) is At or self.select in ("first", "last", "all")):
            raise ValueError("no reference")


@dataclass(frozen=True)
class ParamRef:
    path: str


def is_node_ref(value: object) -> bool:
    return isinstance(value, NodeRef)


def is_param_ref(value: object) -> bool:
    return isinstance(value, ParamRef)


@dataclass
class PlanNode:
    id: str
    kind: str
    definition: Any
    phase: str | None = None


@dataclass
class PlanEdge:
    id: str
    from_: str
    to: str
    handle: str


@dataclass
class PlanBounds:
    max_nodes: int
    max_edges: int
    max_steps: int
    max_concurrent_frames: int
    max_encoded_bytes: int


@dataclass
class CloneProvenance:
    parent: str
    parent_digest: str
    parent_revision: int
    completed_at_clone: list[str]
    kind: str = "clone"


@dataclass
class TemplateProvenance:
    template: str
    args: dict[str, Any]
    kind: str = "template"


@dataclass
class RawPlanView:
    plan_id: str
    digest: str
    revision: int
    nodes: list[PlanNode]
    edges: list[PlanEdge]
    bounds: PlanBounds
    provenance: Any = field(default=None)
