"""What a backend of a store keeps, as a transaction sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from agentports.ports.plans import PlanState

__all__ = ["Backend", "PlanRow", "Tables"]

R = TypeVar("R")


@dataclass(frozen=True)
class PlanRow:
    """A plan without its logs. `revision` and `event_count` are their lengths: what lies beyond is not there."""

    plan_id: str
    state: PlanState
    digest: str
    updated_at: str
    revision: int = 0
    node_count: int = 0
    event_count: int = 0
    label: str | None = None
    provenance: bytes | None = None
    approval: bytes | None = None
    run_id: str | None = None
    run_completed: bool = False


class Tables(Protocol):
    """Rows and logs inside one transaction."""

    def plan(self, plan_id: str, *, to_change: bool = False) -> PlanRow | None:
        """The row of a plan. One that is read to be changed is nobody else's to change until the transaction ends."""
        ...

    def add_plan(self, row: PlanRow) -> bool:
        """Add a row; False when the plan is there."""
        ...

    def save_plan(self, row: PlanRow) -> None:
        """Replace the row, of which id, label and provenance never change. The last thing that a transaction does."""
        ...

    def plans(self, state: str | None) -> Sequence[PlanRow]:
        """Every row, or those in a state, in any order."""
        ...

    def add_ops(self, row: PlanRow, ops: Sequence[bytes]) -> None:
        """Write ops behind those that the row counts."""
        ...

    def ops(self, row: PlanRow, start: int, stop: int) -> Sequence[bytes]:
        """The ops from one place to another."""
        ...

    def add_events(self, row: PlanRow, events: Sequence[bytes]) -> None:
        """Write events behind those that the row counts."""
        ...

    def events(self, row: PlanRow) -> Sequence[bytes]:
        """The events that the row counts."""
        ...


class Backend(Protocol):
    """Runs transactions."""

    async def run(self, work: Callable[[Tables], R], *, write: bool, then: Callable[[R], Any] | None = None) -> R:
        """The result of the work, once it is durable. What the work raises undoes all that it did.

        `then` is called with the result when it is durable, before anything else that this thread does.
        """
        ...

    async def close(self) -> None:
        """Let go of files and connections; may be called twice."""
        ...
