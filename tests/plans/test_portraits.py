"""What the harness compares values by: parts and exact types, without `==` and without recursion."""

from __future__ import annotations

import copy
import math
from datetime import datetime, timezone
from itertools import combinations
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings

from portproof.benches.plans.carrying import Carrier
from portproof.benches.plans.portraits import portrait
from portproof.benches.plans.walking import copied, holders
from portproof.strategies.plans import arg_values, plan_views
from portproof.strategies.plans.near_misses import NEAR_MISSES
from tests.correct import _own_plan_classes as own

generated = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("group", NEAR_MISSES)
def test_near_misses_have_different_portraits(group: tuple[Any, ...]) -> None:
    """Each of its own, and a copy the same."""
    for one, other in combinations(group, 2):
        assert portrait(one) != portrait(other)
    for value in group:
        assert portrait(copy.deepcopy(value)) == portrait(value)


def test_what_is_no_content_makes_no_difference() -> None:
    """Names of fixed offsets, a fold that changes nothing, the bits of NaN, the order of keys and members."""
    moment = datetime(2026, 1, 1, tzinfo=ZoneInfo("Europe/Paris"))
    assert portrait(moment.replace(fold=1)) == portrait(moment)
    named = timezone(moment.utcoffset() or moment - moment, "named")
    assert portrait(moment.replace(tzinfo=named)) == portrait(moment.replace(tzinfo=timezone(named.utcoffset(None))))
    assert portrait([-math.nan]) == portrait([math.nan])
    assert portrait({"a": 1, 2: {3, 11}}) == portrait({2: {11, 3}, "a": 1})


def test_what_is_outside_the_domain_is_like_nothing_inside() -> None:
    """Subclasses too."""
    odd = type("int", (int,), {})(1)
    assert portrait(odd) != portrait(1)
    assert portrait([bytearray(b"a")]) != portrait([b"a"])


def test_portraits_and_copies_of_deep_values_take_no_recursion() -> None:
    """However deep they are."""
    deep: Any = ()
    for _ in range(5_000):
        deep = {"a": [deep]}
    assert portrait(copied(deep)) == portrait(deep)
    assert len(holders(deep)) == 10_001


@generated
@given(arg_values())
def test_a_copy_holds_no_container_of_the_original_that_can_change(value: Any) -> None:
    """And is the same value, in either order of building."""
    for reverse in (False, True):
        other = copied(value, reverse=reverse)
        assert portrait(other) == portrait(value)
        ours, theirs = ({id(h) for h, _ in holders(v) if isinstance(h, list | dict | set)} for v in (value, other))
        assert not ours & theirs


@generated
@given(arg_values(), plan_views())
def test_values_are_carried_over_into_classes_of_a_subject(value: Any, view: Any) -> None:
    """And have the same portrait there, with those classes."""
    carrier = Carrier(own)
    assert portrait(carrier.value(value), carrier.classes) == portrait(value)
    carried = carrier.view(view)
    assert type(carried) is own.RawPlanView
    for mine, theirs in zip(view.nodes, carried.nodes, strict=True):
        assert portrait(theirs.definition, own) == portrait(mine.definition)
