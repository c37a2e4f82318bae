"""References are of classes of their own, and nothing that looks like one is one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

from hypothesis import strategies as st

from agentports.ports import BranchId, NodeRef, ParamRef
from portproof.benches.plans.encodings import EncodingBench, shown
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect
from portproof.running.plain import told
from portproof.strategies.plans import arg_values, encodable_values, node_refs, param_refs, routes


@check("ENC-NODEREF-CLASS", ref=node_refs(), hole=param_refs(), value=arg_values())
async def references_come_back_as_references(bench: EncodingBench, ref: NodeRef, hole: ParamRef, value: Any) -> None:
    for whole in (ref, hole, value, [value, {"a": [ref, {"b": hole}]}]):
        bench.expect_back(whole, bench.encode(whole))
    back = bench.decode(bench.encode({"ref": ref, "hole": hole}))
    expect(_says(bench, "is_node_ref", back["ref"]) is not False, "is_node_ref denies a NodeRef that came back")
    expect(_says(bench, "is_param_ref", back["hole"]) is not False, "is_param_ref denies a ParamRef that came back")


def _says(bench: EncodingBench, guard: str, value: Any) -> Any:
    """What a guard says; None where the subject has no such guard."""
    function = bench.subject.members.get(guard)
    if function is None:
        return None
    try:
        return getattr(bench.codec, guard)(value)
    except Exception as error:
        raise Violation(f"{guard} raised {told(error)}", given=shown(value)) from error


@check("ENC-LOOKALIKE-DIFFERS", ref=node_refs(), hole=param_refs())
async def what_looks_like_a_reference_is_none(bench: EncodingBench, ref: NodeRef, hole: ParamRef) -> None:
    for reference, alike in ((ref, _like_a_node_ref(ref)), (hole, _like_a_param_ref(hole))):
        for value in (*alike, *_written(bench.encode(reference))):
            for whole, place in ((reference, value), ([reference], [value])):
                text = bench.encode(place)
                expect(text != bench.encode(whole), "a look-alike has the encoding of a reference", alike=shown(place))
                bench.expect_back(place, text)
            for guard in ("is_node_ref", "is_param_ref"):
                expect(
                    not _says(bench, guard, value), f"{guard} takes a look-alike for a reference", alike=shown(value)
                )


def _written(data: bytes) -> list[Any]:
    """The encoding as a text, and as what it says to a reader of JSON."""
    try:
        return [data.decode(), json.loads(data)]
    except ValueError:
        return []


def _like_a_node_ref(ref: NodeRef) -> list[Any]:
    select = ref.select if isinstance(ref.select, str) else dict(ref.select)
    given = {"node": ref.node, "select": select, "path": ref.path, "branch_id": None}
    return [*_alike("NodeRef", given), *_alike("NodeRef", {"node": ref.node, "select": select})]


def _like_a_param_ref(hole: ParamRef) -> list[Any]:
    return _alike("ParamRef", {"path": hole.path})


def _alike(name: str, fields: dict[str, Any]) -> list[Any]:
    return [
        fields,
        {"kind": name, **fields},
        {"type": name, **fields},
        {"__class__": name, **fields},
        {f"${name}": fields},
        {"$ref": fields},
        {name: list(fields.values())},
        [name, *fields.values()],
        (name, *fields.values()),
        {"l": [name, *fields.values()]},
    ]


@check("ENC-REF-GUARDS", ref=node_refs(), hole=param_refs(), value=encodable_values())
async def the_guards_take_their_own_class_and_nothing_else(
    bench: EncodingBench, ref: NodeRef, hole: ParamRef, value: Any
) -> None:
    own_ref, own_hole = bench.carrier.value(ref), bench.carrier.value(hole)
    expect(_says(bench, "is_node_ref", own_ref) is True, "is_node_ref denies a NodeRef")
    expect(_says(bench, "is_param_ref", own_hole) is True, "is_param_ref denies a ParamRef")
    others = [bench.carrier.value(value), None, object(), *_doubles(own_ref, own_hole)]
    for other in (*others, own_hole, bench.classes.NodeRef):
        expect(_says(bench, "is_node_ref", other) is False, "is_node_ref accepts something else", given=_named(other))
    for other in (*others, own_ref, bench.classes.ParamRef):
        expect(_says(bench, "is_param_ref", other) is False, "is_param_ref accepts something else", given=_named(other))


def _doubles(ref: Any, hole: Any) -> list[Any]:
    given = {"node": ref.node, "select": ref.select, "path": ref.path, "branch_id": ref.branch_id}
    return [
        SimpleNamespace(**given),
        Mock(**given),
        given,
        type("NodeRef", (), given)(),
        type("ParamRef", (), {"path": hole.path})(),
    ]


def _named(value: Any) -> str:
    return f"an object of class {type(value).__qualname__}"


@check(
    "ENC-REF-IMMUTABLE",
    refs=st.tuples(node_refs(), node_refs()),
    holes=st.tuples(param_refs(), param_refs()),
    ways=st.tuples(routes(), routes()),
)
async def references_never_change_and_are_compared_by_content(
    bench: EncodingBench,
    refs: tuple[NodeRef, NodeRef],
    holes: tuple[ParamRef, ParamRef],
    ways: tuple[BranchId, BranchId],
) -> None:
    carry, offered = bench.carrier, bench.subject.members
    if offered.get("NodeRef") is not None:
        one, other = refs
        others = [replace(one, **{field.name: getattr(other, field.name)}) for field in fields(one)]
        _expect_values("NodeRef", carry.value, [one, *others])
    if offered.get("ParamRef") is not None:
        _expect_values("ParamRef", carry.value, holes)
    if offered.get("BranchId") is not None:
        _expect_values("BranchId", carry.route, ways)


def _expect_values(name: str, make: Callable[[Any], Any], given: Sequence[Any]) -> None:
    """Expect of the first that it cannot be changed, and that it equals what has its fields and nothing else."""
    one, again = make(given[0]), make(given[0])
    for field in fields(given[0]):
        expect(not _can_be_set(one, field.name), f"{field.name} of a {name} can be set")
    try:
        hashes = hash(one), hash(again)
    except TypeError as error:
        raise Violation(f"a {name} has no hash: {error}") from None
    expect(one == again, f"two {name} of equal fields are not equal", fields=shown(given[0]))
    expect(hashes[0] == hashes[1], f"two equal {name} have different hashes", fields=shown(given[0]))
    for other in given[1:]:
        same = bool(one == make(other))
        expect(same is (given[0] == other), f"two {name} of different fields are equal", other=shown(other))


def _can_be_set(value: Any, field: str) -> bool:
    try:
        setattr(value, field, getattr(value, field))
    except Exception:
        return False
    return True
