"""The digest of a plan, to which approval is bound (document 30, section 7)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Final

from agentports.plans.encoding import encode, encode_nested
from agentports.ports.plans import EncodingError, PlanBounds, PlanEdge, PlanNode, PlanProvenance, RawPlanView

__all__ = [
    "DIGEST_PREFIX",
    "bounds_piece",
    "digest_of_pieces",
    "edge_piece",
    "node_piece",
    "plan_digest",
    "provenance_piece",
    "view_record",
]

#: What is hashed before the encoded view.
DIGEST_PREFIX: Final = b"agentports-plan/1\n"


def plan_digest(view: RawPlanView) -> str:
    """64 lower-case hexadecimal digits that cover everything in the view but its `digest` (ENC-DIGEST-COVERS-CONTENT).

    A dataclass or a mapping of the same shape, such as a decoded view record, does as well. Raises `EncodingError`.
    """
    view = view if type(view) is RawPlanView else RawPlanView.model_validate(view)
    try:
        return digest_of_pieces(
            view.plan_id,
            view.revision,
            nodes=map(node_piece, view.nodes),
            edges=map(edge_piece, view.edges),
            bounds=bounds_piece(view.bounds),
            provenance=None if view.provenance is None else provenance_piece(view.provenance),
        )
    except EncodingError:
        # The record as a whole gives the path from its root.
        return hashlib.sha256(DIGEST_PREFIX + encode(view_record(view))).hexdigest()


def digest_of_pieces(
    plan_id: str,
    revision: int,
    *,
    nodes: Iterable[bytes],
    edges: Iterable[bytes],
    bounds: bytes,
    provenance: bytes | None = None,
) -> str:
    """The digest of the view that consists of these encoded pieces."""
    hashed = hashlib.sha256(DIGEST_PREFIX)
    hashed.update(b",".join((b'{"bounds":' + bounds + b',"edges":["l"', *edges)))
    hashed.update(b",".join((b'],"nodes":["l"', *nodes)))
    hashed.update(b'],"plan_id":' + encode(plan_id))
    if provenance is not None:
        hashed.update(b',"provenance":' + provenance)
    hashed.update(b',"revision":' + encode(revision) + b"}")
    return hashed.hexdigest()


def node_piece(node: PlanNode) -> bytes:
    """The encoded record of a node, as it stands in an encoded view. Raises `EncodingError`."""
    return encode_nested(node_record(node), 2)


def edge_piece(edge: PlanEdge) -> bytes:
    """The encoded record of an edge, as it stands in an encoded view. Raises `EncodingError`."""
    return encode_nested(edge_record(edge), 2)


def bounds_piece(bounds: PlanBounds) -> bytes:
    """The encoded record of bounds, as it stands in an encoded view. Raises `EncodingError`."""
    return encode_nested(_fields(bounds), 1)


def provenance_piece(provenance: PlanProvenance) -> bytes:
    """The encoded record of a provenance, as it stands in an encoded view. Raises `EncodingError`."""
    return encode_nested(_fields(provenance), 1)


def view_record(view: RawPlanView) -> dict[str, Any]:
    """The dict whose encoding the digest covers. It shares its values with the view."""
    record: dict[str, Any] = {
        "plan_id": view.plan_id,
        "revision": view.revision,
        "nodes": [node_record(node) for node in view.nodes],
        "edges": [edge_record(edge) for edge in view.edges],
        "bounds": _fields(view.bounds),
    }
    return record if view.provenance is None else record | {"provenance": _fields(view.provenance)}


def node_record(node: PlanNode) -> dict[str, Any]:
    """A node as a dict; a phase is there only when the node has one."""
    record = {"id": node.id, "kind": node.kind, "definition": node.definition}
    return record if node.phase is None else record | {"phase": node.phase}


def edge_record(edge: PlanEdge) -> dict[str, Any]:
    """An edge as a dict."""
    return {"id": edge.id, "from": edge.from_, "to": edge.to, "handle": edge.handle}


def _fields(record: PlanBounds | PlanProvenance) -> dict[str, Any]:
    # Not `model_dump`, which would turn what the fields hold into other values.
    return {name: getattr(record, name) for name in type(record).model_fields}
