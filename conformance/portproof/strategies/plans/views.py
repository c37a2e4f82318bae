"""Views of plans as folding a log gives them, with authored definitions of every kind of node."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import (
    DEFAULT_PLAN_BOUNDS,
    CloneProvenance,
    PlanBounds,
    PlanEdge,
    PlanNode,
    PlanProvenance,
    RawPlanView,
    TemplateProvenance,
)
from portproof.strategies.plans.references import arg_values, node_refs
from portproof.strategies.plans.values import encodable_values, exact_texts

__all__ = ["definitions", "edge_ids", "node_ids", "plan_bounds", "plan_views", "provenances"]


@cache
def node_ids() -> SearchStrategy[str]:
    """Ids of nodes."""
    return st.text("abz09_", min_size=1, max_size=4)


@cache
def edge_ids() -> SearchStrategy[str]:
    """Ids of edges."""
    return st.text("aZ09_-", min_size=1, max_size=4)


@cache
def _declared_fields() -> SearchStrategy[list[Any]]:
    text = st.fixed_dictionaries(
        {"path": exact_texts(4), "type": st.just("string")}, optional={"max_bytes": st.integers(0, 9)}
    )
    enum = st.fixed_dictionaries(
        {"path": exact_texts(4), "type": st.just("enum"), "values": st.lists(exact_texts(3), max_size=2)}
    )
    plain = st.fixed_dictionaries({"path": exact_texts(4), "type": st.sampled_from(["number", "boolean"])})
    return st.lists(text | enum | plain, max_size=2)


@cache
def _calls() -> SearchStrategy[dict[str, Any]]:
    claim = st.fixed_dictionaries(
        {
            "capability": exact_texts(4),
            "scope": exact_texts(4),
            "verb": st.sampled_from(["list", "read", "create", "update", "delete"]),
        }
    )
    return st.fixed_dictionaries(
        {
            "tool": exact_texts(6),
            "args": st.dictionaries(exact_texts(4), arg_values(4), max_size=3),
            "output": _declared_fields(),
            "on_missing_value": st.sampled_from(["fail", "omit"]),
            "authority": st.lists(claim, max_size=2),
            "replay_safe": st.booleans(),
            "on_indeterminate": st.sampled_from(["retry", "halt", "skip"]),
        },
        optional={"declassifies": st.lists(exact_texts(3), max_size=2)},
    )


@cache
@st.composite
def definitions(draw: st.DrawFn, kind: str) -> Any:
    """Definitions of nodes of that kind, as somebody authors them."""
    return draw(_definitions(kind))


@cache
def _definitions(kind: str) -> SearchStrategy[Any]:
    step = st.fixed_dictionaries(
        {"name": exact_texts(4)}, optional={"args": st.dictionaries(exact_texts(3), encodable_values(3), max_size=2)}
    )
    prompt = st.fixed_dictionaries({"text": exact_texts()}) | node_refs()
    judged = {"evaluator": exact_texts(4), "predicate": encodable_values(3)}
    by_kind: dict[str, SearchStrategy[Any]] = {
        "entry": st.fixed_dictionaries({"input": _declared_fields()}),
        "call": _calls(),
        "reason": st.fixed_dictionaries(
            {
                "prompt": st.lists(prompt, max_size=2),
                "output_schema": st.just("{}"),
                "max_attempts": st.integers(1, 4),
            }
        ),
        "transform": st.fixed_dictionaries(
            {
                "source": node_refs(),
                "steps": st.lists(step, max_size=2),
                "emit": st.just({"as": "rows"}) | st.just({"as": "value", "field": "a"}),
                "output": _declared_fields(),
            }
        ),
        "branch": st.fixed_dictionaries(judged),
        "select": st.fixed_dictionaries({**judged, "cases": st.lists(exact_texts(3), max_size=2)}),
        "join": st.just({}) | st.just({"kind": "diamond"}),
    }
    return by_kind[kind]


@cache
def plan_bounds() -> SearchStrategy[PlanBounds]:
    """Bounds, the default ones among them."""
    limits = {name: st.integers(0, 10_000) for name in PlanBounds.model_fields}
    return st.just(DEFAULT_PLAN_BOUNDS) | st.builds(PlanBounds, **limits)


@cache
def provenances() -> SearchStrategy[PlanProvenance]:
    """Where a plan came from."""
    clones = st.builds(
        CloneProvenance,
        parent=exact_texts(4),
        parent_digest=st.text("0123456789abcdef", min_size=64, max_size=64),
        parent_revision=st.integers(0, 99),
        completed_at_clone=st.lists(node_ids(), max_size=2, unique=True),
    )
    args = st.dictionaries(exact_texts(3), encodable_values(3), max_size=2)
    return clones | st.builds(TemplateProvenance, template=exact_texts(4), args=args)


@cache
def _nodes() -> SearchStrategy[PlanNode]:
    kinds = st.sampled_from(["call", "call", "reason", "transform", "branch", "select", "join", "entry"])
    phases = st.none() | exact_texts(4)
    return kinds.flatmap(
        lambda kind: st.builds(PlanNode, id=node_ids(), kind=st.just(kind), definition=definitions(kind), phase=phases)
    )


@cache
@st.composite
def plan_views(draw: st.DrawFn, *, min_nodes: int = 0) -> RawPlanView:
    """Views with a few nodes and edges between them; `digest` is any text, since no digest covers it."""
    nodes = draw(st.lists(_nodes(), min_size=min_nodes, max_size=3, unique_by=lambda node: node.id))
    edges = draw(_edges([node.id for node in nodes])) if nodes else []
    return RawPlanView(
        plan_id=draw(exact_texts()),
        digest=draw(st.sampled_from(["", "0" * 64, "not a digest"])),
        revision=draw(st.integers(0, 1000)),
        nodes=nodes,
        edges=edges,
        bounds=draw(plan_bounds()),
        provenance=draw(st.none() | provenances()),
    )


def _edges(nodes: list[str]) -> SearchStrategy[list[PlanEdge]]:
    end = st.sampled_from(nodes)
    handles = st.sampled_from(["always", "error", "match", "no_match", "default", "case_a"])
    edge = st.builds(PlanEdge, id=edge_ids(), from_=end, to=end, handle=handles)
    return st.lists(edge, max_size=3, unique_by=lambda edge: edge.id)
