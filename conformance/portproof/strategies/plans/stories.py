"""What happens to a few plans in a store, one thing after another, legal or not (document 31, section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports.plans import PlanOp, RunEvent, TemplateProvenance
from portproof.strategies.plans.op_logs import op_logs
from portproof.strategies.plans.run_events import run_events

__all__ = ["PLANS", "Append", "Claim", "Clone", "Create", "Move", "Record", "Step", "stories"]

#: The plans of a story.
PLANS = ("p", "q", "r")
_STATES = ("editable", "reviewable", "executable")


@dataclass(frozen=True)
class Create:
    """Create a plan."""

    plan: str
    label: str | None = None
    provenance: TemplateProvenance | None = None


@dataclass(frozen=True)
class Clone:
    """Clone a plan, as of `revision` where there is one."""

    source: str
    plan: str
    revision: int | None = None


@dataclass(frozen=True)
class Append:
    """Append a batch; `off` is how far the expected revision is from the right one, if there is to be one."""

    plan: str
    ops: list[PlanOp]
    off: int | None = None


@dataclass(frozen=True)
class Move:
    """Ask for a change of state with the current digest, an earlier one, or a made-up one."""

    plan: str
    from_: str
    to: str
    digest: Literal["current", "stale", "bogus"] = "current"
    approved: bool = True


@dataclass(frozen=True)
class Claim:
    """Claim the run afresh, or re-enter the plan's, or name one that it has not."""

    plan: str
    resume: Literal["fresh", "own", "unknown"] = "fresh"


@dataclass(frozen=True)
class Record:
    """Append events to the run's log."""

    plan: str
    events: list[RunEvent]
    completes: bool = False


Step = Create | Clone | Append | Move | Claim | Record

_PLAN = st.sampled_from(PLANS)


@cache
def _steps() -> SearchStrategy[Step]:
    templates = st.builds(TemplateProvenance, template=st.just("t"), args=st.just({"x": 1}))
    legal = st.sampled_from([("editable", "reviewable"), ("reviewable", "editable"), ("reviewable", "executable")])
    pairs = legal | st.tuples(st.sampled_from(_STATES), st.sampled_from(_STATES))
    digests = st.sampled_from(["current", "current", "current", "stale", "bogus"])
    approved = st.sampled_from([True, True, True, False])
    return st.one_of(
        st.builds(Create, plan=_PLAN, label=st.none() | st.just("l"), provenance=st.none() | templates),
        st.builds(Clone, source=_PLAN, plan=_PLAN, revision=st.none() | st.integers(-1, 4)),
        st.builds(Append, plan=_PLAN, ops=op_logs(1, 2), off=st.sampled_from([None, None, 0, 0, 1, -1])),
        st.builds(lambda plan, pair, *rest: Move(plan, pair[0], pair[1], *rest), _PLAN, pairs, digests, approved),
        st.builds(Claim, plan=_PLAN, resume=st.sampled_from(["fresh", "fresh", "own", "unknown"])),
        st.builds(Record, plan=_PLAN, events=st.lists(run_events(), min_size=1, max_size=2), completes=st.booleans()),
    )


@cache
@st.composite
def stories(draw: st.DrawFn, max_size: int = 14) -> list[Step]:
    """Stories that begin with a plan; one in two takes a plan all the way to a run."""
    through: list[Any] = [Move("p", "editable", "reviewable"), Move("p", "reviewable", "executable"), Claim("p")]
    told: list[Step] = [Create("p"), Append("p", draw(op_logs(0, 3)))]
    told += draw(st.lists(_steps(), max_size=max_size // 2))
    told += through[: draw(st.sampled_from([0, 0, 1, 2, 3, 3]))]
    return told + draw(st.lists(_steps(), max_size=max_size // 2))
