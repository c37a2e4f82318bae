"""Pairs of values that Python or JSON takes for one, and that a plan must tell apart (document 30, section 3)."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from itertools import combinations
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from agentports.ports import UNDEFINED, BranchId, Duration, EdgeSegment, Interval, JoinSegment, NodeRef, ParamRef
from portproof.strategies.plans.times import AMBIGUOUS

__all__ = ["NEAR_MISSES", "near_misses"]

_PARIS = datetime(2026, 7, 2, 9, 0, tzinfo=ZoneInfo("Europe/Paris"))
_REF = NodeRef("a", "first")
_IN_THE_FOLD = AMBIGUOUS[0][1].replace(tzinfo=ZoneInfo(AMBIGUOUS[0][0]))

#: Values of types that JSON lacks.
_RARE: tuple[Any, ...] = (
    _PARIS,
    timedelta(hours=1),
    Duration(hours=1),
    Interval(_PARIS, _PARIS),
    re.compile("a"),
    array("b", [1]),
    b"a",
    {1},
    (1,),
    {1: 2},
    _REF,
    ParamRef("a"),
    UNDEFINED,
    float("inf"),
)
#: Groups of values; no two of a group are the same value.
NEAR_MISSES: tuple[tuple[Any, ...], ...] = (
    (0, 0.0, -0.0, False, "0", "", None, UNDEFINED, "null", "false", '["u"]', ["u"], b""),
    (1, 1.0, True, "1", "true", b"1", ["i", "1"], '["i","1"]', timedelta(microseconds=1)),
    ({1: "x"}, {True: "x"}, {1.0: "x"}, {"1": "x"}, {b"1": "x"}, {(1,): "x"}),
    ({None: "x"}, {"null": "x"}, {UNDEFINED: "x"}, {False: "x"}, {"": "x"}),
    ({"a": None}, {"a": UNDEFINED}, {}, {"a": {}}, {"a": []}, [], (), set(), frozenset(), [[]], [{}]),
    ([1], (1,), {1}, frozenset({1}), b"\x01", array("b", [1]), array("B", [1]), array("h", [1]), {"l": 1}, ["l", 1]),
    (*(array(code) for code in "bBhHiIqQfd"), ["arr", "int8", ""]),
    ({1: 2}, [[1, 2]], ["map", [1, 2]], {"map": [1, 2]}, {(1, 2): None}, {1: [2]}),
    ("\u00e9", "e\u0301", "\u00e9 ", "\u00c9", "\u00e9".encode()),
    ("a\n", "a\r\n", "a", "a ", "A", "a\x00"),
    (_PARIS, _PARIS.astimezone(UTC), _PARIS.astimezone(timezone(timedelta(hours=2))), _PARIS.isoformat()),
    (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=ZoneInfo("UTC")), "2026-01-01T00:00:00Z"),
    (_IN_THE_FOLD, _IN_THE_FOLD.replace(fold=1)),
    (Duration(hours=1), Duration(minutes=60), Duration(hours=1.0), Duration(hours=1, days=0), timedelta(hours=1)),
    (Duration(years=1), Duration(months=12), Duration(quarters=4), Duration(), Duration(years=0), Duration(days=365)),
    (Interval(_PARIS, _PARIS), [_PARIS, _PARIS], (_PARIS, _PARIS), _PARIS, {"start": _PARIS, "end": _PARIS}),
    (
        re.compile("a"),
        re.compile("a", re.IGNORECASE),
        re.compile("(?i)a"),
        re.compile(b"a"),
        "a",
        b"a",
        ["re", "a", 32],
    ),
    (_REF, ["NodeRef", "a", "first", None, None], {"node": "a", "select": "first"}, ParamRef("a"), ["ParamRef", "a"]),
    (_REF, NodeRef("a", "last"), NodeRef("a", {"index": 0}), NodeRef("a", {"index": -1}), NodeRef("a", "first", "")),
    (_REF, NodeRef("a", "first", None, BranchId()), NodeRef("a", "first", None, BranchId([EdgeSegment("e")]))),
    (
        NodeRef("a", "first", None, BranchId([JoinSegment("j", ["a", "b"])])),
        NodeRef("a", "first", None, BranchId([JoinSegment("j", ["ab"])])),
        NodeRef("a", "first", None, BranchId([JoinSegment("j", ["a"]), EdgeSegment("b")])),
    ),
    (float("inf"), float("-inf"), "Infinity", 2**1024, 1.7976931348623157e308),
    (2**53, 2**53 + 1, float(2**53)),
    ([1, [2]], [[1], 2], [1, 2], [[1, 2]]),
    ({"a": 1, "b": 2}, {"a": 2, "b": 1}, {"a": 1}, {"ab": 12}),
    ({1, 2}, {1}, {(1, 2)}, {frozenset({1, 2})}, frozenset({1, 2})),
    *((value, str(value), f"repr: {value!r}", {}) for value in _RARE),
)


@cache
@st.composite
def near_misses(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two values that are nearly the same, each in the same surroundings."""
    one, other = draw(st.sampled_from(_PAIRS))
    around = draw(st.sampled_from(_SURROUNDINGS))
    return around(one), around(other)


_PAIRS = [pair for group in NEAR_MISSES for pair in combinations(group, 2)]


_SURROUNDINGS: tuple[Callable[[Any], Any], ...] = (
    lambda value: value,
    lambda value: [value],
    lambda value: {"key": value},
    lambda value: [{"key": [value, 1]}],
)
