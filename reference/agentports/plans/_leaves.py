"""The canonical texts of values that hold no other values (document 30, section 3)."""

from __future__ import annotations

import re
import struct
import sys
from array import array
from binascii import b2a_base64
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from json.encoder import encode_basestring
from typing import Any, Final
from zoneinfo import ZoneInfo

from agentports.ports.plans import (
    BranchId,
    Duration,
    EdgeSegment,
    EncodingError,
    Interval,
    NodeRef,
    ParamRef,
    RouteSegment,
    SelectIndex,
    Undefined,
)

__all__ = ["ARRAY_KINDS", "LEAVES", "NAN_TEXT", "quoted", "refusal"]

#: A JSON string with the escapes of the canonical form. Takes subclasses of str, which callers refuse.
quoted: Final[Callable[[str], str]] = encode_basestring
NAN_TEXT: Final = '["f","7ff8000000000000"]'
_BIG_ENDIAN: Final = struct.Struct(">d")
_MICROSECONDS: Final = timedelta(microseconds=1)


def _array_kinds() -> dict[str, str]:
    families = {"int": "bhilq", "uint": "BHILQ", "float": "fd"}
    return {code: f"{family}{8 * array(code).itemsize}" for family, codes in families.items() for code in codes}


#: The kind of element that each admitted typecode has on this platform.
ARRAY_KINDS: Final = _array_kinds()


def refusal(value: object) -> EncodingError:
    """That a value is not in the domain."""
    return EncodingError(f"a plan cannot hold this value of type {type(value).__name__}", code="unencodable_value")


def _text(value: str) -> str:
    if type(value) is not str:
        raise refusal(value)
    return quoted(value)


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _int(value: int) -> str:
    if type(value) is not int:
        raise refusal(value)
    return '["i","%x"]' % value  # noqa: UP031 - quicker than the alternatives


def _float(value: float) -> str:
    if value != value:
        return NAN_TEXT
    return '["f","' + _BIG_ENDIAN.pack(value).hex() + '"]'


def _base64(value: bytes) -> str:
    return b2a_base64(value, newline=False).decode("ascii")


def _bytes(value: bytes) -> str:
    return f'["b","{_base64(value)}"]'


def _array(value: array[Any]) -> str:
    kind = ARRAY_KINDS.get(value.typecode)
    if kind is None:
        raise refusal(value)
    items = value
    if kind.startswith("float") and any(item != item for item in value):
        items = array(value.typecode, (item if item == item else float("nan") for item in value))
    if sys.byteorder == "big":
        items = items[:]
        items.byteswap()
    return f'["arr","{kind}","{_base64(items.tobytes())}"]'


def _datetime(value: datetime) -> str:
    if type(value) is not datetime:
        raise refusal(value)
    zone = value.tzinfo
    if type(zone) is ZoneInfo:
        name = _text(zone.key)
    elif type(zone) is timezone:
        name = "null"
    else:
        raise refusal(value)
    text = value.isoformat(timespec="microseconds")
    return f'["dt","{text[:26]}","{text[26:]}",{name}]'


def _timedelta(value: timedelta) -> str:
    return f'["td","{value // _MICROSECONDS:x}"]'


def _duration(value: Duration) -> str:
    units = sorted(value.units().items())
    return '["dur",{' + ",".join(f'"{unit}":{_number(number)}' for unit, number in units) + "}]"


def _number(value: int | float) -> str:
    return _float(value) if type(value) is float else _int(value)  # type: ignore[arg-type]


def _interval(value: Interval) -> str:
    return f'["ivl",{_datetime(value.start)},{_datetime(value.end)}]'


def _pattern(value: re.Pattern[Any]) -> str:
    if value.flags & re.LOCALE:
        raise refusal(value)
    source = value.pattern
    text = _bytes(source) if type(source) is bytes else _text(source)
    return f'["re",{text},{value.flags & ~re.DEBUG:d}]'


def _node_ref(value: NodeRef) -> str:
    select = value.select
    picks = f'{{"index":{_int(select["index"])}}}' if type(select) is SelectIndex else _text(select)  # type: ignore[arg-type]
    path = "null" if value.path is None else _text(value.path)
    branch = "null" if value.branch_id is None else _branch(value.branch_id)
    return f'["NodeRef",{_text(value.node)},{picks},{path},{branch}]'


def _branch(value: BranchId) -> str:
    return ",".join(['["BranchId"', *map(_segment, value.segments)]) + "]"


def _segment(value: RouteSegment) -> str:
    if type(value) is EdgeSegment:
        return f'["e",{_text(value.edge)}]'
    return f'["j",{_text(value.join)},[{",".join(map(_text, value.of))}]]'


def _param_ref(value: ParamRef) -> str:
    return f'["ParamRef",{_text(value.path)}]'


_WRITERS: Final[dict[type, Callable[[Any], str]]] = {
    type(None): lambda _: "null",
    Undefined: lambda _: '["u"]',
    bool: _bool,
    int: _int,
    float: _float,
    str: quoted,
    bytes: _bytes,
    array: _array,
    datetime: _datetime,
    timedelta: _timedelta,
    Duration: _duration,
    Interval: _interval,
    re.Pattern: _pattern,
    NodeRef: _node_ref,
    ParamRef: _param_ref,
}
#: The writer of each type, by the identity of the type: a class may claim to equal another one.
LEAVES: Final = {id(kind): writer for kind, writer in _WRITERS.items()}
