"""Folds that treat nodes otherwise than the highest op says."""

from __future__ import annotations

from typing import Any

from portproof_defects._folds import Folding, Op, State

from agentports.ports import PlanIssue, PlanProvenance, RawPlanView
from portproof.selftest import defect


@defect("OPS-ADD-REMOVE-LWW")
class RemovedForGood(Folding):
    """A node that was removed once cannot come back."""

    def on_add_node(self, state: State, op: Op) -> None:
        if op.node.id not in getattr(state, "graves", ()):
            super().on_add_node(state, op)

    def on_remove_node(self, state: State, op: Op) -> None:
        super().on_remove_node(state, op)
        state.graves = {op.node_id, *getattr(state, "graves", ())}  # type: ignore[attr-defined]


@defect("OPS-ADD-REMOVE-LWW")
class AddedEdgesStay(Folding):
    """An edge that somebody added twice survives one removal."""

    def on_add_edge(self, state: State, op: Op) -> None:
        known: list[str] = vars(state).setdefault("twice", [])
        if op.edge.id in state.edges:
            known.append(op.edge.id)
        super().on_add_edge(state, op)

    def on_remove_edge(self, state: State, op: Op) -> None:
        known: list[str] = vars(state).setdefault("twice", [])
        if op.edge_id in known:
            known.remove(op.edge_id)
        else:
            super().on_remove_edge(state, op)


@defect("OPS-ADD-NODE-REPLACES")
class MergesDefinitions(Folding):
    """A node that is added again keeps the fields that the new one lacks."""

    def on_add_node(self, state: State, op: Op) -> None:
        before = state.nodes.get(op.node.id, {}).get("definition")
        super().on_add_node(state, op)
        node = state.nodes[op.node.id]
        if isinstance(before, dict) and isinstance(node["definition"], dict):
            node["definition"] = {**before, **node["definition"]}


@defect("OPS-ADD-NODE-REPLACES")
class KeepsThePhase(Folding):
    """A node that is added again keeps the phase of the old one."""

    def on_add_node(self, state: State, op: Op) -> None:
        before = {name: held for name, held in state.nodes.get(op.node.id, {}).items() if name == "phase"}
        super().on_add_node(state, op)
        state.nodes[op.node.id] = {**before, **state.nodes[op.node.id]}


@defect("OPS-SET-FIELD-ABSENT-NODE")
class KeepsEditsForLater(Folding):
    """Edits of a node that is not there are applied once it is."""

    def edited(self, state: State, op: Op) -> dict[str, Any] | None:
        if op.node_id not in state.nodes:
            vars(state).setdefault("waiting", []).append(op)
        return super().edited(state, op)

    def on_add_node(self, state: State, op: Op) -> None:
        super().on_add_node(state, op)
        waiting = [edit for edit in vars(state).get("waiting", []) if edit.node_id == op.node.id]
        for edit in waiting:
            vars(state)["waiting"].remove(edit)
            self.apply(state, edit)


@defect("OPS-UNKNOWN-NODE-ISSUE")
class ReportedThoughThere(Folding):
    """An edit that came too early is reported although the node exists in the end."""

    def edited(self, state: State, op: Op) -> dict[str, Any] | None:
        if op.node_id not in state.nodes:
            vars(state).setdefault("missed", {})[op.node_id] = True
        return super().edited(state, op)

    def unknown(self, state: State) -> list[PlanIssue]:
        early = [node for node in vars(state).get("missed", {}) if node in state.nodes]
        others = State()
        others.edited = early
        return [*super().unknown(state), *super().unknown(others)]


@defect("OPS-UNKNOWN-NODE-ISSUE")
class OneForEachEdit(Folding):
    """Each edit of a missing node is reported."""

    def unknown(self, state: State) -> list[PlanIssue]:
        return [issue for issue in super().unknown(state) for _ in range(state.edited.count(str(issue.node_id)))]


@defect("OPS-UNKNOWN-NODE-ISSUE")
class ForgetsRemovedNodes(Folding):
    """An edit of a node that was removed later is not reported."""

    def on_remove_node(self, state: State, op: Op) -> None:
        state.edited = [node for node in state.edited if node != op.node_id]
        super().on_remove_node(state, op)


@defect("OPS-SET-DEFINITION")
class EditsComeLast(Folding):
    """Edits of fields are applied after whole definitions, whatever their keys."""

    def in_order(self, ops: Any) -> Any:
        return sorted(super().in_order(ops), key=lambda op: op.op == "set_node_field")


@defect("OPS-SET-DEFINITION")
class DefinitionsMerge(Folding):
    """A whole definition only replaces the fields that it has."""

    def on_set_node_definition(self, state: State, op: Op) -> None:
        before = state.nodes.get(op.node_id, {}).get("definition")
        super().on_set_node_definition(state, op)
        if isinstance(before, dict) and isinstance(op.definition, dict):
            state.nodes[op.node_id]["definition"] = {**before, **self.own(op.definition)}


@defect("OPS-SET-PHASE")
class EmptyPhase(Folding):
    """A cleared phase stays in the record, as an empty text; so it is digested."""

    def on_set_node_phase(self, state: State, op: Op) -> None:
        super().on_set_node_phase(state, op)
        if op.phase is None and op.node_id in state.nodes:
            state.nodes[op.node_id]["phase"] = ""


@defect("OPS-SET-PHASE")
class FirstPhaseStays(Folding):
    """A phase that is set is not set again."""

    def on_set_node_phase(self, state: State, op: Op) -> None:
        if op.phase is None or "phase" not in state.nodes.get(op.node_id, {}):
            super().on_set_node_phase(state, op)


@defect("OPS-VIEW-ORDER")
class SortsById(Folding):
    """Nodes are in the order of their ids."""

    def view(self, state: State, plan_id: str, revision: int, provenance: PlanProvenance | None) -> RawPlanView:
        state.nodes = dict(sorted(state.nodes.items()))
        return super().view(state, plan_id, revision, provenance)


@defect("OPS-VIEW-ORDER")
class LastTouchedLast(Folding):
    """An edge that is replaced moves to the end."""

    def on_add_edge(self, state: State, op: Op) -> None:
        super().on_add_edge(state, op)
        state.edges[op.edge.id] = state.edges.pop(op.edge.id)


@defect("OPS-VIEW-ORDER")
class OldPlaces(Folding):
    """A node that was removed and comes back takes its old place."""

    def on_add_node(self, state: State, op: Op) -> None:
        super().on_add_node(state, op)
        places: dict[str, int] = vars(state).setdefault("places", {})
        places.setdefault(op.node.id, len(places))
        state.nodes = dict(sorted(state.nodes.items(), key=lambda entry: places[entry[0]]))
