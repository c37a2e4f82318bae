"""What a view holds besides nodes and edges: bounds, provenance, a digest, and no state (documents 30, 7 and 31, 2)."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from agentports.plans import plan_digest
from agentports.ports import (
    DEFAULT_PLAN_BOUNDS,
    CloneProvenance,
    EncodingError,
    PlanBounds,
    PlanEdge,
    PlanNode,
    PlanOp,
    PlanProvenance,
    RawPlanView,
    TemplateProvenance,
)
from portproof.benches.plans.fold_views import Folded
from portproof.benches.plans.folds import FoldBench
from portproof.benches.plans.portraits import portrait
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.strategies.plans.brief_ops import add_node, log, set_bounds
from portproof.strategies.plans.op_logs import Arrival, arrivals, logs_of, op_logs
from portproof.strategies.plans.ops import KEY
from portproof.strategies.plans.values import exact_texts
from portproof.strategies.plans.views import plan_bounds, provenances

_TWO_PLANS = st.lists(exact_texts(), min_size=2, max_size=2, unique=True)


@check("OPS-EMPTY-LOG", plans=_TWO_PLANS)
async def an_empty_log_is_a_plan_without_content(bench: FoldBench, plans: list[str]) -> None:
    folds = [bench.fold([], plan) for plan in plans]
    for plan, folded in zip(plans, folds, strict=True):
        for name, expected in (("plan_id", plan), ("revision", 0)):
            expect_equal(folded.member(name), expected, f"{name} of the empty log")
        expect_equal(
            (folded.nodes, folded.edges, folded.issues), ([], [], []), "nodes, edges and issues of the empty log"
        )
        expect_equal(folded.bounds, dict(DEFAULT_PLAN_BOUNDS), "bounds of the empty log")
        digest = folded.member("digest")
        expect(isinstance(digest, str) and digest, "the empty log has no digest", digest=digest)
        expect_equal(bench.fold([], plan).member("digest"), digest, "digest of the empty log, folded again")
    expect(folds[0].member("digest") != folds[1].member("digest"), "two empty plans have one digest", plans=plans)


@check("OPS-DEFAULT-BOUNDS")
async def a_plan_starts_with_the_default_bounds(bench: FoldBench) -> None:
    for ops in ([], log(add_node("a"))):
        for name, limit in dict(DEFAULT_PLAN_BOUNDS).items():
            expect_equal(bench.fold(ops).bounds[name], limit, f"{name} of a plan without bounds of its own")


_BOUNDS = st.builds(set_bounds, plan_bounds())


@check("OPS-SET-BOUNDS", arrival=arrivals(logs_of(_BOUNDS, min_size=1, max_size=5)))
async def the_highest_bounds_stay_as_a_whole(bench: FoldBench, arrival: Arrival) -> None:
    last: Any = max(arrival.log, key=KEY)
    expect_equal(bench.fold(arrival.ops).bounds, dict(last.bounds), "bounds of the view")


@check("OPS-PROVENANCE-CARRIED", ops=op_logs(max_size=4), provenance=provenances())
async def provenance_is_in_the_view_and_in_the_digest(
    bench: FoldBench, ops: list[PlanOp], provenance: PlanProvenance
) -> None:
    folded, without = bench.fold(ops, provenance=provenance), bench.fold(ops)
    expect_equal(without.provenance, None, "provenance of a plan that was given none")
    expect_equal(folded.portrait(folded.provenance), portrait(dict(provenance)), "provenance in the view")
    others = {"without provenance": without}
    others |= {f"with another {name}": bench.fold(ops, provenance=other) for name, other in _others(provenance)}
    for how, other in others.items():
        expect(other.member("digest") != folded.member("digest"), f"the digest is the same {how}")


@check("OPS-DIGEST-IS-PLAN-DIGEST", arrival=arrivals(op_logs(min_size=1)), provenance=st.none() | provenances())
async def the_digest_is_that_of_the_view(bench: FoldBench, arrival: Arrival, provenance: PlanProvenance | None) -> None:
    folded = bench.fold(arrival.ops, provenance=provenance)
    own = getattr(bench.namespace, "plan_digest", None)
    expected = own(folded.view) if callable(own) else _contract_digest(folded)
    expect_equal(folded.member("digest"), expected, "digest in the view")


@check("OPS-NO-STATE-IN-VIEW", ops=op_logs(max_size=4))
async def a_view_has_no_state(bench: FoldBench, ops: list[PlanOp]) -> None:
    view = bench.fold(ops).view
    for name in ("state", "status"):
        there = name in view if isinstance(view, Mapping) else inspect.getattr_static(view, name, None) is not None
        expect(not there, f"the view has a member {name}")


def _others(provenance: PlanProvenance) -> list[tuple[str, PlanProvenance]]:
    """The provenance with one field changed, for each."""
    changes: dict[str, Any] = {}
    if isinstance(provenance, TemplateProvenance):
        changes = {"template": f"{provenance.template}x", "args": {**provenance.args, "more": 1}}
    else:
        changes = {
            "parent": f"{provenance.parent}x",
            "parent_digest": provenance.parent_digest[::-1] + "0",
            "parent_revision": provenance.parent_revision + 1,
            "completed_at_clone": [*provenance.completed_at_clone, "more"],
        }
    return [(name, provenance.model_copy(update={name: value})) for name, value in changes.items()]


def _contract_digest(folded: Folded) -> str:
    """The digest by the contract's own encoder. Raises `NotTested` for values of classes that it does not know."""
    origin = folded.provenance
    kind = None if origin is None else {"clone": CloneProvenance, "template": TemplateProvenance}[origin["kind"]]
    try:
        return plan_digest(
            RawPlanView(
                plan_id=folded.member("plan_id"),
                revision=folded.member("revision"),
                nodes=[PlanNode(**node) for node in folded.nodes],
                edges=[PlanEdge(**edge) for edge in folded.edges],
                bounds=PlanBounds(**folded.bounds),
                provenance=None if origin is None or kind is None else kind(**origin),
            )
        )
    except EncodingError as error:
        raise NotTested(f"the subject has classes of its own, and no plan_digest for them ({error})") from None
