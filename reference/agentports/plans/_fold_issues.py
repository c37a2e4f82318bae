"""What a fold reports (document 31, section 2). All of it is advisory: the view stands, and its authors should know."""

from __future__ import annotations

from agentports.ports.plans import PlanEdge, PlanIssue, PlanOp, SetNodeField

__all__ = ["dangling_edge", "duplicate_edge_id", "invalid_field_path", "unknown_node", "unknown_op"]


def unknown_op(op: PlanOp) -> PlanIssue:
    """An op of a kind that this version does not know."""
    message = f"Op {op.op_id!r} is of the unknown kind {op.op!r} and was ignored."
    return PlanIssue(code="unknown_op", message=message, severity="advisory")


def unknown_node(node_id: str) -> PlanIssue:
    """Edits of a node that the plan does not have."""
    message = f"Node {node_id!r} was edited but is not in the plan. Add it, and edit it after that."
    return PlanIssue(code="unknown_node", message=message, node_id=node_id, severity="advisory")


def invalid_field_path(op: SetNodeField) -> PlanIssue:
    """A path that leads to nothing that can be set."""
    message = (
        f"Path {op.path!r} cannot be set in node {op.node_id!r}, so this edit had no effect. A path consists of dict "
        "keys and list indexes up to the list's length, joined by dots. Set a reference or another value as a whole."
    )
    return PlanIssue(code="invalid_field_path", message=message, node_id=op.node_id, severity="advisory")


def dangling_edge(edge: PlanEdge) -> PlanIssue:
    """An edge that lacks an endpoint."""
    message = f"Edge {edge.id!r} from {edge.from_!r} to {edge.to!r} was left out: the plan lacks one of these nodes."
    return PlanIssue(code="dangling_edge", message=message, edge_id=edge.id, severity="advisory")


def duplicate_edge_id(lost: PlanEdge, kept: PlanEdge) -> PlanIssue:
    """An edge that displaced a different one with its id."""
    message = (
        f"Two edges have the id {kept.id!r}: {_told(lost)} was replaced by {_told(kept)}. Remove the edge, and "
        "add what is wanted under ids of their own."
    )
    return PlanIssue(code="duplicate_edge_id", message=message, edge_id=kept.id, severity="advisory")


def _told(edge: PlanEdge) -> str:
    return f"{edge.from_!r} to {edge.to!r} on {edge.handle!r}"
