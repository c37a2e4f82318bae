"""The plan store: one semantics over any backend (document 31, section 3)."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from agentports.plans.fold import Fold
from agentports.plans.stores import contents, lifecycle
from agentports.plans.stores.folds import Batch, Folds
from agentports.plans.stores.tables import Backend, Tables
from agentports.ports.plans import (
    AppendResult,
    ApprovalRecord,
    ClaimRunResult,
    CreateResult,
    PlanOp,
    PlanProvenance,
    PlanState,
    PlanStatus,
    PlanSummary,
    RunEvent,
    TemplateProvenance,
    TransitionRequest,
    TransitionResult,
)

__all__ = ["BackedPlanStore"]

R = TypeVar("R")


class BackedPlanStore:
    """A `PlanStore`. Each method is one transaction of the backend.

    A call that is cancelled may still take effect, wholly. Values that cannot be encoded raise `EncodingError`, records
    that lack what they must have `ValueError`; either way nothing is written.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._folds = Folds()

    async def create_plan(
        self, plan_id: str, *, label: str | None = None, provenance: TemplateProvenance | dict[str, Any] | None = None
    ) -> CreateResult:
        """Make an editable plan at revision 0, or say `duplicate_id`."""
        return await self._write(contents.create_plan, plan_id, label, provenance)

    async def clone_plan(self, source_plan_id: str, new_plan_id: str, at_revision: int | None = None) -> CreateResult:
        """Make an editable plan with another's content, or say `source_missing`, `duplicate_id`, `revision_missing`."""
        return await self._write(contents.clone_plan, source_plan_id, new_plan_id, at_revision)

    async def append_ops(
        self, plan_id: str, ops: Sequence[PlanOp], expected_revision: int | None = None
    ) -> AppendResult:
        """Append the batch, or say `not_editable` or `revision_moved`. Raises `PlanNotFoundError`."""
        batch = Batch(ops)  # before the transaction, for which others wait

        def work(tables: Tables) -> tuple[AppendResult, Fold | None]:
            return contents.append_ops(tables, self._folds, plan_id, batch, expected_revision)

        def keep(appended: tuple[AppendResult, Fold | None]) -> None:
            if appended[1] is not None:
                self._folds.keep(plan_id, appended[1])

        return (await self._backend.run(work, write=True, then=keep))[0]

    async def read_ops(
        self, plan_id: str, *, since_lamport: int | None = None, through_revision: int | None = None
    ) -> builtins.list[PlanOp]:
        """Of the first `through_revision` ops as appended, those with a lamport above `since_lamport`.

        Raises `PlanNotFoundError` and `RevisionNotReachedError`.
        """
        return await self._read(contents.read_ops, plan_id, since_lamport, through_revision)

    async def read_provenance(self, plan_id: str) -> PlanProvenance | None:
        """Where the plan came from. Raises `PlanNotFoundError`."""
        return await self._read(contents.read_provenance, plan_id)

    async def transition(self, plan_id: str, request: TransitionRequest | dict[str, Any]) -> TransitionResult:
        """Change the state, or say `state_mismatch`, `digest_mismatch`, `illegal_transition`.

        Raises `PlanNotFoundError`.
        """
        return await self._write(lifecycle.transition, plan_id, lifecycle.as_request(request))

    async def read_state(self, plan_id: str) -> PlanStatus:
        """State, digest and revision. Raises `PlanNotFoundError`."""
        return await self._read(contents.read_state, plan_id)

    async def claim_run(self, plan_id: str, expected_digest: str, resume_run_id: str | None = None) -> ClaimRunResult:
        """Take the plan's only run, or re-enter it; else the reason, with the run there is.

        Raises `PlanNotFoundError`.
        """
        return await self._write(lifecycle.claim_run, plan_id, expected_digest, resume_run_id)

    async def append_run_events(self, plan_id: str, run_id: str, events: Sequence[RunEvent]) -> None:
        """Append the batch. Raises `PlanNotFoundError`, `RunNotFoundError`, and `PlanStoreError` after completion."""
        await self._write(lifecycle.append_run_events, plan_id, run_id, [*events])

    async def read_run_events(self, plan_id: str, run_id: str | None = None) -> builtins.list[RunEvent]:
        """The log of the plan's run. Raises `PlanNotFoundError` and `RunNotFoundError`."""
        return await self._read(lifecycle.read_run_events, plan_id, run_id)

    async def read_approval(self, plan_id: str) -> ApprovalRecord | None:
        """The decision, of an executable plan. Raises `PlanNotFoundError`."""
        return await self._read(lifecycle.read_approval, plan_id)

    async def list(self, state: PlanState | None = None) -> builtins.list[PlanSummary]:
        """A summary of every plan, or of those in a state, in order of their ids."""
        return await self._read(contents.listed, state)

    async def close(self) -> None:
        """Let go of files and connections. May be called twice; what was closed cannot be used again."""
        await self._backend.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _write(self, work: Callable[..., R], *given: Any) -> R:
        return await self._backend.run(lambda tables: work(tables, *given), write=True)

    async def _read(self, work: Callable[..., R], *given: Any) -> R:
        return await self._backend.run(lambda tables: work(tables, *given), write=False)
