"""The digest: its vectors, its pieces, and views of other makes."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from agentports.plans import decode, encode, plan_digest
from agentports.plans.digest import (
    bounds_piece,
    digest_of_pieces,
    edge_piece,
    node_piece,
    provenance_piece,
    view_record,
)
from agentports.ports import (
    DEFAULT_PLAN_BOUNDS,
    CloneProvenance,
    EncodingError,
    PlanNode,
    PlanProvenance,
    RawPlanView,
)
from portproof.strategies.plans import plan_views

from .second_encoder import SecondEncoder

generated = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def _view(plan_id: str, *nodes: PlanNode, provenance: PlanProvenance | None = None) -> RawPlanView:
    return RawPlanView(
        plan_id=plan_id,
        revision=len(nodes),
        nodes=list(nodes),
        edges=[],
        bounds=DEFAULT_PLAN_BOUNDS,
        provenance=provenance,
    )


_ENTRY = PlanNode(id="entry", kind="entry", definition={"input": []})
_OF_Q = "02e91d41df44fcf50c31374e27640a9b7ae3a9ac1db1437dbd7e6867986dba76"
_FROM_Q = CloneProvenance(parent="q", parent_digest=_OF_Q, parent_revision=1, completed_at_clone=[])


@pytest.mark.parametrize(
    ("view", "digest"),
    [
        (_view("p"), "261fe1acb64a695a9a551363519136d52a9334f26693ba717055607df2d95825"),
        (_view("p", _ENTRY), "0a1120021ac01aa5cd7492ace8da80be451d6c3362dd3e341e7d131e954b58cf"),
        (_view("q", _ENTRY), _OF_Q),
        (_view("p", _ENTRY, provenance=_FROM_Q), "aea845d24ed7421220dce20959ddb726c161106fa1b54ff23ebf6e395bf6b862"),
    ],
)
def test_the_digests_of_the_document_come_out(view: RawPlanView, digest: str) -> None:
    """Of document 30, section 7."""
    assert plan_digest(view) == digest


@generated
@given(plan_views())
def test_the_digest_is_that_of_the_whole_record_however_it_is_put_together(view: RawPlanView) -> None:
    """From pieces, from the record, and by another encoder."""
    whole = b"agentports-plan/1\n" + encode(view_record(view))
    assert whole.endswith(SecondEncoder().encode(view_record(view)))
    pieces = digest_of_pieces(
        view.plan_id,
        view.revision,
        nodes=[node_piece(node) for node in view.nodes],
        edges=[edge_piece(edge) for edge in view.edges],
        bounds=bounds_piece(view.bounds),
        provenance=None if view.provenance is None else provenance_piece(view.provenance),
    )
    assert plan_digest(view) == pieces == hashlib.sha256(whole).hexdigest()


@generated
@given(plan_views())
def test_a_view_of_another_make_has_the_same_digest(view: RawPlanView) -> None:
    """A decoded record, an object with the same attributes."""
    record = decode(encode(view_record(view)))
    assert plan_digest(record) == plan_digest(view)
    plain = SimpleNamespace(**{name: getattr(view, name) for name in RawPlanView.model_fields})
    assert plan_digest(plain) == plan_digest(view)  # type: ignore[arg-type]


def _deep(containers: int) -> Any:
    value: Any = None
    for _ in range(containers):
        value = [value]
    return value


def test_a_definition_nests_as_deep_as_the_whole_view_may() -> None:
    """The view, its nodes and the node are three of the 640."""
    assert plan_digest(_view("p", PlanNode(id="a", kind="call", definition=_deep(637))))
    with pytest.raises(EncodingError) as refused:
        plan_digest(_view("p", PlanNode(id="a", kind="call", definition=_deep(638))))
    assert refused.value.code == "value_too_deep"


def test_a_refusal_gives_the_path_from_the_view() -> None:
    """Although nodes are encoded one by one."""
    with pytest.raises(EncodingError) as refused:
        plan_digest(_view("p", _ENTRY, PlanNode(id="a", kind="call", definition={"args": {"x": [object()]}})))
    assert refused.value.path == "nodes.1.definition.args.x.0"


def test_a_field_that_no_digest_covers_is_refused() -> None:
    """In a record as in a node: after the approval it could be anything."""
    record = view_record(_view("p", _ENTRY))
    for other in (record | {"note": 1}, record | {"nodes": [record["nodes"][0] | {"note": 1}]}):
        with pytest.raises(ValueError, match="note"):
            plan_digest(other)  # type: ignore[arg-type]
