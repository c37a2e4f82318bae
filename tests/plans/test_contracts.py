"""The classes of plans: values that Python lacks, references, routes, records."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from agentports.ports import (
    UNDEFINED,
    BranchId,
    Duration,
    EdgeSegment,
    EncodingError,
    Interval,
    JoinSegment,
    NodeRef,
    ParamRef,
    PlanBounds,
    PlanEdge,
    PlanNode,
    SetNodePhase,
    UnknownOp,
    is_node_ref,
    is_param_ref,
)
from agentports.ports.plans import SelectIndex, Undefined

_ROUTE = BranchId([EdgeSegment("e"), JoinSegment("j", ["a", "b"])])
_VALUES = [
    Duration(hours=1),
    NodeRef("a", "first"),
    NodeRef("a", {"index": -1}, "x", _ROUTE),
    ParamRef("x"),
    _ROUTE,
    Interval(datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)),
]


def test_undefined_is_one_falsy_object_however_it_is_copied() -> None:
    """And says its name."""
    copies = [copy.copy(UNDEFINED), copy.deepcopy([UNDEFINED])[0], pickle.loads(pickle.dumps(UNDEFINED)), Undefined()]
    assert all(other is UNDEFINED for other in copies)
    assert (repr(UNDEFINED), bool(UNDEFINED)) == ("UNDEFINED", False)


@pytest.mark.parametrize("value", _VALUES, ids=lambda value: type(value).__name__)
def test_values_are_compared_by_fields_and_copied_whole(value: Any) -> None:
    """Equal ones have one hash."""
    for other in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value
        assert hash(other) == hash(value)
    with pytest.raises(AttributeError):
        setattr(value, next(iter(value.__dataclass_fields__)), None)


def test_a_select_by_index_is_given_as_a_dict_and_reads_like_it() -> None:
    """But it cannot be changed."""
    select: Any = NodeRef("a", {"index": 2}).select
    assert select == {"index": 2}
    assert (dict(select), select["index"], repr(select)) == ({"index": 2}, 2, "{'index': 2}")
    with pytest.raises(TypeError):
        select["index"] = 3
    with pytest.raises(AttributeError):
        select._index = 3
    with pytest.raises(AttributeError):
        del select._index
    with pytest.raises(KeyError):
        select["other"]


class _Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "make",
    [
        lambda: NodeRef(_Text("a"), "first"),
        lambda: NodeRef("a", "second"),  # type: ignore[arg-type]
        lambda: NodeRef("a", {"index": True}),
        lambda: NodeRef("a", {"index": 1.0}),  # type: ignore[dict-item]
        lambda: NodeRef("a", {"index": 1, "other": 2}),
        lambda: NodeRef("a", "first", 1),  # type: ignore[arg-type]
        lambda: NodeRef("a", "first", None, [EdgeSegment("e")]),  # type: ignore[arg-type]
        lambda: ParamRef(_Text("a")),
        lambda: BranchId(["e"]),  # type: ignore[list-item]
        lambda: EdgeSegment(1),  # type: ignore[arg-type]
        lambda: JoinSegment("j", [1]),  # type: ignore[list-item]
        lambda: SelectIndex(True),
        lambda: Duration(hours=True),
        lambda: Duration(hours="1"),  # type: ignore[arg-type]
    ],
)
def test_what_could_not_be_encoded_cannot_be_made(make: Callable[[], Any]) -> None:
    """Fields have exactly the types that they are said to have."""
    with pytest.raises((TypeError, ValueError)):
        make()


def test_an_interval_has_its_ends_in_order_as_instants() -> None:
    """Not by the wall clock, which shows the later one first where an hour comes twice; nor by way of overflows."""
    hour = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Paris"))
    assert Interval(hour, hour.replace(minute=10, fold=1))
    with pytest.raises(EncodingError):
        Interval(hour.replace(minute=10, fold=1), hour)
    east, west = (timezone(timedelta(hours=hours)) for hours in (14, -12))
    assert Interval(datetime.min.replace(tzinfo=east), datetime.max.replace(tzinfo=west))
    with pytest.raises(EncodingError):
        Interval(datetime(2026, 1, 1), datetime(2026, 1, 2))


def test_only_references_are_references() -> None:
    """Not the other one, nor what looks like one."""
    ref, hole = NodeRef("a", "first"), ParamRef("a")
    others: list[Any] = [None, {"node": "a", "select": "first"}, ("a",), type("NodeRef", (), {"node": "a"})(), NodeRef]
    assert (is_node_ref(ref), is_param_ref(hole)) == (True, True)
    assert not any(map(is_node_ref, [*others, hole]))
    assert not any(map(is_param_ref, [*others, ref]))


def test_an_edge_is_built_from_either_name_of_its_source() -> None:
    """The record says `from`, Python code cannot."""
    edge = PlanEdge(id="e", from_="a", to="b", handle="always")
    assert PlanEdge.model_validate({"id": "e", "from": "a", "to": "b", "handle": "always"}) == edge
    assert edge.model_dump(by_alias=True)["from"] == "a"


@pytest.mark.parametrize("definition", [None, [1], {1: (2,)}, UNDEFINED, NodeRef("a", "first"), {"a": {"b": {1}}}])
def test_a_definition_is_kept_as_it_was_authored(definition: Any) -> None:
    """The same object: nothing is converted."""
    assert PlanNode(id="a", kind="call", definition=definition).definition is definition


def test_numbers_of_records_are_integers() -> None:
    """A bool or a text is not taken for one."""
    limits: dict[str, Any] = dict.fromkeys(PlanBounds.model_fields, 1)
    assert PlanBounds(**limits)
    for wrong in (True, "1", 1.0):
        with pytest.raises(ValidationError):
            PlanBounds(**limits | {"max_steps": wrong})
        with pytest.raises(ValidationError):
            SetNodePhase(op_id="o", actor_id="a", lamport=wrong, at="", node_id="n", phase=None)


def test_an_op_of_unknown_kind_keeps_its_fields() -> None:
    """For whoever knows it."""
    op = UnknownOp.model_validate({"op_id": "o", "actor_id": "a", "lamport": 1, "at": "", "op": "rename", "to": "b"})
    assert op.model_dump()["to"] == "b"
