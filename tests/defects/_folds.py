"""A correct fold in exchangeable parts, plainly made. Defects replace one part each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agentports.plans import encode, plan_digest
from agentports.ports import (
    DEFAULT_PLAN_BOUNDS,
    UNDEFINED,
    BranchId,
    EdgeSegment,
    FoldResult,
    PlanEdge,
    PlanIssue,
    PlanNode,
    PlanOp,
    PlanProvenance,
    RawPlanView,
    RouteSegment,
)
from portproof.benches.plans.walking import CONTAINERS, copied

#: An op, of any kind.
Op = Any


class State:
    """What the ops so far amount to: nodes and edges as records by id."""

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self.edges: dict[str, PlanEdge] = {}
        self.bounds = DEFAULT_PLAN_BOUNDS
        self.edited: list[str] = []
        self.collisions: dict[str, PlanIssue] = {}
        self.noted: list[PlanIssue] = []


class Folding:
    """The fold, and keys of routes."""

    # ---- the whole

    def fold_ops(self, plan_id: str, ops: Sequence[PlanOp], provenance: PlanProvenance | None = None) -> Any:
        state = State()
        for op in self.in_order(ops):
            self.apply(state, op)
        view = self.view(state, plan_id, self.revision(ops), self.provenance(provenance))
        return FoldResult(self.with_digest(view, ops), self.issues(state))

    def revision(self, ops: Sequence[PlanOp]) -> int:
        return len(ops)

    def provenance(self, given: PlanProvenance | None) -> PlanProvenance | None:
        return None if given is None else type(given)(**{name: copied(value) for name, value in given})

    def view(self, state: State, plan_id: str, revision: int, provenance: PlanProvenance | None) -> RawPlanView:
        return RawPlanView(
            plan_id=plan_id,
            revision=revision,
            nodes=[self.node(node) for node in state.nodes.values()],
            edges=[edge for edge in state.edges.values() if not self.dangles(state, edge)],
            bounds=state.bounds,
            provenance=provenance,
        )

    def node(self, record: dict[str, Any]) -> PlanNode:
        return PlanNode(**record)

    def with_digest(self, view: RawPlanView, ops: Sequence[PlanOp]) -> Any:
        return view.model_copy(update={"digest": plan_digest(view)})

    # ---- order

    def in_order(self, ops: Iterable[PlanOp]) -> list[PlanOp]:
        """In key order, those of one key by their text, and repeats once."""
        texts = {(self.key(op), self.text(op)): op for op in ops}
        return [texts[entry] for entry in sorted(texts)]

    def key(self, op: Op) -> Any:
        return (op.lamport, op.actor_id, op.op_id)

    def text(self, op: Op) -> bytes:
        return encode({name: value if name not in ("node", "edge", "bounds") else dict(value) for name, value in op})

    # ---- ops

    def apply(self, state: State, op: Op) -> None:
        (getattr(self, f"on_{op.op}", None) or self.on_unknown)(state, op)

    def on_unknown(self, state: State, op: Op) -> None:
        state.noted.append(_issue("unknown_op", f"{op.op} is unknown"))

    def on_add_node(self, state: State, op: Op) -> None:
        record = {name: self.own(value) for name, value in op.node if value is not None or name == "definition"}
        state.nodes[op.node.id] = record

    def on_remove_node(self, state: State, op: Op) -> None:
        state.nodes.pop(op.node_id, None)
        for edge in op.incident_edge_ids:
            self.drop_edge(state, edge)

    def on_set_node_field(self, state: State, op: Op) -> None:
        node = self.edited(state, op)
        if node is None:
            return
        around = {"": node["definition"]}
        if self.set_at(around, op.path, self.own(op.value)):
            node["definition"] = around[""]
        else:
            self.on_invalid_path(state, op)

    def on_invalid_path(self, state: State, op: Op) -> None:
        state.noted.append(_issue("invalid_field_path", f"{op.path} cannot be set", node_id=op.node_id))

    def on_set_node_definition(self, state: State, op: Op) -> None:
        if node := self.edited(state, op):
            node["definition"] = self.own(op.definition)

    def on_set_node_phase(self, state: State, op: Op) -> None:
        if node := self.edited(state, op):
            node.pop("phase", None)
            node |= {} if op.phase is None else {"phase": op.phase}

    def on_add_edge(self, state: State, op: Op) -> None:
        edge, before = op.edge, state.edges.get(op.edge.id)
        if before is not None and self.collides(before, edge):
            message = f"{before.from_} to {before.to} gave way to {edge.from_} to {edge.to}"
            state.collisions[edge.id] = _issue("duplicate_edge_id", message, edge_id=edge.id)
        state.edges[edge.id] = edge

    def on_remove_edge(self, state: State, op: Op) -> None:
        self.drop_edge(state, op.edge_id)

    def on_set_bounds(self, state: State, op: Op) -> None:
        state.bounds = op.bounds

    def edited(self, state: State, op: Op) -> dict[str, Any] | None:
        state.edited.append(op.node_id)
        return state.nodes.get(op.node_id)

    def collides(self, before: PlanEdge, edge: PlanEdge) -> bool:
        return (before.from_, before.to, before.handle) != (edge.from_, edge.to, edge.handle)

    def drop_edge(self, state: State, edge: str) -> None:
        state.edges.pop(edge, None)
        state.collisions.pop(edge, None)

    def own(self, value: Any) -> Any:
        """A copy whose containers are nobody else's."""
        return copied(value) if isinstance(value, CONTAINERS) else value

    # ---- paths

    def set_at(self, around: dict[str, Any], path: str, value: Any) -> bool:
        """Set it below the only key of `around`; False, and nothing changed, where that may not be."""
        segments = path.split(".")
        if any(self.is_refused(segment) for segment in segments):
            return False
        container: Any = around
        for segment in ["", *segments[:-1]]:
            place = self.place(container, segment)
            if place is None:
                return False
            container = self.entered(container, place)
        place = self.place(container, segments[-1])
        if place is None:
            return False
        self.put(container, place, value)
        return True

    def is_refused(self, segment: str) -> bool:
        return segment in ("", "prototype", "constructor") or (segment.startswith("__") and segment.endswith("__"))

    def place(self, container: Any, segment: str) -> Any:
        """The key or index that the segment names; None for none."""
        if type(container) is list:
            return self.index(container, segment)
        return segment if type(container) is dict and all(type(key) is str for key in container) else None

    def index(self, items: list[Any], segment: str) -> int | None:
        known = {str(index): index for index in range(len(items) + 1)}
        return known.get(segment)

    def entered(self, container: Any, place: Any) -> Any:
        """What stands there, after what may be replaced has been."""
        if type(container) is list and place == len(container):
            container.append(None)
        held = container.get(place) if type(container) is dict else container[place]
        if held is None or held is UNDEFINED or type(held) in (bool, int, float, str):
            held = container[place] = {}
        return held

    def put(self, container: Any, place: Any, value: Any) -> None:
        if type(container) is list and place == len(container):
            container.append(value)
        else:
            container[place] = value

    # ---- issues

    def issues(self, state: State) -> list[PlanIssue]:
        return [*state.noted, *state.collisions.values(), *self.dangling(state), *self.unknown(state)]

    def dangles(self, state: State, edge: PlanEdge) -> bool:
        return edge.from_ not in state.nodes or edge.to not in state.nodes

    def dangling(self, state: State) -> list[PlanIssue]:
        loose = [edge for edge in state.edges.values() if self.dangles(state, edge)]
        return [_issue("dangling_edge", f"{edge.id} hangs loose", edge_id=edge.id) for edge in loose]

    def unknown(self, state: State) -> list[PlanIssue]:
        missing = [node for node in dict.fromkeys(state.edited) if node not in state.nodes]
        return [_issue("unknown_node", f"{node} is missing", node_id=node) for node in missing]

    # ---- routes

    def branch_key(self, branch_id: BranchId) -> str:
        return "".join(self.segment(segment) for segment in branch_id.segments)

    def segment(self, segment: RouteSegment) -> str:
        if isinstance(segment, EdgeSegment):
            return self.edge(segment.edge)
        return f"j{self.named(segment.join)}({''.join(self.edge(edge) for edge in segment.of)})"

    def edge(self, edge: str) -> str:
        return f"e{self.named(edge)}"

    def named(self, name: str) -> str:
        return f"{len(name)}:{name}"


def _issue(code: str, message: str, **about: str) -> PlanIssue:
    return PlanIssue(code=code, message=message, severity="advisory", **about)
