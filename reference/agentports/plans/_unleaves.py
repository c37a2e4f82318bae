"""Values that hold no others, from their canonical forms as read from JSON (document 30, section 3)."""

from __future__ import annotations

import re
import struct
import sys
import warnings
from array import array
from binascii import a2b_base64
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from agentports.plans._json_texts import malformed
from agentports.plans._leaves import ARRAY_KINDS
from agentports.ports.plans import (
    UNDEFINED,
    BranchId,
    Duration,
    EdgeSegment,
    EncodingError,
    Interval,
    JoinSegment,
    NodeRef,
    ParamRef,
)

__all__ = ["leaf"]

_TYPECODES: Final = {kind: code for code, kind in reversed(ARRAY_KINDS.items())}
#: Asks the file system for nothing but names of zones.
_ZONE_KEY: Final = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*")
#: What the builders raise for fields of wrong number, type or content, and for what does not exist here.
_FAILURES: Final = (TypeError, ValueError, OverflowError, LookupError, OSError, RecursionError, struct.error, re.error)
_Builder = Callable[..., Any]


def leaf(form: list[Any]) -> Any:
    """The value of a tagged form that is no container. Raises `EncodingError`, and may take what is not canonical."""
    tag = form[0] if form else None
    if type(tag) is not str:
        raise malformed("an array does not begin with a tag")
    if tag not in _LEAVES:
        raise EncodingError(f"nothing is known of the tag {tag}", code="unknown_tag")
    try:
        return _LEAVES[tag](*form[1:])
    except _FAILURES as failure:
        raise EncodingError(f"no value can be built from this {tag}: {failure}", code="unbuildable_value") from failure


def _tagged(form: list[Any], builders: dict[str, _Builder]) -> Any:
    tag, *fields = form
    return builders[tag](*fields)


def _int(digits: str) -> int:
    return int(digits, 16)


def _float(digits: str) -> float:
    return float(struct.unpack(">d", bytes.fromhex(digits))[0])


def _bytes(text: str) -> bytes:
    return a2b_base64(text)


def _array(kind: str, text: str) -> array[Any]:
    items = array(_TYPECODES[kind])
    items.frombytes(a2b_base64(text))
    if sys.byteorder == "big":
        items.byteswap()
    return items


def _datetime(local: str, offset: str, zone: str | None) -> datetime:
    if zone is None:
        return datetime.fromisoformat(local + offset)
    if not _ZONE_KEY.fullmatch(zone):
        raise ValueError(f"{zone!r} is not the name of a time zone")
    time = datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))
    for fold in (0, 1):
        if time.replace(fold=fold).isoformat().endswith(offset):
            return time.replace(fold=fold)
    raise ValueError(f"{zone} does not have the offset {offset} at {local}")


def _timedelta(digits: str) -> timedelta:
    return timedelta(microseconds=int(digits, 16))


def _duration(units: dict[str, Any]) -> Duration:
    if type(units) is not dict:
        raise TypeError("the units are no object")
    return Duration(**{unit: _tagged(number, _NUMBERS) for unit, number in units.items()})


def _interval(start: list[Any], end: list[Any]) -> Interval:
    return Interval(_tagged(start, _MOMENTS), _tagged(end, _MOMENTS))


def _pattern(source: str | list[Any], flags: int) -> re.Pattern[Any]:
    if type(flags) is not int or flags & (re.DEBUG | re.LOCALE):
        raise ValueError("a pattern has flags that a plan cannot hold")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(_tagged(source, _BYTES) if isinstance(source, list) else source, flags)


def _node_ref(node: str, select: Any, path: str | None, branch: list[Any] | None) -> NodeRef:
    if type(select) is dict:
        select = {step: _tagged(index, _NUMBERS) for step, index in select.items()}
    return NodeRef(node, select, path, None if branch is None else _tagged(branch, _BRANCHES))


def _branch(*segments: list[Any]) -> BranchId:
    return BranchId([_tagged(segment, _SEGMENTS) for segment in segments])


_NUMBERS: Final[dict[str, _Builder]] = {"i": _int, "f": _float}
_BYTES: Final[dict[str, _Builder]] = {"b": _bytes}
_MOMENTS: Final[dict[str, _Builder]] = {"dt": _datetime}
_SEGMENTS: Final[dict[str, _Builder]] = {"e": EdgeSegment, "j": JoinSegment}
_BRANCHES: Final[dict[str, _Builder]] = {"BranchId": _branch}
_LEAVES: Final[dict[str, _Builder]] = {
    **_NUMBERS,
    **_BYTES,
    **_MOMENTS,
    "u": lambda: UNDEFINED,
    "arr": _array,
    "td": _timedelta,
    "dur": _duration,
    "ivl": _interval,
    "re": _pattern,
    "NodeRef": _node_ref,
    "ParamRef": ParamRef,
}
