"""What a plan store answered, read leniently: objects or mappings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from agentports.ports import plans
from agentports.ports.plans import BranchId, EdgeSegment, PlanOp
from portproof.benches.plans.fold_views import record_of
from portproof.benches.plans.portraits import portrait
from portproof.benches.views import view
from portproof.running.outcome import Violation
from portproof.running.plain import plain

__all__ = ["Answer", "Status", "contract_event", "contract_op", "event_portraits", "op_portraits", "record_portrait"]


@dataclass(frozen=True)
class Status:
    """State, digest and revision; what was not said is None."""

    state: Any = None
    digest: Any = None
    revision: Any = None

    @classmethod
    def of(cls, raw: Any) -> Status:
        """Read one."""
        return cls(*(view(raw, name) for name in ("state", "digest", "revision")))


@dataclass(frozen=True)
class Answer:
    """The result of a call that is granted or refused; `raw` is the object itself."""

    raw: Any

    @property
    def ok(self) -> bool:
        """Whether it was granted. Raises a `Violation` for a result that does not say."""
        ok = view(self.raw, "ok")
        if not isinstance(ok, bool):
            raise Violation("the result does not say ok", result=self.raw)
        return ok

    @property
    def reason(self) -> Any:
        """Why it was refused."""
        return view(self.raw, "reason")

    @property
    def actual(self) -> Status:
        """How the plan stands, in a refusal."""
        return Status.of(view(self.raw, "actual"))

    def said(self, name: str) -> Any:
        """Any other member."""
        return view(self.raw, name)

    def granted(self, what: str) -> Answer:
        """Itself. Raises a `Violation` when it is a refusal."""
        if not self.ok:
            raise Violation(f"{what} was refused as {self.reason}", result=plain(self.raw))
        return self

    def refused(self, what: str, *reasons: str) -> Answer:
        """Itself. Raises a `Violation` when it was granted, or refused for a reason that is none of these."""
        if self.ok:
            raise Violation(f"{what} was granted", result=plain(self.raw))
        if reasons and self.reason not in reasons:
            expected = " or ".join(reasons)
            raise Violation(f"{what} was refused as {self.reason}, not as {expected}", result=plain(self.raw))
        return self


def op_portraits(own: Any) -> list[str]:
    """What identifies each op of a log that a store returned. Raises a `Violation` for what is no log."""
    if not isinstance(own, list | tuple):
        raise Violation("read_ops did not return a list", got=own)
    return [_op_portrait(op) for op in own]


def _op_portrait(own: Any) -> str:
    op = contract_op(own)
    return portrait(record_of(op, op) | (op.model_extra or {}))


def contract_op(own: Any) -> PlanOp:
    """An op of the contract's class. Raises a `Violation` for what is none."""
    kind = plans.OP_CLASSES.get(view(own, "op"), plans.UnknownOp)
    try:
        op: PlanOp = own if isinstance(own, kind) else kind.model_validate(own)
    except ValidationError as error:
        raise _none_of_the_contract("op", own, error) from None
    return op


def contract_event(own: Any) -> plans.RunEvent:
    """An event of the contract's class. Raises a `Violation` for what is none."""
    kind: Any = plans.EVENT_CLASSES.get(view(own, "kind"))
    if kind is None:
        raise Violation(f"an event of the log has the kind {view(own, 'kind')!r}", event=plain(own))
    try:
        event: plans.RunEvent = own if isinstance(own, kind) else kind.model_validate(own)
    except ValidationError as error:
        raise _none_of_the_contract("event", own, error) from None
    return event


def _none_of_the_contract(what: str, own: Any, error: ValidationError) -> Violation:
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    return Violation(f"the log holds what is no {what} of the contract: {where}: {first['msg']}", got=plain(own))


def event_portraits(own: Any) -> list[str]:
    """What identifies each event of a log; of artifacts, that they are there."""
    if not isinstance(own, list | tuple):
        raise Violation("read_run_events did not return a list", got=own)
    return [record_portrait(contract_event(event)) for event in own]


def record_portrait(record: Any) -> str:
    """What identifies a record, whose absent fields are like None."""
    return portrait(_parts(record))


def _parts(part: Any) -> Any:
    if isinstance(part, BaseModel):
        fields = {name: value for name, value in part if value is not None}
        return {name: [*value] if name == "artifacts" else _parts(value) for name, value in fields.items()}
    if isinstance(part, BranchId):
        return [[s.edge] if isinstance(s, EdgeSegment) else [s.join, *s.of] for s in part.segments]
    if isinstance(part, Mapping):
        return {key: _parts(value) for key, value in part.items()}
    return [_parts(value) for value in part] if type(part) in (list, tuple) else part
