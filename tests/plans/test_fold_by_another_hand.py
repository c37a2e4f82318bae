"""The reference fold beside a second one that is written another way."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.plans import fold_ops
from agentports.ports import FoldResult
from portproof.strategies.plans.brief_ops import add_node, set_definition, set_field
from portproof.strategies.plans.op_logs import Arrival, arrivals, logs_of
from portproof.strategies.plans.ops import hostile_paths, op_contents, unknown_kinds
from portproof.strategies.plans.values import encodable_values
from tests.defects._folds import Folding

_PATHS = st.sampled_from(["x", "x.y", "0", "x.0", "x.1.y", "x.0.0", "args.x.z", "list.2"]) | hostile_paths()
_CONTENTS = st.one_of(
    op_contents(),
    op_contents(),
    unknown_kinds().map(lambda kind: {"op": kind, "node_id": "a", "path": "x", "value": 1}),
    st.builds(set_field, st.sampled_from("ab"), _PATHS, encodable_values(3)),
    st.builds(set_definition, st.sampled_from("ab"), encodable_values(3)),
    st.builds(add_node, st.sampled_from("ab"), encodable_values(3)),
)


@settings(max_examples=150, database=None, deadline=None)
@given(arrivals(logs_of(_CONTENTS, max_size=16), repeats=True))
def test_both_give_the_same_view_and_the_same_issues(arrival: Arrival) -> None:
    """For logs of every kind, with hostile paths, odd definitions and repeats."""
    ours, theirs = fold_ops("p", arrival.ops), Folding().fold_ops("p", arrival.ops)
    assert ours.view.digest == theirs.view.digest
    assert ours.view.revision == theirs.view.revision
    assert _codes(ours) == _codes(theirs)


def _codes(folded: FoldResult) -> list[tuple[str, str | None, str | None]]:
    return sorted({(issue.code, issue.node_id, issue.edge_id) for issue in folded.issues}, key=repr)
