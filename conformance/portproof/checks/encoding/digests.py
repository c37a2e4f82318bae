"""The digest of a view covers all of its content, and nothing else."""

from __future__ import annotations

import hashlib
import re
from itertools import combinations, islice
from typing import Any

from hypothesis import strategies as st

from agentports.ports import (
    DEFAULT_PLAN_BOUNDS,
    CloneProvenance,
    PlanNode,
    PlanProvenance,
    RawPlanView,
    TemplateProvenance,
)
from portproof.benches.plans.encodings import EncodingBench, shown
from portproof.benches.plans.walking import copied
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans import plan_views
from portproof.strategies.plans.edits import edits_of
from portproof.strategies.plans.views import definitions


def _view(plan_id: str, *nodes: PlanNode, provenance: PlanProvenance | None = None, digest: str = "") -> RawPlanView:
    return RawPlanView(
        plan_id=plan_id,
        digest=digest,
        revision=len(nodes),
        nodes=list(nodes),
        edges=[],
        bounds=DEFAULT_PLAN_BOUNDS,
        provenance=provenance,
    )


_ENTRY = PlanNode(id="entry", kind="entry", definition={"input": []})
_OF_Q = "02e91d41df44fcf50c31374e27640a9b7ae3a9ac1db1437dbd7e6867986dba76"
_FROM_Q = CloneProvenance(parent="q", parent_digest=_OF_Q, parent_revision=1, completed_at_clone=[])
#: Views and their digests, from document 30, section 7.
_VECTORS = (
    (_view("p"), "261fe1acb64a695a9a551363519136d52a9334f26693ba717055607df2d95825"),
    (_view("p", _ENTRY), "0a1120021ac01aa5cd7492ace8da80be451d6c3362dd3e341e7d131e954b58cf"),
    (_view("q", _ENTRY), _OF_Q),
    (_view("p", _ENTRY, provenance=_FROM_Q), "aea845d24ed7421220dce20959ddb726c161106fa1b54ff23ebf6e395bf6b862"),
)


@check("ENC-DIGEST-FORM", view=plan_views())
async def a_digest_is_64_lower_case_hex_digits_of_the_encoded_view(bench: EncodingBench, view: RawPlanView) -> None:
    for known, expected in _VECTORS:
        expect_equal(bench.digest(known), expected, "the digest of a known view", known=shown(known))
    digest = bench.digest(view)
    expect(isinstance(digest, str) and re.fullmatch("[0-9a-f]{64}", digest), "no 64 hex digits", digest=digest)
    formula = hashlib.sha256(b"agentports-plan/1\n" + bench.encode(_record(view))).hexdigest()
    expect_equal(digest, formula, "the digest")


def _record(view: RawPlanView) -> dict[str, Any]:
    """The dict whose encoding is hashed."""
    phases = [{} if node.phase is None else {"phase": node.phase} for node in view.nodes]
    nodes = [
        {"id": node.id, "kind": node.kind, "definition": node.definition, **phase}
        for node, phase in zip(view.nodes, phases, strict=True)
    ]
    edges = [{"id": edge.id, "from": edge.from_, "to": edge.to, "handle": edge.handle} for edge in view.edges]
    record: dict[str, Any] = {"plan_id": view.plan_id, "revision": view.revision, "nodes": nodes, "edges": edges}
    lineage = {} if view.provenance is None else {"provenance": dict(view.provenance)}
    return record | {"bounds": dict(view.bounds)} | lineage


#: Definitions may have any number of places.
_MOST_EDITS = 100


@check("ENC-DIGEST-COVERS-CONTENT", view=plan_views(min_nodes=1))
async def every_change_of_content_changes_the_digest(bench: EncodingBench, view: RawPlanView) -> None:
    digest = bench.digest(view)
    for what, edited in islice(edits_of(view), _MOST_EDITS):
        expect(bench.digest(edited) != digest, f"the digest stays after an edit: {what}", edited=shown(edited))


@check("ENC-DIGEST-IGNORES-DIGEST-FIELD", view=plan_views(), text=st.text(max_size=64))
async def the_digest_that_a_view_states_is_not_read(bench: EncodingBench, view: RawPlanView, text: str) -> None:
    digest = bench.digest(view.model_copy(update={"digest": ""}))
    for stated in (digest, text, digest.upper(), view.digest):
        again = bench.digest(view.model_copy(update={"digest": stated}))
        expect_equal(again, digest, "the digest of a view that states another one")


@check("ENC-DIGEST-KEY-ORDER", view=plan_views(min_nodes=1))
async def the_order_of_keys_changes_no_digest(bench: EncodingBench, view: RawPlanView) -> None:
    nodes = [node.model_copy(update={"definition": copied(node.definition, reverse=True)}) for node in view.nodes]
    lineage = view.provenance
    if isinstance(lineage, TemplateProvenance):
        lineage = lineage.model_copy(update={"args": copied(lineage.args, reverse=True)})
    turned = view.model_copy(update={"nodes": nodes, "provenance": lineage})
    expect_equal(bench.digest(turned), bench.digest(view), "the digest of the view with its keys in reverse order")


@check("ENC-DIGEST-SURVIVES-STORAGE", view=plan_views(min_nodes=1))
async def a_view_that_was_stored_has_the_digest_that_it_had(bench: EncodingBench, view: RawPlanView) -> None:
    back = bench.decode(bench.encode(_record(view)))
    expect_equal(bench.digest_own(bench.carrier.view_of(back)), bench.digest(view), "the digest of the decoded view")


def _variants(definition: dict[str, Any]) -> list[Any]:
    """Definitions that differ in what is absent, None, empty, or not known to anybody."""
    without = {key: value for key, value in definition.items() if key != "declassifies"}
    return [
        without,
        without | {"declassifies": None},
        without | {"declassifies": []},
        without | {"extra": None},
        without | {"extra": {}},
        {key: value for key, value in without.items() if key != "replay_safe"},
        without | {"replay_safe": None},
        without | {"output": None},
        {},
        None,
    ]


@check("ENC-DEFAULTS-NOT-FILLED", definition=definitions("call"))
async def definitions_are_digested_as_they_were_authored(bench: EncodingBench, definition: dict[str, Any]) -> None:
    digested = [
        (variant, bench.digest(_view("p", PlanNode(id="a", kind="call", definition=variant))))
        for variant in _variants(definition)
    ]
    for (one, first), (other, second) in combinations(digested, 2):
        expect(first != second, "two different definitions have one digest", one=shown(one), other=shown(other))
