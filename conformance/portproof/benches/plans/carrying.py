"""Values of the contract's classes as values of a subject's own classes."""

from __future__ import annotations

from typing import Any

from agentports.ports import (
    UNDEFINED,
    BranchId,
    Duration,
    EdgeSegment,
    Interval,
    NodeRef,
    ParamRef,
    PlanEdge,
    PlanNode,
    PlanProvenance,
    RawPlanView,
    RouteSegment,
    TemplateProvenance,
)
from portproof.benches.plans.walking import copied
from portproof.subjects.namespaces import own_classes, plan_classes

__all__ = ["Carrier"]


class Carrier:
    """Carries what checks draw over into the classes that a subject has of its own, if it has any."""

    def __init__(self, namespace: Any) -> None:
        #: By the names of the contract.
        self.classes = plan_classes(namespace)
        self._own = own_classes(namespace)

    def value(self, value: Any) -> Any:
        """The value, with the leaves of own classes; the same object where the subject has none."""
        return copied(value, self._leaf) if self._own else value

    def view(self, view: RawPlanView) -> Any:
        """The view likewise."""
        if not self._own:
            return view
        c = self.classes
        return c.RawPlanView(
            plan_id=view.plan_id,
            digest=view.digest,
            revision=view.revision,
            nodes=[self.node(node) for node in view.nodes],
            edges=[self.edge(edge) for edge in view.edges],
            bounds=c.PlanBounds(**dict(view.bounds)),
            provenance=self.provenance(view.provenance),
        )

    def view_of(self, record: dict[str, Any]) -> Any:
        """A view from its decoded record, whose values are of the subject's classes already."""
        c, lineage = self.classes, dict(record.get("provenance") or {})
        kinds = {"clone": c.CloneProvenance, "template": c.TemplateProvenance}
        edges = [c.PlanEdge(id=e["id"], from_=e["from"], to=e["to"], handle=e["handle"]) for e in record["edges"]]
        return c.RawPlanView(
            plan_id=record["plan_id"],
            digest="",
            revision=record["revision"],
            nodes=[c.PlanNode(**node) for node in record["nodes"]],
            edges=edges,
            bounds=c.PlanBounds(**record["bounds"]),
            provenance=kinds[lineage.pop("kind")](**lineage) if lineage else None,
        )

    def node(self, node: PlanNode) -> Any:
        """The node likewise."""
        fields = {"id": node.id, "kind": node.kind, "definition": self.value(node.definition)}
        return self.classes.PlanNode(**fields, **({} if node.phase is None else {"phase": node.phase}))

    def edge(self, edge: PlanEdge) -> Any:
        """The edge likewise."""
        return self.classes.PlanEdge(id=edge.id, from_=edge.from_, to=edge.to, handle=edge.handle)

    def provenance(self, provenance: PlanProvenance | None) -> Any:
        """The provenance likewise."""
        if isinstance(provenance, TemplateProvenance):
            return self.classes.TemplateProvenance(template=provenance.template, args=self.value(provenance.args))
        return provenance and self.classes.CloneProvenance(**dict(provenance))

    def route(self, route: BranchId) -> Any:
        """The route likewise."""
        return self.classes.BranchId([self._segment(segment) for segment in route.segments])

    def _segment(self, segment: RouteSegment) -> Any:
        if isinstance(segment, EdgeSegment):
            return self.classes.EdgeSegment(segment.edge)
        return self.classes.JoinSegment(segment.join, list(segment.of))

    def _leaf(self, value: Any) -> Any:
        c, kind = self.classes, type(value)
        if value is UNDEFINED:
            return c.UNDEFINED
        if kind is Duration:
            return c.Duration(**value.units())
        if kind is Interval:
            return c.Interval(value.start, value.end)
        if kind is ParamRef:
            return c.ParamRef(value.path)
        return self._node_ref(value) if kind is NodeRef else value

    def _node_ref(self, ref: NodeRef) -> Any:
        select = ref.select if isinstance(ref.select, str) else dict(ref.select)
        route = None if ref.branch_id is None else self.route(ref.branch_id)
        return self.classes.NodeRef(ref.node, select, ref.path, route)
