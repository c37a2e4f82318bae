"""What a plan consists of: nodes, edges, bounds, and where it came from (document 30, sections 6 and 7)."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

__all__ = [
    "DEFAULT_PLAN_BOUNDS",
    "CloneProvenance",
    "PlanBounds",
    "PlanEdge",
    "PlanNode",
    "PlanProvenance",
    "TemplateProvenance",
]


class Content(BaseModel):
    """Base of what a digest covers. Nothing is converted, and a field that would not be covered is refused."""

    model_config = ConfigDict(frozen=True, from_attributes=True, extra="forbid", strict=True, defer_build=True)


class PlanNode(Content):
    """A node. `definition` is kept as authored, whatever it is; `phase` is a label for people."""

    id: str
    kind: str
    definition: Any
    phase: str | None = None


class PlanEdge(Content):
    """An edge. Its record says `from`, which is a keyword in Python."""

    id: str
    from_: str = Field(validation_alias=AliasChoices("from", "from_"), serialization_alias="from")
    to: str
    handle: str


class PlanBounds(Content):
    """Limits of a plan: counts, and bytes of its encoding."""

    max_nodes: int
    max_edges: int
    max_steps: int
    max_concurrent_frames: int
    max_encoded_bytes: int


#: What a plan starts with.
DEFAULT_PLAN_BOUNDS: Final = PlanBounds(
    max_nodes=256, max_edges=512, max_steps=4096, max_concurrent_frames=32, max_encoded_bytes=1_048_576
)


class CloneProvenance(Content):
    """The plan continues another one. `completed_at_clone` holds the ids of nodes that had settled well there."""

    kind: Literal["clone"] = "clone"
    parent: str
    parent_digest: str
    parent_revision: int
    completed_at_clone: list[str]


class TemplateProvenance(Content):
    """The plan was made from a template with these arguments."""

    kind: Literal["template"] = "template"
    template: str
    args: dict[str, Any]


PlanProvenance: TypeAlias = CloneProvenance | TemplateProvenance
