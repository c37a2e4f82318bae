"""Routes as keys of tables (document 30, section 5)."""

from __future__ import annotations

from agentports.ports.plans import BranchId, EdgeSegment, RouteSegment

__all__ = ["branch_key"]


def branch_key(branch_id: BranchId) -> str:
    """A text that no other route has, whatever characters the ids consist of; empty for the entry."""
    return "".join(map(_segment, branch_id.segments))


def _segment(segment: RouteSegment) -> str:
    if isinstance(segment, EdgeSegment):
        return _edge(segment.edge)
    return f"j{len(segment.join)}:{segment.join}({''.join(map(_edge, segment.of))})"


def _edge(name: str) -> str:
    return f"e{len(name)}:{name}"
