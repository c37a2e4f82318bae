"""What makes a value of a plan that value: exact types and content, by parts, without `==`, `hash` and recursion."""

from __future__ import annotations

import re
import struct
from array import array
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from agentports.ports import plans
from portproof.benches.plans.walking import folded
from portproof.benches.views import view
from portproof.strategies.plans.arrays import array_kind
from portproof.strategies.plans.times import UNITS

__all__ = ["portrait"]


def portrait(value: Any, classes: Any = plans) -> str:
    """A text that two values have in common exactly when they are the same content. `classes` are those of its parts.

    A NaN is like any other, the fold of a datetime counts where it changes the offset, flags of a pattern but DEBUG.
    """
    special = _special(classes)

    def leaf(part: Any) -> str:
        kind = type(part)
        for known, name, content in special:
            if kind is known:
                return _part(name, content(part))
        return _part("another class", f"{kind.__module__}.{kind.__qualname__}")

    return folded(value, leaf, _closed)


def _part(name: str, text: str) -> str:
    # With its length, so that no text can pose as two.
    return f"{name}:{len(text)}:{text}"


def _closed(kind: type, keys: list[str], members: list[str]) -> str:
    if kind is dict:
        members = sorted(_part("entry", key + value) for key, value in zip(keys, members, strict=True))
    elif kind in (set, frozenset):
        members = sorted(members)
    return _part(kind.__name__, "".join(members))


def _special(classes: Any) -> list[tuple[type, str, Callable[[Any], str]]]:
    return [
        (type(None), "none", lambda _: ""),
        (bool, "bool", repr),
        (int, "int", hex),
        (float, "float", _float),
        (str, "str", str),
        (bytes, "bytes", bytes.hex),
        (array, "array", _array),
        (datetime, "datetime", _moment),
        (timedelta, "timedelta", lambda span: f"{span.days} {span.seconds} {span.microseconds}"),
        (re.Pattern, "pattern", _pattern),
        (type(classes.UNDEFINED), "undefined", lambda value: "" if value is classes.UNDEFINED else "another"),
        (classes.Duration, "duration", _duration),
        (
            classes.Interval,
            "interval",
            lambda span: "".join(_part("end", _moment(end)) for end in (span.start, span.end)),
        ),
        (classes.NodeRef, "node ref", _node_ref),
        (classes.ParamRef, "param ref", lambda ref: _scalar(ref.path)),
    ]


def _scalar(value: Any) -> str:
    """A text, a number or nothing, of exactly that type."""
    text = _float(value) if type(value) is float else hex(value) if type(value) is int else str(value)
    return _part(type(value).__name__, text)


def _float(number: float) -> str:
    return "nan" if number != number else struct.pack(">d", number).hex()


def _array(items: array[Any]) -> str:
    return "".join([array_kind(items.typecode), *map(_scalar, items)])


def _moment(moment: Any) -> str:
    if type(moment) is not datetime:
        return _scalar(moment)
    zone = moment.tzinfo
    named = f"{type(zone).__name__} {getattr(zone, 'key', '')}"
    return f"{moment.replace(tzinfo=None, fold=0).isoformat()} {moment.utcoffset()!r} {named}"


def _pattern(pattern: re.Pattern[Any]) -> str:
    source = pattern.pattern
    return _part(type(source).__name__, repr(source)) + str(int(pattern.flags) & ~int(re.DEBUG))


def _duration(duration: Any) -> str:
    given = [(unit, getattr(duration, unit, None)) for unit in UNITS]
    return "".join(_part(unit, _scalar(number)) for unit, number in given if number is not None)


def _node_ref(ref: Any) -> str:
    route = ref.branch_id
    branch = _scalar(None) if route is None else _part("route", "".join(map(_segment, route.segments)))
    return _scalar(ref.node) + _select(ref.select) + _scalar(ref.path) + branch


def _select(select: Any) -> str:
    if isinstance(select, str):
        return _scalar(str(select))
    index = select["index"] if isinstance(select, Mapping) else getattr(select, "index", None)
    return _part("index", _scalar(index))


def _segment(segment: Any) -> str:
    edge = view(segment, "edge")
    if edge is not None:
        return _part("edge", _scalar(edge))
    return _part("join", _scalar(view(segment, "join")) + "".join(map(_scalar, view(segment, "of"))))
