"""The canonical form: what the document says, what a second encoder says, and how refusals are told."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings

from agentports.plans import _careful, _containers, encode
from agentports.plans.encoding import encode_nested
from agentports.ports import BranchId, EdgeSegment, EncodingError, JoinSegment, NodeRef
from portproof.strategies.plans import arg_values, encodable_values, near_misses, unencodables
from portproof.strategies.plans.unencodables import Unencodable

from .second_encoder import Refused, SecondEncoder

second = SecondEncoder()
generated = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

_REF = NodeRef("a", {"index": 2}, "x.y", BranchId([EdgeSegment("e1"), JoinSegment("j", ["a1", "b2"])]))
#: As document 30, section 3 has them.
VECTORS: list[tuple[Any, str]] = [
    (-255, '["i","-ff"]'),
    ({2: "x", 1: "y"}, '["map",[["i","1"],"y"],[["i","2"],"x"]]'),
    ({"b": 1, "a": [2]}, '{"a":["l",["i","2"]],"b":["i","1"]}'),
    (
        datetime(2026, 7, 2, 3, 4, 5, 6, ZoneInfo("Europe/Paris")),
        '["dt","2026-07-02T03:04:05.000006","+02:00","Europe/Paris"]',
    ),
    (timedelta(seconds=1), '["td","f4240"]'),
    (re.compile(r"^inv-\d+$", re.I), '["re","^inv-\\\\d+$",34]'),
    (_REF, '["NodeRef","a",{"index":["i","2"]},"x.y",["BranchId",["e","e1"],["j","j",["a1","b2"]]]]'),
    (["NodeRef", "a"], '["l","NodeRef","a"]'),
    ({"node": "a", "select": "first"}, '{"node":"a","select":"first"}'),
]


@pytest.mark.parametrize(("value", "text"), VECTORS)
@pytest.mark.parametrize("encoder", [encode, second.encode], ids=["the reference", "the second encoder"])
def test_both_encoders_write_the_vectors_of_the_document(
    encoder: Callable[[Any], bytes], value: Any, text: str
) -> None:
    """Byte for byte."""
    assert encoder(value) == text.encode()


@generated
@given(encodable_values())
def test_two_encoders_by_two_hands_write_the_same_bytes(value: Any) -> None:
    """For every kind of value."""
    assert encode(value) == second.encode(value)


@generated
@given(arg_values())
def test_two_encoders_write_the_same_references(value: Any) -> None:
    """In arguments, at any depth."""
    assert encode(value) == second.encode(value)


@generated
@given(near_misses())
def test_two_encoders_tell_the_same_values_apart(pair: tuple[Any, Any]) -> None:
    """And agree on how each is written."""
    assert [encode(value) for value in pair] == [second.encode(value) for value in pair]
    assert encode(pair[0]) != encode(pair[1])


@generated
@given(encodable_values())
def test_the_walk_with_a_stack_writes_what_the_walk_by_calls_writes(value: Any) -> None:
    """So a value has one encoding, however deep it stands."""
    assert _careful.write_carefully(value).encode() == encode(value)


@generated
@given(unencodables())
def test_both_encoders_refuse_the_same_values_at_the_same_place(misfit: Unencodable) -> None:
    """With one code and one path."""
    with pytest.raises(EncodingError) as refused:
        encode(misfit.place.value)
    with pytest.raises(Refused) as also:
        second.encode(misfit.place.value)
    assert (refused.value.code, refused.value.path) == (also.value.code, also.value.path)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (object(), ""),
        ({"a": [1, {"b": (2, object())}]}, "a.1.b.1"),
        ({"a": {1: object()}}, "a.*"),
        ({"a": [{object(): 1}]}, "a.0.*"),
        ({"": {"": object()}}, "."),
        ([[], {"x": "\ud800"}], "1.x"),
        ({"x": [{"\ud800": 1}]}, "x.0"),
        ({"x": {float("nan"), float("nan")}}, "x"),
    ],
)
def test_a_refusal_says_where_the_value_stands(value: Any, path: str) -> None:
    """A key that is refused has the path of its dict; what has no name is a star."""
    with pytest.raises(EncodingError, match=r"cannot hold|surrogate|one encoding") as refused:
        encode(value)
    assert (refused.value.code, refused.value.path) == ("unencodable_value", path)


@pytest.mark.parametrize("layers", [1, 15, 16, 17, 40])
def test_the_path_to_what_lies_deep_begins_at_the_outermost_value(layers: int) -> None:
    """Although deep parts are walked by themselves."""
    value: Any = object()
    for _ in range(layers):
        value = [value]
    with pytest.raises(EncodingError) as refused:
        encode(value)
    assert refused.value.path == ".".join(["0"] * layers)


def _nest(depth: int) -> Any:
    value: Any = 1
    for level in range(depth):
        value = {1: value} if level % 2 else [value]
    return value


def test_values_nest_up_to_640_containers_wherever_the_stack_stands() -> None:
    """Also where only few calls are left, and for parts of a larger value."""

    def with_little_left(calls: int) -> bytes:
        return encode(_nest(640)) if calls == 0 else with_little_left(calls - 1)

    used = len(__import__("inspect").stack())
    assert with_little_left(sys.getrecursionlimit() - used - 60) == second.encode(_nest(640))
    assert encode_nested(_nest(638), 2) == encode(_nest(638))
    for value, around in ((_nest(641), 0), (_nest(639), 2), (_nest(100_000), 0)):
        with pytest.raises(EncodingError) as refused:
            encode_nested(value, around)
        assert refused.value.code == "value_too_deep"


def test_a_container_that_contains_itself_is_refused_at_its_second_appearance() -> None:
    """However short or long the way round, and however often it is gone."""
    for way in (1, 3, 20, 700):
        outer: list[Any] = []
        inner = outer
        for _ in range(way - 1):
            inner.append([])
            inner = inner[-1]
        inner += [outer, outer]
        with pytest.raises(EncodingError) as refused:
            encode(outer)
        expected = "cyclic_value" if way <= 640 else "value_too_deep"
        assert (refused.value.code, refused.value.path.count(".")) == (expected, min(way, 641) - 1 - (way > 640))


class _ClaimsToBeInt(type):
    """Makes a class that hashes and compares as int."""

    def __hash__(cls) -> int:
        return hash(int)

    def __eq__(cls, other: object) -> bool:
        return True


class _Posing(metaclass=_ClaimsToBeInt):
    def __index__(self) -> int:
        return 1


class _Unhashable(type):
    __hash__ = None  # type: ignore[assignment]

    def __eq__(cls, other: object) -> bool:
        return False


class _OfUnhashable(metaclass=_Unhashable):
    pass


@pytest.mark.parametrize("posing", [_Posing(), _OfUnhashable()])
def test_a_class_is_told_by_identity_and_its_own_code_is_not_asked(posing: Any) -> None:
    """Not by equality with an admitted one, nor by its hash."""
    for value in (posing, [posing], {"a": {"b": posing}}):
        with pytest.raises(EncodingError, match=r"_Posing|_OfUnhashable"):
            encode(value)


class _Text(str):
    __slots__ = ()


def test_a_subclass_of_str_is_no_key_although_it_equals_one_that_was_encoded_before() -> None:
    """What is remembered of dicts with the same keys is not used for it."""
    encode({"a": 1, "b": 2})
    with pytest.raises(EncodingError):
        encode({"a": 1, _Text("b"): 2})


def test_what_is_remembered_of_keys_is_bounded() -> None:
    """In number and in length."""
    for number in range(3000):
        assert encode({f"key {number}": None}) == f'{{"key {number}":null}}'.encode()
    assert len(_containers._SHAPES) <= 1024
    encode({"x" * 5000: 1})
    assert all(sum(map(len, keys)) <= 1024 for keys in _containers._SHAPES)


def test_the_error_is_a_value_error_and_shows_no_other_error() -> None:
    """What failed inside is not part of the traceback."""
    with pytest.raises(ValueError, match="object") as refused:
        encode([object()])
    assert refused.value.__suppress_context__
