"""A correct encoding of exchangeable parts: a defect replaces one."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from agentports.plans import decode, encode
from agentports.plans._leaves import LEAVES
from agentports.ports import EncodingError
from portproof.benches.plans.walking import folded

__all__ = ["Codec", "Entries", "fields"]

_TAGS = {list: "l", tuple: "t", set: "set", frozenset: "fset"}
#: The texts of keys, each with that of its value.
Entries = list[tuple[str, str]]


class Codec:
    """Three functions. The texts of leaves are the reference's, those of containers are put together here."""

    def encode(self, value: Any) -> bytes:
        try:
            encode(value)
        except EncodingError as refused:
            value = self.admitted(value, refused)
        return self.text(value).encode()

    def decode(self, data: bytes) -> Any:
        return decode(data)

    def plan_digest(self, view: Any) -> str:
        return hashlib.sha256(self.prefix + self.encode(self.record(view))).hexdigest()

    # ---- the parts

    prefix = b"agentports-plan/1\n"

    def admitted(self, value: Any, refused: EncodingError) -> Any:
        """What to encode in place of a value that no plan can hold."""
        raise refused

    def text(self, value: Any) -> str:
        return folded(value, self.leaf, self.closed)

    def leaf(self, value: Any) -> str:
        return LEAVES[id(type(value))](value)

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        """The text of a container whose keys and members have these texts."""
        if kind is dict:
            return self.dict_text(list(zip(keys, members, strict=True)))
        return self.array(self.tag(kind), self.in_order(members) if kind in (set, frozenset) else members)

    def tag(self, kind: type) -> str:
        return _TAGS[kind]

    def dict_text(self, entries: Entries) -> str:
        if all(key.startswith('"') for key, _ in entries):
            return "{" + ",".join(f"{key}:{value}" for key, value in self.by_key(entries)) + "}"
        return self.array("map", [f"[{key},{value}]" for key, value in self.by_text(entries)])

    def array(self, tag: str, members: list[str]) -> str:
        return ",".join([f'["{tag}"', *members]) + "]"

    def in_order(self, members: list[str]) -> list[str]:
        return sorted(members)

    def by_key(self, entries: Entries) -> Entries:
        return sorted(entries, key=lambda entry: self.rank(json.loads(entry[0])))

    def rank(self, key: str) -> Any:
        return key

    def by_text(self, entries: Entries) -> Entries:
        return sorted(entries)

    def record(self, view: Any) -> dict[str, Any]:
        """The dict whose encoding is hashed."""
        record = {
            "plan_id": view.plan_id,
            "revision": view.revision,
            "nodes": [self.node(node) for node in view.nodes],
            "edges": [{"id": e.id, "from": e.from_, "to": e.to, "handle": e.handle} for e in view.edges],
            "bounds": dict(view.bounds),
        }
        return record if view.provenance is None else record | {"provenance": dict(view.provenance)}

    def node(self, node: Any) -> dict[str, Any]:
        record = {"id": node.id, "kind": node.kind, "definition": node.definition}
        return record if node.phase is None else record | {"phase": node.phase}


def fields(ref: Any) -> dict[str, Any]:
    """What a reference to a node consists of, as a dict."""
    select = ref.select if isinstance(ref.select, str) else dict(ref.select)
    return {"node": ref.node, "select": select, "path": ref.path, "branch_id": None}
