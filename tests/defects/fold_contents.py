"""Folds whose views hold other bounds, provenance, digest or members than they should."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from portproof_defects._folds import Folding, Op, State

from agentports.plans import plan_digest
from agentports.ports import DEFAULT_PLAN_BOUNDS, PlanBounds, PlanOp, PlanProvenance, RawPlanView
from portproof.selftest import defect


@defect("OPS-EMPTY-LOG")
class NoBoundsYet(Folding):
    """A plan without ops has no bounds."""

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        digested = super().with_digest(view, ops)
        return digested if ops else digested.model_copy(update={"bounds": None})


@defect("OPS-EMPTY-LOG")
class AllEmptyPlansAlike(Folding):
    """The digest of a plan without content is that of nothing."""

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        digested = super().with_digest(view, ops)
        return digested if ops else digested.model_copy(update={"digest": hashlib.sha256(b"").hexdigest()})


@defect("OPS-DEFAULT-BOUNDS")
class RoundMegabyte(Folding):
    """A plan may have a million bytes, not 1,048,576."""

    def view(self, state: State, plan_id: str, revision: int, provenance: PlanProvenance | None) -> RawPlanView:
        if state.bounds is DEFAULT_PLAN_BOUNDS:
            state.bounds = state.bounds.model_copy(update={"max_encoded_bytes": 1_000_000})
        return super().view(state, plan_id, revision, provenance)


@defect("OPS-SET-BOUNDS")
class StrictestBounds(Folding):
    """Of all bounds that were set the least hold."""

    def on_set_bounds(self, state: State, op: Op) -> None:
        least = {name: min(getattr(state.bounds, name), limit) for name, limit in op.bounds}
        state.bounds = PlanBounds(**least)


@defect("OPS-SET-BOUNDS")
class BoundsAreSetOnce(Folding):
    """Bounds that were set stay."""

    def on_set_bounds(self, state: State, op: Op) -> None:
        if state.bounds is DEFAULT_PLAN_BOUNDS:
            super().on_set_bounds(state, op)


@defect("OPS-PROVENANCE-CARRIED")
class DigestFirst(Folding):
    """The digest is taken before the provenance is attached."""

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        bare = view.model_copy(update={"provenance": None})
        return view.model_copy(update={"digest": plan_digest(bare)})


@defect("OPS-PROVENANCE-CARRIED")
class DropsProvenance(Folding):
    """The view has no provenance."""

    def provenance(self, given: PlanProvenance | None) -> PlanProvenance | None:
        return None


@defect("OPS-PROVENANCE-CARRIED")
class ForgetsWhatWasDone(Folding):
    """Of a clone it is not digested which nodes had settled."""

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        origin = view.provenance
        if origin is not None and origin.kind == "clone":
            origin = origin.model_copy(update={"completed_at_clone": []})
        return view.model_copy(update={"digest": plan_digest(view.model_copy(update={"provenance": origin}))})


@defect("OPS-DIGEST-IS-PLAN-DIGEST")
class HashesTheText(Folding):
    """The digest is a hash of another rendering of the view."""

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        return view.model_copy(update={"digest": hashlib.sha256(repr(view).encode()).hexdigest()})


@defect("OPS-DIGEST-IS-PLAN-DIGEST")
class ItsOwnFunctionDiffers(Folding):
    """The digest in the view is upper case, while its own plan_digest gives lower case."""

    def plan_digest(self, view: RawPlanView) -> str:
        return plan_digest(view)

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        return view.model_copy(update={"digest": plan_digest(view).upper()})


@defect("OPS-NO-STATE-IN-VIEW")
class Editable(Folding):
    """Every view says that the plan is editable."""

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        return {**dict(super().with_digest(view, ops)), "state": "editable"}


@defect("OPS-NO-STATE-IN-VIEW")
class StateByAttribute(Folding):
    """The view has a property status."""

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        digested = super().with_digest(view, ops)
        return _WithStatus(**dict(digested))


class _WithStatus(RawPlanView):
    @property
    def status(self) -> str:
        return "draft"
