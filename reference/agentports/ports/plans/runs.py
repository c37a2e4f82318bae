"""The records of a run: frames, outcomes, and the events of its log (document 41, section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field

from agentports.ports.plans.approvals import AuthorityClaim
from agentports.ports.plans.content import Content
from agentports.ports.plans.routes import BranchId, EdgeSegment, JoinSegment
from agentports.ports.plans.values import EncodableValue

__all__ = [
    "EVENT_CLASSES",
    "ArtifactTable",
    "EdgeTaken",
    "FailedOutcome",
    "FrameRef",
    "FrontierSnapshot",
    "InterruptionCause",
    "JoinArrival",
    "JoinState",
    "NodeEntered",
    "NodeOutcome",
    "NodeOutput",
    "NodeSettled",
    "OkOutcome",
    "OutputItem",
    "OutputTable",
    "PendingFrame",
    "RunEvent",
    "RunEventRecord",
    "RunInterrupted",
    "RunSettled",
    "RunStarted",
    "SettledError",
    "SkippedOutcome",
]


class Logged(Content):
    """Base of what a run's log holds."""

    model_config = ConfigDict(
        frozen=True,
        from_attributes=True,
        extra="forbid",
        strict=True,
        arbitrary_types_allowed=True,
        defer_build=True,  # these are many, and few programs use them
    )


def _route(given: Any) -> Any:
    """A route, from its record as well."""
    if not isinstance(given, Mapping):
        return given
    return BranchId([EdgeSegment(**step) if "edge" in step else JoinSegment(**step) for step in given["segments"]])


#: A route, or its record: `{"segments": [{"edge": E}, {"join": N, "of": [E, …]}]}`.
Route: TypeAlias = Annotated[BranchId, BeforeValidator(_route)]


class FrameRef(Logged):
    """One execution of a node: `via_edge_id` is None for the entry. `kind` rides along, so that no graph is needed."""

    node_id: str
    kind: str
    branch_id: Route
    via_edge_id: str | None


class OutputItem(Logged):
    """One item of a node's output."""

    json_: dict[str, EncodableValue] = Field(validation_alias=AliasChoices("json", "json_"), serialization_alias="json")


class NodeOutput(Logged):
    """What an execution of a node put out; always a list."""

    items: list[OutputItem]
    branch_id: Route


#: By frame key, `NODE:BRANCHKEY`.
OutputTable: TypeAlias = Mapping[str, NodeOutput]
#: By frame key; the values are artifacts.
ArtifactTable: TypeAlias = Mapping[str, Any]


class SettledError(Logged):
    """Why a node failed."""

    name: str
    message: str


class OkOutcome(Logged):
    """The node ran."""

    status: Literal["ok"] = "ok"
    output: NodeOutput


class FailedOutcome(Logged):
    """The node failed; `handled` tells whether an error edge takes over."""

    status: Literal["failed"] = "failed"
    handled: bool
    error: SettledError


class SkippedOutcome(Logged):
    """The node was passed over on resume, since whether it ran cannot be known."""

    status: Literal["skipped"] = "skipped"
    reason: Literal["indeterminate_skip"] = "indeterminate_skip"


NodeOutcome: TypeAlias = OkOutcome | FailedOutcome | SkippedOutcome


class PendingFrame(Logged):
    """A frame that waits to run, with what its route brought."""

    frame: FrameRef
    outputs: OutputTable
    artifacts: ArtifactTable


class JoinArrival(Logged):
    """A branch that reached a join."""

    branch: Route
    edge_id: str
    outputs: OutputTable
    artifacts: ArtifactTable


class JoinState(Logged):
    """A join that waits for its branches."""

    node_id: str
    correlation_key: str
    arrivals: list[JoinArrival]
    required: list[str]


class InterruptionCause(Logged):
    """Why a run stopped short: `kind`, and of the other fields those that belong to it. The list of kinds is closed."""

    kind: Literal[
        "turn_abort",
        "operator_stop",
        "gate_timeout",
        "process_death",
        "budget_exhausted",
        "deviation_abort",
        "node_failed",
        "predicate_unevaluatable",
        "join_unsatisfiable",
        "output_schema_violation",
        "authority_revoked",
    ]
    settled: int | None = None
    detail: str | None = None
    node_id: str | None = None
    handled: Literal[False] | None = None
    claim: AuthorityClaim | None = None


class RunEventRecord(Logged):
    """What every event says. `at` is ISO 8601 text."""

    at: str


class RunStarted(RunEventRecord):
    """The first event of a log."""

    kind: Literal["run_started"] = "run_started"
    run_id: str
    digest: str


class NodeEntered(RunEventRecord):
    """A node begins."""

    kind: Literal["node_entered"] = "node_entered"
    frame: FrameRef


class NodeSettled(RunEventRecord):
    """A node ended."""

    kind: Literal["node_settled"] = "node_settled"
    frame: FrameRef
    outcome: NodeOutcome = Field(discriminator="status")


class EdgeTaken(RunEventRecord):
    """The run follows an edge, with the tables of that route. `evidence` may be absent."""

    kind: Literal["edge_taken"] = "edge_taken"
    edge_id: str
    handle: str
    from_: FrameRef = Field(validation_alias=AliasChoices("from", "from_"), serialization_alias="from")
    to: FrameRef
    outputs: OutputTable
    artifacts: ArtifactTable
    evidence: EncodableValue = None


class FrontierSnapshot(RunEventRecord):
    """All that waits."""

    kind: Literal["frontier_snapshot"] = "frontier_snapshot"
    frames: list[PendingFrame]
    joins: list[JoinState]


class RunInterrupted(RunEventRecord):
    """The run stops short; `frame` may be absent."""

    kind: Literal["run_interrupted"] = "run_interrupted"
    cause: InterruptionCause
    frame: FrameRef | None = None


class RunSettled(RunEventRecord):
    """The run ends. Only `completed` is final."""

    kind: Literal["run_settled"] = "run_settled"
    outcome: Literal["completed", "halted", "aborted"]


RunEvent: TypeAlias = (
    RunStarted | NodeEntered | NodeSettled | EdgeTaken | FrontierSnapshot | RunInterrupted | RunSettled
)

#: By what `kind` says. There are no others.
EVENT_CLASSES: Final[Mapping[str, type[Any]]] = {
    kind.model_fields["kind"].default: kind
    for kind in (RunStarted, NodeEntered, NodeSettled, EdgeTaken, FrontierSnapshot, RunInterrupted, RunSettled)
}
