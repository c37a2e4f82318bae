"""The digest of a plan that grows, from what changed in it."""

from __future__ import annotations

import hashlib
from typing import Any

from agentports.plans._hashed_list import HashedList
from agentports.plans._plan_content import PlanContent
from agentports.plans.digest import DIGEST_PREFIX, bounds_piece, edge_piece, node_piece, provenance_piece
from agentports.plans.encoding import encode
from agentports.ports.plans import PlanBounds, PlanProvenance

__all__ = ["RunningDigest"]


class RunningDigest:
    """What `plan_digest` says of the view of a content (document 30, section 7).

    What did not change since the last time is not encoded again, and is hashed again only where it follows a change.
    """

    def __init__(self, plan_id: str, provenance: PlanProvenance | None) -> None:
        lineage = b"" if provenance is None else b',"provenance":' + provenance_piece(provenance)
        self._closing = b'],"plan_id":' + encode(plan_id) + lineage + b',"revision":'
        self._bounds: PlanBounds | None = None
        self._opened: Any = None
        self._edges = HashedList(b',"edges":["l"')
        self._nodes = HashedList(b'],"nodes":["l"')
        self._dangling: set[str] = set()

    def of(self, content: PlanContent, revision: int) -> str:
        """The digest now; it takes note of the changes of the content, and has it forget them."""
        self._note_edges(content)
        self._note_nodes(content)
        text = self._nodes.hashed(self._edges.hashed(self._opened_with(content.bounds))).copy()
        text.update(self._closing + encode(revision) + b"}")
        return str(text.hexdigest())

    def _opened_with(self, bounds: PlanBounds) -> Any:
        if bounds is not self._bounds:
            self._bounds = bounds
            self._opened = hashlib.sha256(DIGEST_PREFIX + b'{"bounds":' + bounds_piece(bounds))
        return self._opened

    def _note_edges(self, content: PlanContent) -> None:
        edges = content.edges
        turned = self._turned(content)
        self._edges.drop(edges.gone)
        for name in {**edges.changed, **dict.fromkeys(turned)}:
            # An edge that dangles keeps its place, and nothing is to be seen of it.
            self._edges.put(name, b"" if name in self._dangling else edge_piece(edges.by_id[name]))
        edges.forget_changes()

    def _turned(self, content: PlanContent) -> set[str]:
        """The edges that dangle and did not, or did and do not, as far as they are still there."""
        edges = content.edges.by_id
        # Unless a node went, none dangles but those that did, and what changed.
        suspects = edges if content.nodes.gone else {*self._dangling, *content.edges.changed} & edges.keys()
        before, self._dangling = self._dangling, {name for name in suspects if content.is_dangling(edges[name])}
        return (before ^ self._dangling) & edges.keys()

    def _note_nodes(self, content: PlanContent) -> None:
        nodes = content.nodes
        self._nodes.drop(nodes.gone)
        for name in nodes.changed:
            node: Any = nodes.by_id[name]  # which has the fields of a PlanNode
            self._nodes.put(name, node_piece(node))
        nodes.forget_changes()
