"""Views that differ from another one in a single place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentports.ports import CloneProvenance, PlanBounds, PlanEdge, PlanNode, RawPlanView, TemplateProvenance

__all__ = ["edits_of"]

_CLONE = CloneProvenance(parent="q", parent_digest="0" * 64, parent_revision=1, completed_at_clone=["a"])
_TEMPLATE = TemplateProvenance(template="t", args={"a": 1})


def edits_of(view: RawPlanView) -> Iterator[tuple[str, RawPlanView]]:
    """Every view that differs from this one, which has a node, in one place; and what is edited in it."""
    yield from _of_the_plan(view)
    yield from _of_nodes(view)
    yield from _of_edges(view)
    yield from _of_definitions(view)


_Edit = tuple[str, RawPlanView]


def _of_the_plan(view: RawPlanView) -> Iterator[_Edit]:
    def changed(**fields: Any) -> RawPlanView:
        return view.model_copy(update=fields)

    yield "another plan id", changed(plan_id=view.plan_id + "x")
    yield "a later revision", changed(revision=view.revision + 1)
    for name in PlanBounds.model_fields:
        wider = view.bounds.model_copy(update={name: getattr(view.bounds, name) + 1})
        yield f"another {name}", changed(bounds=wider)
    for provenance in (None, _CLONE, _TEMPLATE):
        if provenance != view.provenance:
            yield "another provenance", changed(provenance=provenance)
    for name, value in () if view.provenance is None else view.provenance:
        other = (
            [*value, "b"] if isinstance(value, list) else {**value, "fresh": None} if isinstance(value, dict) else value
        )
        if name != "kind":
            other = value + "x" if isinstance(value, str) else value + 1 if isinstance(value, int) else other
            yield f"another {name}", changed(provenance=view.provenance.model_copy(update={name: other}))  # type: ignore[union-attr]


def _of_nodes(view: RawPlanView) -> Iterator[_Edit]:
    def changed(nodes: list[PlanNode]) -> RawPlanView:
        return view.model_copy(update={"nodes": nodes})

    for index, node in enumerate(view.nodes):
        others = view.nodes[:index], view.nodes[index + 1 :]
        yield "one node less", changed([*others[0], *others[1]])
        for name, value in (
            ("id", node.id + "_"),
            ("kind", "call" if node.kind != "call" else "join"),
            ("phase", "x" if node.phase is None else None),
            ("phase", (node.phase or "") + "y"),
        ):
            yield f"another {name} of a node", changed([*others[0], node.model_copy(update={name: value}), *others[1]])
    yield "one node more", changed([*view.nodes, PlanNode(id="one_more", kind="join", definition={})])
    if len(view.nodes) > 1:
        yield "nodes in another order", changed(view.nodes[::-1])


def _of_edges(view: RawPlanView) -> Iterator[_Edit]:
    def changed(edges: list[PlanEdge]) -> RawPlanView:
        return view.model_copy(update={"edges": edges})

    for index, edge in enumerate(view.edges):
        others = view.edges[:index], view.edges[index + 1 :]
        yield "one edge less", changed([*others[0], *others[1]])
        for name in ("id", "from_", "to", "handle"):
            other = edge.model_copy(update={name: getattr(edge, name) + "x"})
            yield f"another {name} of an edge", changed([*others[0], other, *others[1]])
    node = view.nodes[0].id
    yield "one edge more", changed([*view.edges, PlanEdge(id="one-more", from_=node, to=node, handle="always")])
    if len(view.edges) > 1:
        yield "edges in another order", changed(view.edges[::-1])


def _of_definitions(view: RawPlanView) -> Iterator[_Edit]:
    for index, node in enumerate(view.nodes):
        for path, other in _edited("definition", node.definition):
            nodes = list(view.nodes)
            nodes[index] = node.model_copy(update={"definition": other})
            yield path, view.model_copy(update={"nodes": nodes})


def _edited(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Values that differ in one place from this one, of which lists and string-keyed dicts are entered."""
    yield f"{path} replaced", ["replaced"] if value != ["replaced"] else "replaced"
    if type(value) is list:
        yield f"{path} longer", [*value, None]
        for index, part in enumerate(value):
            yield f"{path}.{index} removed", [*value[:index], *value[index + 1 :]]
            for step, other in _edited(f"{path}.{index}", part):
                yield step, [*value[:index], other, *value[index + 1 :]]
    elif type(value) is dict and all(type(key) is str for key in value):
        yield f"{path} with a further key", {**value, "".join(value) + "+": None}
        for key, part in value.items():
            yield f"{path}.{key} removed", {name: other for name, other in value.items() if name != key}
            for step, other in _edited(f"{path}.{key}", part):
                yield step, {**value, key: other}
