"""Digests that cover too little or too much, or are written otherwise."""

from __future__ import annotations

import hashlib
from typing import Any

from portproof_defects._encodings import Codec, Entries

from portproof.benches.plans.walking import folded
from portproof.selftest import defect


@defect("ENC-DIGEST-FORM")
class UpperCase(Codec):
    """The digits are upper case."""

    def plan_digest(self, view: Any) -> str:
        return super().plan_digest(view).upper()


@defect("ENC-DIGEST-FORM")
class NoPrefix(Codec):
    """Only the record is hashed."""

    prefix = b""


@defect("ENC-DIGEST-FORM")
class NullProvenance(Codec):
    """A plan without provenance has the provenance None."""

    def record(self, view: Any) -> dict[str, Any]:
        return {"provenance": None} | super().record(view)


class _Without(Codec):
    left_out: str

    def record(self, view: Any) -> dict[str, Any]:
        return {name: value for name, value in super().record(view).items() if name != self.left_out}


@defect("ENC-DIGEST-COVERS-CONTENT")
class WithoutBounds(_Without):
    """Bounds are not covered."""

    left_out = "bounds"


@defect("ENC-DIGEST-COVERS-CONTENT")
class WithoutProvenance(_Without):
    """The provenance is not covered."""

    left_out = "provenance"


@defect("ENC-DIGEST-COVERS-CONTENT")
class WithoutRevision(_Without):
    """The revision is not covered."""

    left_out = "revision"


@defect("ENC-DIGEST-COVERS-CONTENT")
class WithoutPhase(Codec):
    """Phases are for people, and not covered."""

    def node(self, node: Any) -> dict[str, Any]:
        return {"id": node.id, "kind": node.kind, "definition": node.definition}


@defect("ENC-DIGEST-COVERS-CONTENT")
class NodesById(Codec):
    """The order of nodes is not covered."""

    def record(self, view: Any) -> dict[str, Any]:
        record = super().record(view)
        return record | {"nodes": sorted(record["nodes"], key=lambda node: str(node["id"]))}


@defect("ENC-DIGEST-COVERS-CONTENT")
class EdgesByEnds(Codec):
    """Ids of edges are not covered."""

    def record(self, view: Any) -> dict[str, Any]:
        return super().record(view) | {"edges": [[e.from_, e.to, e.handle] for e in view.edges]}


@defect("ENC-DIGEST-IGNORES-DIGEST-FIELD")
class HashesTheDigest(Codec):
    """The digest that the view states is hashed as well."""

    def record(self, view: Any) -> dict[str, Any]:
        return super().record(view) | {"digest": view.digest}


@defect("ENC-DIGEST-IGNORES-DIGEST-FIELD")
class TrustsTheDigest(Codec):
    """A digest that looks like one is taken."""

    def plan_digest(self, view: Any) -> str:
        return str(view.digest) if len(view.digest) == 64 else super().plan_digest(view)


@defect("ENC-DIGEST-KEY-ORDER")
class AsInserted(Codec):
    """Keys are hashed as they were inserted."""

    def plan_digest(self, view: Any) -> str:
        text = folded(self.record(view), self.leaf, _Unsorted().closed)
        return hashlib.sha256(self.prefix + text.encode()).hexdigest()


class _Unsorted(Codec):
    def by_key(self, entries: Entries) -> Entries:
        return entries


@defect("ENC-DIGEST-SURVIVES-STORAGE")
class ListsForTuples(Codec):
    """Tuples are decoded as lists."""

    def decode(self, data: bytes) -> Any:
        return folded(super().decode(data), lambda leaf: leaf, _listed)


def _listed(kind: type, keys: list[Any], members: list[Any]) -> Any:
    try:
        return dict(zip(keys, members, strict=True)) if kind is dict else members if kind is tuple else kind(members)
    except TypeError:
        return kind(map(str, members)) if kind is not dict else dict(zip(map(str, keys), members, strict=True))


@defect("ENC-DEFAULTS-NOT-FILLED")
class FillsDefaults(Codec):
    """What a definition lacks is filled in."""

    def node(self, node: Any) -> dict[str, Any]:
        record = super().node(node)
        if isinstance(node.definition, dict):
            record["definition"] = {"declassifies": [], **node.definition}
        return record


@defect("ENC-DEFAULTS-NOT-FILLED")
class DropsTheUnknown(Codec):
    """Fields that no call has are dropped."""

    def node(self, node: Any) -> dict[str, Any]:
        record = super().node(node)
        if isinstance(node.definition, dict):
            record["definition"] = {name: value for name, value in node.definition.items() if name != "extra"}
        return record
