"""References to nodes and parameters, the routes that they name, and arguments that hold them."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import BranchId, EdgeSegment, JoinSegment, NodeRef, ParamRef
from portproof.strategies.plans.values import big_ints, encodable_values, exact_texts

__all__ = ["arg_values", "node_refs", "param_refs", "route_ids", "routes"]


@cache
def route_ids() -> SearchStrategy[str]:
    """Ids made of what a rendering of a route consists of itself."""
    return st.text("ej0123456789:()>,-é", max_size=6)


@cache
def routes() -> SearchStrategy[BranchId]:
    """Routes of a few steps, joins among them."""
    edges = st.builds(EdgeSegment, route_ids())
    joins = st.builds(JoinSegment, route_ids(), st.lists(route_ids(), max_size=3).map(sorted))
    return st.lists(edges | joins, max_size=4).map(BranchId)


@cache
def node_refs() -> SearchStrategy[NodeRef]:
    """References with every kind of select, with and without path and route."""
    index = big_ints().map(lambda n: {"index": n})
    select = st.sampled_from(["first", "last", "all"]) | index
    node = st.from_regex(r"[a-z0-9_]{1,6}", fullmatch=True) | exact_texts()
    return st.builds(NodeRef, node, select, st.none() | exact_texts(), st.none() | routes())


@cache
def param_refs() -> SearchStrategy[ParamRef]:
    """Holes in a template."""
    return st.builds(ParamRef, exact_texts())


@cache
@st.composite
def arg_values(draw: st.DrawFn, max_leaves: int = 6) -> Any:
    """Arguments: values, references, and lists and string-keyed dicts of them."""
    return draw(_arg_values(max_leaves))


@cache
def _arg_values(max_leaves: int) -> SearchStrategy[Any]:
    leaves = node_refs() | param_refs() | encodable_values(3)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(exact_texts(4), inner, max_size=3),
        max_leaves=max_leaves,
    )
