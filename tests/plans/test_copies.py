"""Copies that share no container."""

from __future__ import annotations

from array import array
from typing import Any

from hypothesis import given, settings

from agentports.plans._copies import copied
from agentports.plans.encoding import encode
from portproof.strategies.plans import arg_values


@settings(max_examples=100, database=None, deadline=None)
@given(arg_values(12))
def test_a_copy_has_the_same_encoding(value: Any) -> None:
    """Types and content are those of the original."""
    assert encode(copied(value)) == encode(value)


def test_no_container_is_shared() -> None:
    """In a tuple, under a key, in a list of lists."""
    original: Any = [([1], ({"k": [2]},)), {"x": {3}, 4: array("b", [5])}, [[6]]]
    copy = copied(original)
    copy[0][0].append(0)
    copy[0][1][0]["k"].append(0)
    copy[1]["x"].add(0)
    copy[1][4].append(0)
    copy[2][0].append(0)
    assert original == [([1], ({"k": [2]},)), {"x": {3}, 4: array("b", [5])}, [[6]]]


def test_depth_is_no_limit() -> None:
    """Neither lists nor tuples in one another, by the ten thousand."""
    deep: Any = []
    for _ in range(10_000):
        deep = [(deep,)]
    copy, depth = copied(deep), 0
    while copy:
        copy, depth = copy[0], depth + 1
    assert depth == 20_000
