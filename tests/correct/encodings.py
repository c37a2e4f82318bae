"""Encodings that keep the contract and are made otherwise than the reference: none may be failed."""

from __future__ import annotations

import functools
import hashlib
from types import SimpleNamespace
from typing import Any

from agentports import plans as reference
from tests.plans.second_decoder import SecondDecoder
from tests.plans.second_encoder import SecondEncoder

from . import _own_plan_classes as own

__all__ = ["CORRECT"]


class Second:
    """The plain encoder, over the contract's classes."""

    def __init__(self) -> None:
        self.encode = SecondEncoder().encode
        self.decode = SecondDecoder().decode

    def plan_digest(self, view: Any) -> str:
        return digest_of(self.encode, view)


def digest_of(encode: Any, view: Any) -> str:
    """The formula, over attributes."""
    nodes = [
        {"id": n.id, "kind": n.kind, "definition": n.definition} | ({} if n.phase is None else {"phase": n.phase})
        for n in view.nodes
    ]
    edges = [{"handle": e.handle, "to": e.to, "from": e.from_, "id": e.id} for e in view.edges]
    bounds = {name: getattr(view.bounds, name) for name in reference_bounds}
    record = {"bounds": bounds, "edges": edges, "nodes": nodes, "revision": view.revision, "plan_id": view.plan_id}
    if view.provenance is not None:
        record["provenance"] = dict(view.provenance) if hasattr(view.provenance, "__iter__") else vars(view.provenance)
    return hashlib.sha256(b"agentports-plan/1\n" + encode(record)).hexdigest()


reference_bounds = ("max_nodes", "max_edges", "max_steps", "max_concurrent_frames", "max_encoded_bytes")


class Static:
    """A class that is never built, with the guards."""

    encode = staticmethod(reference.encode)
    decode = staticmethod(reference.decode)
    plan_digest = staticmethod(reference.plan_digest)
    is_node_ref = staticmethod(reference.is_node_ref)
    is_param_ref = staticmethod(reference.is_param_ref)


class Functions:
    """A class that only holds functions."""

    def encode(value: Any) -> bytes:
        return reference.encode(value)

    def decode(data: bytes) -> Any:
        return reference.decode(data)

    def plan_digest(view: Any) -> str:
        return reference.plan_digest(view)


class Remembering(Second):
    """Remembers what bytes stood for, not what it gave: what it decodes is copied by encoding it again."""

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[bytes, bytes] = {}
        self.decode = self.read

    def read(self, data: bytes) -> Any:
        return reference.decode(self.known.setdefault(data, data))


def with_own_classes() -> Any:
    """The plain encoder with classes of its own for everything."""
    classes = vars(own)
    encode, decode = SecondEncoder(own).encode, SecondDecoder(own).decode
    functions = {"encode": encode, "decode": decode, "plan_digest": functools.partial(digest_of, encode)}
    return SimpleNamespace(**{name: value for name, value in classes.items() if not name.startswith("_")} | functions)


CORRECT: dict[str, Any] = {
    "the reference": reference,
    "the second encoder": Second,
    "static methods": Static,
    "functions in a class": Functions,
    "a memory of bytes": Remembering,
    "classes of its own": with_own_classes(),
    "a factory of them": with_own_classes,
}
