"""References that become something else, guards that take too much, references that can be changed."""

from __future__ import annotations

from typing import Any

from portproof_defects._encodings import Codec, fields

from agentports.plans import encode
from agentports.ports import BranchId, NodeRef, is_node_ref, is_param_ref
from portproof.selftest import defect


@defect("ENC-NODEREF-CLASS")
class RefsAsRecords(Codec):
    """A reference is the dict of its fields."""

    def leaf(self, value: Any) -> str:
        return encode(fields(value)).decode() if type(value) is NodeRef else super().leaf(value)


@defect("ENC-NODEREF-CLASS")
class WithoutRoute(Codec):
    """The route of a reference is lost."""

    def leaf(self, value: Any) -> str:
        return super().leaf(NodeRef(value.node, value.select, value.path) if type(value) is NodeRef else value)


@defect("ENC-LOOKALIKE-DIFFERS")
class DollarRef(Codec):
    """A reference is a dict with the key $ref."""

    def leaf(self, value: Any) -> str:
        return encode({"$ref": fields(value)}).decode() if type(value) is NodeRef else super().leaf(value)


@defect("ENC-LOOKALIKE-DIFFERS")
class UntaggedLists(Codec):
    """A list that begins with a text needs no tag."""

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        if kind is list and members and members[0].startswith('"'):
            return "[" + ",".join(members) + "]"
        return super().closed(kind, keys, members)


class Guarded(Codec):
    """A correct encoding with guards."""

    def is_node_ref(self, value: Any) -> bool:
        return is_node_ref(value)

    def is_param_ref(self, value: Any) -> bool:
        return is_param_ref(value)


@defect("ENC-REF-GUARDS")
class Ducks(Guarded):
    """Whatever has a node and a select is a reference."""

    def is_node_ref(self, value: Any) -> bool:
        return hasattr(value, "node") and hasattr(value, "select")


@defect("ENC-REF-GUARDS")
class Names(Guarded):
    """The name of the class decides."""

    def is_param_ref(self, value: Any) -> bool:
        return type(value).__name__ == "ParamRef"


@defect("ENC-REF-GUARDS")
class Keys(Guarded):
    """Raises for what has no keys."""

    def is_param_ref(self, value: Any) -> bool:
        return is_param_ref(value) or "ParamRef" in value


class OpenRef:
    """A reference to a node that can be changed."""

    def __init__(self, node: str, select: Any, path: str | None = None, branch_id: BranchId | None = None) -> None:
        self.node, self.select, self.path, self.branch_id = node, select, path, branch_id

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.node, str(self.select), self.path, self.branch_id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenRef) and self.as_tuple() == other.as_tuple()

    def __hash__(self) -> int:
        return hash(self.as_tuple())


class SloppyRef(NodeRef):
    """A reference whose route does not count."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeRef) and (self.node, self.select) == (other.node, other.select)

    def __hash__(self) -> int:
        return hash((self.node, self.select))


class _OwnRefs(Codec):
    def leaf(self, value: Any) -> str:
        if type(value) in (OpenRef, SloppyRef):
            value = NodeRef(value.node, value.select, value.path, value.branch_id)
        return super().leaf(value)


@defect("ENC-REF-IMMUTABLE")
class Changeable(_OwnRefs):
    """References are plain objects."""

    NodeRef = OpenRef


@defect("ENC-REF-IMMUTABLE")
class Sloppy(_OwnRefs):
    """References that differ in path or route are equal."""

    NodeRef = SloppyRef
