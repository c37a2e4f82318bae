"""Ops, events, lineages and approvals as encoded bytes, and back: what a store keeps (documents 30, 31 and 41)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from agentports.plans.artifacts import decode_artifact, encode_artifact
from agentports.plans.decoding import decode
from agentports.plans.encoding import encode
from agentports.ports.plans import (
    EVENT_CLASSES,
    OP_CLASSES,
    ApprovalRecord,
    BranchId,
    CloneProvenance,
    EdgeSegment,
    PlanOp,
    PlanOpRecord,
    PlanProvenance,
    RunEvent,
    RunEventRecord,
    TemplateProvenance,
    UnknownOp,
)

__all__ = [
    "approval_of",
    "as_approval",
    "as_event",
    "as_op",
    "as_template",
    "encoded",
    "event_of",
    "op_of",
    "plain",
    "provenance_of",
]

_PROVENANCES: Final[dict[str, type[Any]]] = {"clone": CloneProvenance, "template": TemplateProvenance}
#: Fields whose values are the user's: encoded as they are, never taken apart.
_OPAQUE: Final = frozenset({"definition", "value", "json_", "evidence", "args"})


def encoded(record: BaseModel) -> bytes:
    """The canonical form of a record. Raises `EncodingError` for a value that has none."""
    return encode(plain(record))


def plain(part: Any) -> Any:
    """The record in dicts, lists and the user's own values, which are not copied."""
    if isinstance(part, BaseModel):
        return _fields(part) | (part.model_extra or {})
    if isinstance(part, BranchId):
        return {"segments": [_segment(segment) for segment in part.segments]}
    if isinstance(part, Mapping):
        return {key: plain(value) for key, value in part.items()}
    return [plain(value) for value in part] if type(part) in (list, tuple) else part


def _fields(record: BaseModel) -> dict[str, Any]:
    """The fields that are stated, by their names on the wire."""
    fields = {}
    for name, field in type(record).model_fields.items():
        value = getattr(record, name)
        if value is not None or name in record.model_fields_set:
            fields[field.serialization_alias or name] = _field(name, value)
    return fields


def _field(name: str, value: Any) -> Any:
    if name == "artifacts":
        return {key: encode_artifact(artifact) for key, artifact in value.items()}
    return value if name in _OPAQUE else plain(value)


def _segment(segment: Any) -> dict[str, Any]:
    if isinstance(segment, EdgeSegment):
        return {"edge": segment.edge}
    return {"join": segment.join, "of": [*segment.of]}


# ---- what callers give


def as_op(given: Any) -> PlanOp:
    """An op, from a mapping or an object like one as well. Raises `ValueError` for what is none."""
    if isinstance(given, PlanOpRecord):
        return given  # type: ignore[return-value]
    kind = given.get("op") if isinstance(given, Mapping) else getattr(given, "op", None)
    op: PlanOp = OP_CLASSES.get(str(kind), UnknownOp).model_validate(given)
    return op


def as_event(given: Any) -> RunEvent:
    """An event likewise."""
    if isinstance(given, RunEventRecord):
        return given  # type: ignore[return-value]
    kind: Any = given.get("kind") if isinstance(given, Mapping) else getattr(given, "kind", None)
    if kind not in EVENT_CLASSES:
        raise ValueError(f"no event of a run is of the kind {kind!r}; the kinds are {', '.join(EVENT_CLASSES)}")
    event: RunEvent = EVENT_CLASSES[kind].model_validate(given)
    return event


as_approval: Final = ApprovalRecord.model_validate
as_template: Final = TemplateProvenance.model_validate

# ---- what was encoded

R = TypeVar("R")


def op_of(data: bytes) -> PlanOp:
    """The op that was encoded."""
    return as_op(decode(data))


def provenance_of(data: bytes | None) -> PlanProvenance | None:
    """The lineage that was encoded."""
    return _read(data, lambda record: _PROVENANCES[record["kind"]].model_validate(record))


def approval_of(data: bytes | None) -> ApprovalRecord | None:
    """The approval that was encoded."""
    return _read(data, as_approval)


def event_of(data: bytes) -> RunEvent:
    """The event that was encoded. Raises `NoReaderResolverError` for an artifact that nothing opens."""
    record: Any = decode(data)
    for part in (record, *record.get("frames", ()), *(a for j in record.get("joins", ()) for a in j["arrivals"])):
        if "artifacts" in part:
            part["artifacts"] = {key: decode_artifact(handle) for key, handle in part["artifacts"].items()}
    return as_event(record)


def _read(data: bytes | None, make: Callable[[Any], R]) -> R | None:
    return None if data is None else make(decode(data))
