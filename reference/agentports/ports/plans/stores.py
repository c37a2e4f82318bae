"""What a plan store does, and what it answers (document 31, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias

from pydantic import AliasChoices, ConfigDict, Field

from agentports.ports.messages import Data
from agentports.ports.plans.approvals import ApprovalRecord
from agentports.ports.plans.content import PlanProvenance, TemplateProvenance
from agentports.ports.plans.ops import PlanOp
from agentports.ports.plans.runs import RunEvent

__all__ = [
    "AppendResult",
    "ClaimRunResult",
    "CreateResult",
    "PlanNotFoundError",
    "PlanState",
    "PlanStatus",
    "PlanStore",
    "PlanStoreError",
    "PlanSummary",
    "RevisionNotReachedError",
    "RunNotFoundError",
    "TransitionRequest",
    "TransitionResult",
]

#: `executable` is final.
PlanState: TypeAlias = Literal["editable", "reviewable", "executable"]


class PlanStoreError(Exception):
    """A store was asked for something that is not there, or cannot do its work."""


class PlanNotFoundError(PlanStoreError, LookupError):
    """There is no such plan."""


class RunNotFoundError(PlanStoreError, LookupError):
    """The plan has no run, or not this one."""


class RevisionNotReachedError(PlanStoreError, LookupError):
    """The log of the plan is not as long as that."""


class PlanStatus(Data):
    """A plan as it is now. In a refusal, a field that nobody asked about may be absent."""

    state: PlanState
    digest: str | None = None
    revision: int | None = None


class CreateResult(Data):
    """A plan was made, or `reason` says why not."""

    ok: bool
    plan_id: str | None = None
    revision: int | None = None
    digest: str | None = None
    reason: Literal["duplicate_id", "source_missing", "revision_missing"] | None = None


class AppendResult(Data):
    """The batch was appended, or nothing was, and `actual` is how the plan stands."""

    ok: bool
    revision: int | None = None
    digest: str | None = None
    reason: Literal["not_editable", "revision_moved"] | None = None
    actual: PlanStatus | None = None


class TransitionRequest(Data):
    """A change of state, for the content that has this digest. An approval goes with `reviewable` to `executable`."""

    from_: str = Field(validation_alias=AliasChoices("from", "from_"), serialization_alias="from")
    to: str
    expected_digest: str
    approval: ApprovalRecord | None = None


class TransitionResult(Data):
    """The state changed, or `reason` says why not."""

    model_config = ConfigDict(frozen=True, from_attributes=True)

    ok: bool
    revision: int | None = None
    reason: Literal["state_mismatch", "digest_mismatch", "illegal_transition"] | None = None
    actual: PlanStatus | None = None
    from_: str | None = Field(default=None, validation_alias=AliasChoices("from", "from_"), serialization_alias="from")
    to: str | None = None


class ClaimRunResult(Data):
    """The run is the caller's, or `reason` says why not; `existing_run_id` names the plan's run where there is one."""

    ok: bool
    run_id: str | None = None
    resumed: bool | None = None
    reason: (
        Literal["not_executable", "digest_mismatch", "run_already_claimed", "run_not_found", "run_already_settled"]
        | None
    ) = None
    existing_run_id: str | None = None


class PlanSummary(Data):
    """One line of a list. `updated_at` is ISO 8601 with an offset, and never goes back."""

    plan_id: str
    state: PlanState
    digest: str
    revision: int
    node_count: int
    label: str | None = None
    provenance: PlanProvenance | None = None
    updated_at: str


class PlanStore(Protocol):
    """Keeps plans. Every method is one atomic step; expected refusals are returned, what is unknown is raised."""

    async def create_plan(
        self, plan_id: str, *, label: str | None = None, provenance: TemplateProvenance | dict[str, Any] | None = None
    ) -> CreateResult:
        """Make an editable plan at revision 0."""
        ...

    async def clone_plan(self, source_plan_id: str, new_plan_id: str, at_revision: int | None = None) -> CreateResult:
        """Make an editable plan with the content of another one, as of a revision."""
        ...

    async def append_ops(
        self, plan_id: str, ops: Sequence[PlanOp], expected_revision: int | None = None
    ) -> AppendResult:
        """Append a batch, whole or not at all, while the plan is editable."""
        ...

    async def read_ops(
        self, plan_id: str, *, since_lamport: int | None = None, through_revision: int | None = None
    ) -> list[PlanOp]:
        """The ops in the order in which they were appended: of the prefix, those with a greater lamport."""
        ...

    async def read_provenance(self, plan_id: str) -> PlanProvenance | None:
        """Where the plan came from."""
        ...

    async def transition(self, plan_id: str, request: TransitionRequest) -> TransitionResult:
        """Change the state."""
        ...

    async def read_state(self, plan_id: str) -> PlanStatus:
        """State, digest and revision."""
        ...

    async def claim_run(self, plan_id: str, expected_digest: str, resume_run_id: str | None = None) -> ClaimRunResult:
        """Take the plan's only run, or re-enter it."""
        ...

    async def append_run_events(self, plan_id: str, run_id: str, events: Sequence[RunEvent]) -> None:
        """Append a batch to the log of the run, whole or not at all."""
        ...

    async def read_run_events(self, plan_id: str, run_id: str | None = None) -> list[RunEvent]:
        """The log of the plan's run."""
        ...

    async def read_approval(self, plan_id: str) -> ApprovalRecord | None:
        """The decision, of an executable plan."""
        ...

    async def list(self, state: PlanState | None = None) -> list[PlanSummary]:
        """A summary of every plan, or of those in a state."""
        ...
