"""Folds that lose edges, keep them, or say the wrong thing of them."""

from __future__ import annotations

from portproof_defects._folds import Folding, Op, State

from agentports.ports import PlanEdge, PlanIssue, PlanProvenance, RawPlanView
from portproof.selftest import defect


@defect("OPS-REMOVE-NODE-CASCADES")
class AttachedInTheEnd(Folding):
    """Edges of a removed node are left out as long as it is away; the list in the op is not read."""

    def on_remove_node(self, state: State, op: Op) -> None:
        state.nodes.pop(op.node_id, None)


@defect("OPS-REMOVE-NODE-CASCADES")
class TakesOneEdge(Folding):
    """Only the first edge of the list is removed."""

    def on_remove_node(self, state: State, op: Op) -> None:
        super().on_remove_node(state, op.model_copy(update={"incident_edge_ids": op.incident_edge_ids[:1]}))


@defect("OPS-CASCADE-BY-KEY")
class BansEdges(Folding):
    """An edge that was removed with a node never comes back."""

    def on_remove_node(self, state: State, op: Op) -> None:
        super().on_remove_node(state, op)
        vars(state).setdefault("banned", set()).update(op.incident_edge_ids)

    def on_add_edge(self, state: State, op: Op) -> None:
        if op.edge.id not in vars(state).get("banned", ()):
            super().on_add_edge(state, op)


@defect("OPS-DANGLING-EDGE")
class KeepsHalfEdges(Folding):
    """An edge stays when one of its ends is there."""

    def dangles(self, state: State, edge: PlanEdge) -> bool:
        return edge.from_ not in state.nodes and edge.to not in state.nodes


@defect("OPS-DANGLING-EDGE")
class DropsSilently(Folding):
    """Edges without an end are left out without a word."""

    def dangling(self, state: State) -> list[PlanIssue]:
        return []


@defect("OPS-DANGLING-EDGE")
class ChecksWhenAdded(Folding):
    """An edge is left out when its ends are not there yet, even if they come later."""

    def on_add_edge(self, state: State, op: Op) -> None:
        if not self.dangles(state, op.edge):
            super().on_add_edge(state, op)


@defect("OPS-LISTED-EDGE-NO-ISSUE")
class ReportsEveryAddition(Folding):
    """Every edge that was ever added is reported when its end is gone, removed or not."""

    def on_add_edge(self, state: State, op: Op) -> None:
        super().on_add_edge(state, op)
        vars(state).setdefault("ever", {})[op.edge.id] = op.edge

    def dangling(self, state: State) -> list[PlanIssue]:
        every = State()
        every.nodes, every.edges = state.nodes, vars(state).get("ever", {})
        return super().dangling(every)


@defect("OPS-SAME-EDGE-ID")
class KeepsTheFirst(Folding):
    """The edge that was added first stays."""

    def on_add_edge(self, state: State, op: Op) -> None:
        before = state.edges.get(op.edge.id)
        super().on_add_edge(state, op)
        if before is not None:
            state.edges[before.id] = before


@defect("OPS-SAME-EDGE-ID")
class KeepsBoth(Folding):
    """Both edges of one id are in the view."""

    def on_add_edge(self, state: State, op: Op) -> None:
        before = state.edges.get(op.edge.id)
        super().on_add_edge(state, op)
        if before is not None and self.collides(before, op.edge):
            vars(state).setdefault("rivals", []).append(before)

    def view(self, state: State, plan_id: str, revision: int, provenance: PlanProvenance | None) -> RawPlanView:
        view = super().view(state, plan_id, revision, provenance)
        rivals = [edge for edge in vars(state).get("rivals", []) if edge.id in state.edges]
        return view.model_copy(update={"edges": [*view.edges, *rivals]})


@defect("OPS-SAME-EDGE-ID")
class OverlooksHandles(Folding):
    """Edges between the same ends are taken for the same, whatever their handles."""

    def collides(self, before: PlanEdge, edge: PlanEdge) -> bool:
        return (before.from_, before.to) != (edge.from_, edge.to)


@defect("OPS-SAME-EDGE-ID")
class NamesNoEnds(Folding):
    """The issue names the id and nothing else."""

    def issues(self, state: State) -> list[PlanIssue]:
        message = {"message": "two edges have this id"}
        issues = super().issues(state)
        return [i.model_copy(update=message) if i.code == "duplicate_edge_id" else i for i in issues]


@defect("OPS-SAME-EDGE-IDENTICAL")
class EverySecondAddition(Folding):
    """Any edge that is added again is a collision."""

    def collides(self, before: PlanEdge, edge: PlanEdge) -> bool:
        return True


@defect("OPS-EDGE-ID-REUSE")
class RemembersSignatures(Folding):
    """An id is remembered with the ends that it ever had."""

    def on_add_edge(self, state: State, op: Op) -> None:
        known: dict[str, PlanEdge] = vars(state).setdefault("known", {})
        removed = op.edge.id not in state.edges
        if removed and op.edge.id in known:
            state.edges[op.edge.id] = known[op.edge.id]
        super().on_add_edge(state, op)
        known[op.edge.id] = op.edge


@defect("OPS-EDGE-ID-REUSE")
class CollisionsOutliveEdges(Folding):
    """A collision is reported although the edge was removed after it."""

    def drop_edge(self, state: State, edge: str) -> None:
        state.edges.pop(edge, None)
