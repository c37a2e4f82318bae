"""Events of runs, of every kind and with every kind of value (document 41, section 1)."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports.plans import (
    AuthorityClaim,
    EdgeTaken,
    FailedOutcome,
    FrameRef,
    FrontierSnapshot,
    InterruptionCause,
    JoinArrival,
    JoinState,
    NodeEntered,
    NodeOutcome,
    NodeOutput,
    NodeSettled,
    OkOutcome,
    OutputItem,
    PendingFrame,
    RunEvent,
    RunInterrupted,
    RunSettled,
    RunStarted,
    SettledError,
    SkippedOutcome,
)
from portproof.strategies.plans.references import routes
from portproof.strategies.plans.values import encodable_values, exact_texts
from portproof.strategies.plans.views import edge_ids, node_ids

__all__ = ["authority_claims", "edges_taken", "frames", "run_events"]


@cache
def frames() -> SearchStrategy[FrameRef]:
    """Executions of nodes; those of the entry came by no edge."""
    kinds = st.sampled_from(["entry", "call", "reason", "transform", "branch", "select", "join"])
    return st.builds(FrameRef, node_id=node_ids(), kind=kinds, branch_id=routes(), via_edge_id=st.none() | edge_ids())


@cache
def authority_claims() -> SearchStrategy[AuthorityClaim]:
    """Claims, whether or not a plan carries them."""
    verbs = st.sampled_from(["list", "read", "create", "update", "delete"])
    return st.builds(AuthorityClaim, capability=exact_texts(4), scope=exact_texts(4), verb=verbs)


@cache
@st.composite
def run_events(draw: st.DrawFn) -> RunEvent:
    """One event; no settlement that completes the run, and no artifacts."""
    return draw(_run_events())


@cache
@st.composite
def edges_taken(draw: st.DrawFn) -> EdgeTaken:
    """Edges that were taken on evidence."""
    return draw(st.builds(EdgeTaken, **_taken(), evidence=encodable_values(4)))


@cache
def _outputs() -> SearchStrategy[NodeOutput]:
    items = st.builds(OutputItem, json_=st.dictionaries(exact_texts(4), encodable_values(4), max_size=2))
    return st.builds(NodeOutput, items=st.lists(items, max_size=2), branch_id=routes())


@cache
def _outcomes() -> SearchStrategy[NodeOutcome]:
    errors = st.builds(SettledError, name=exact_texts(6), message=exact_texts())
    return st.one_of(
        st.builds(OkOutcome, output=_outputs()),
        st.builds(FailedOutcome, handled=st.booleans(), error=errors),
        st.builds(SkippedOutcome),
    )


@cache
def _causes() -> SearchStrategy[InterruptionCause]:
    plain = st.sampled_from(["turn_abort", "operator_stop", "gate_timeout", "process_death"])
    at_node = st.sampled_from(["predicate_unevaluatable", "join_unsatisfiable", "output_schema_violation"])
    return st.one_of(
        st.builds(InterruptionCause, kind=plain),
        st.integers(0, 9).map(lambda n: InterruptionCause(kind="budget_exhausted", settled=n)),
        exact_texts().map(lambda text: InterruptionCause(kind="deviation_abort", detail=text)),
        node_ids().map(lambda node: InterruptionCause(kind="node_failed", node_id=node, handled=False)),
        st.builds(InterruptionCause, kind=at_node, node_id=node_ids()),
        authority_claims().map(lambda claim: InterruptionCause(kind="authority_revoked", claim=claim)),
    )


def _taken() -> dict[str, SearchStrategy[Any]]:
    tables = {"outputs": st.dictionaries(exact_texts(6), _outputs(), max_size=2), "artifacts": st.just({})}
    ends = {"from_": frames(), "to": frames()}
    return {"at": st.just("2026-07-02T09:00:00Z"), "edge_id": edge_ids(), "handle": exact_texts(4), **ends, **tables}


@cache
def _run_events() -> SearchStrategy[RunEvent]:
    at = st.sampled_from(["2026-07-02T09:00:00Z", "2026-07-02T11:00:00.5+02:00"])
    tables = {"outputs": st.dictionaries(exact_texts(6), _outputs(), max_size=2), "artifacts": st.just({})}
    pending = st.builds(PendingFrame, frame=frames(), **tables)
    arrivals = st.builds(JoinArrival, branch=routes(), edge_id=edge_ids(), **tables)
    joins = st.builds(
        JoinState,
        node_id=node_ids(),
        correlation_key=exact_texts(6),
        arrivals=st.lists(arrivals, max_size=2),
        required=st.lists(edge_ids(), max_size=2),
    )
    return st.one_of(
        st.builds(RunStarted, at=at, run_id=exact_texts(6), digest=exact_texts(6)),
        st.builds(NodeEntered, at=at, frame=frames()),
        st.builds(NodeSettled, at=at, frame=frames(), outcome=_outcomes()),
        st.builds(EdgeTaken, **_taken()),
        edges_taken(),
        st.builds(FrontierSnapshot, at=at, frames=st.lists(pending, max_size=2), joins=st.lists(joins, max_size=1)),
        st.builds(RunInterrupted, at=at, cause=_causes()),
        st.builds(RunInterrupted, at=at, cause=_causes(), frame=frames()),
        st.builds(RunSettled, at=at, outcome=st.sampled_from(["halted", "aborted"])),
    )
