"""The canonical form, byte for byte."""

from __future__ import annotations

import re
from array import array
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

from agentports.ports import UNDEFINED, BranchId, Duration, EdgeSegment, Interval, JoinSegment, NodeRef, ParamRef
from portproof.benches.plans.encodings import EncodingBench, shown
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal

_UTC = datetime(2026, 7, 2, 3, 4, 5, 6, UTC)
_UTC_TEXT = '["dt","2026-07-02T03:04:05.000006","+00:00",null]'
_ROUTE = BranchId([EdgeSegment("e1"), JoinSegment("j", ["a1", "b2"])])
_FOLD = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Paris"))


def _offset(**parts: int) -> datetime:
    return datetime(2026, 7, 2, tzinfo=timezone(timedelta(**parts)))


_SCALARS: tuple[tuple[Any, str], ...] = (
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (UNDEFINED, '["u"]'),
    ("", '""'),
    ('a"\\/b', '"a\\"\\\\/b"'),
    ("\b\t\n\f\r\x00\x1f", '"\\b\\t\\n\\f\\r\\u0000\\u001f"'),
    ("\x7f\u00e9\u2028\uffff\U0001f600", '"\x7f\u00e9\u2028\uffff\U0001f600"'),
    (0, '["i","0"]'),
    (255, '["i","ff"]'),
    (-255, '["i","-ff"]'),
    (1 << 64, '["i","10000000000000000"]'),
    (0.0, '["f","0000000000000000"]'),
    (-0.0, '["f","8000000000000000"]'),
    (1.0, '["f","3ff0000000000000"]'),
    (-1.5, '["f","bff8000000000000"]'),
    (5e-324, '["f","0000000000000001"]'),
    (float("inf"), '["f","7ff0000000000000"]'),
    (float("-inf"), '["f","fff0000000000000"]'),
    (float("nan"), '["f","7ff8000000000000"]'),
    (-float("nan"), '["f","7ff8000000000000"]'),
    (b"", '["b",""]'),
    (b"\xfb\xff", '["b","+/8="]'),
)
_ARRAYS: tuple[tuple[Any, str], ...] = (
    (array("b", [-1]), '["arr","int8","/w=="]'),
    (array("B", [255]), '["arr","uint8","/w=="]'),
    (array("h", [1]), '["arr","int16","AQA="]'),
    (array("H", [1, 2]), '["arr","uint16","AQACAA=="]'),
    (array("i", [1]), '["arr","int32","AQAAAA=="]'),
    (array("I"), '["arr","uint32",""]'),
    (array("q", [-2]), '["arr","int64","/v////////8="]'),
    (array("Q", [1]), '["arr","uint64","AQAAAAAAAAA="]'),
    (array("f", [1.0, float("nan")]), '["arr","float32","AACAPwAAwH8="]'),
    (array("d", [-float("nan")]), '["arr","float64","AAAAAAAA+H8="]'),
)
_TIMES: tuple[tuple[Any, str], ...] = (
    (_UTC, _UTC_TEXT),
    (_UTC.replace(tzinfo=ZoneInfo("UTC")), '["dt","2026-07-02T03:04:05.000006","+00:00","UTC"]'),
    (_UTC.replace(tzinfo=ZoneInfo("Europe/Paris")), '["dt","2026-07-02T03:04:05.000006","+02:00","Europe/Paris"]'),
    (_FOLD, '["dt","2026-10-25T02:30:00.000000","+02:00","Europe/Paris"]'),
    (_FOLD.replace(fold=1), '["dt","2026-10-25T02:30:00.000000","+01:00","Europe/Paris"]'),
    (datetime.min.replace(tzinfo=UTC), '["dt","0001-01-01T00:00:00.000000","+00:00",null]'),
    (_offset(hours=-5, minutes=-30), '["dt","2026-07-02T00:00:00.000000","-05:30",null]'),
    (_offset(seconds=1), '["dt","2026-07-02T00:00:00.000000","+00:00:01",null]'),
    (_offset(hours=1, microseconds=-1), '["dt","2026-07-02T00:00:00.000000","+00:59:59.999999",null]'),
    (timedelta(seconds=1), '["td","f4240"]'),
    (timedelta(microseconds=-1), '["td","-1"]'),
    (timedelta(days=1), '["td","141dd76000"]'),
    (Duration(), '["dur",{}]'),
    (Duration(months=12), '["dur",{"months":["i","c"]}]'),
    (Duration(hours=1.5), '["dur",{"hours":["f","3ff8000000000000"]}]'),
    (Duration(hours=0, days=1), '["dur",{"days":["i","1"],"hours":["i","0"]}]'),
    (Interval(_UTC, _UTC), f'["ivl",{_UTC_TEXT},{_UTC_TEXT}]'),
)
_PATTERNS: tuple[tuple[Any, str], ...] = (
    (re.compile(r"^inv-\d+$", re.I), '["re","^inv-\\\\d+$",34]'),
    (re.compile("(?i)a"), '["re","(?i)a",34]'),
    (re.compile("a", re.A), '["re","a",256]'),
    (re.compile(b"a", re.M | re.S), '["re",["b","YQ=="],24]'),
)
_CONTAINERS: tuple[tuple[Any, str], ...] = (
    ([], '["l"]'),
    ((), '["t"]'),
    ({}, "{}"),
    (set(), '["set"]'),
    (frozenset(), '["fset"]'),
    ([None, (True,)], '["l",null,["t",true]]'),
    ({"b": 1, "a": [2]}, '{"a":["l",["i","2"]],"b":["i","1"]}'),
    ({'"': None, "": None}, '{"":null,"\\"":null}'),
    ({2: "x", 1: "y"}, '["map",[["i","1"],"y"],[["i","2"],"x"]]'),
    ({1: "x", "l": "y"}, '["map",["l","y"],[["i","1"],"x"]]'),
    ({10, 9, "b", None}, '["set","b",["i","9"],["i","a"],null]'),
    (frozenset({(1,)}), '["fset",["t",["i","1"]]]'),
)
_REFERENCES: tuple[tuple[Any, str], ...] = (
    (NodeRef("a", "first"), '["NodeRef","a","first",null,null]'),
    (NodeRef("a", "all", ""), '["NodeRef","a","all","",null]'),
    (NodeRef("a", {"index": -1}, None, BranchId()), '["NodeRef","a",{"index":["i","-1"]},null,["BranchId"]]'),
    (
        NodeRef("a", {"index": 2}, "x.y", _ROUTE),
        '["NodeRef","a",{"index":["i","2"]},"x.y",["BranchId",["e","e1"],["j","j",["a1","b2"]]]]',
    ),
    (
        NodeRef("a", "last", None, BranchId([JoinSegment("j", [])])),
        '["NodeRef","a","last",null,["BranchId",["j","j",[]]]]',
    ),
    (ParamRef("x.y"), '["ParamRef","x.y"]'),
    (["NodeRef", "a"], '["l","NodeRef","a"]'),
    ({"node": "a", "select": "first"}, '{"node":"a","select":"first"}'),
)
#: Values and what stands for them, for every type and every form that it takes. Units of a duration stand here only in
#: an order that is both that of their names and that of their size, since the document leaves open which one counts.
VECTORS = (*_SCALARS, *_ARRAYS, *_TIMES, *_PATTERNS, *_CONTAINERS, *_REFERENCES)


@check("ENC-CANONICAL-VECTORS")
async def values_are_written_byte_for_byte_in_canonical_form(bench: EncodingBench) -> None:
    for value, text in VECTORS:
        data = bench.encode(value).decode("utf-8", "backslashreplace")
        expect_equal(data, text, f"the encoding of {shown(value)}")
