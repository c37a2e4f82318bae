"""The way back from the canonical form, the plainest way: recursive, and strict by writing the value again."""

from __future__ import annotations

import base64
import datetime
import json
import re
import struct
import warnings
import zoneinfo
from array import array
from typing import Any

from agentports.ports import plans

from .second_encoder import DEEPEST, Refused, SecondEncoder, deep_calls

__all__ = ["SecondDecoder"]

FAILURES = (ValueError, TypeError, AttributeError, LookupError, OverflowError, OSError, struct.error, re.error)


class SecondDecoder:
    """Decodes to values of these classes."""

    def __init__(self, classes: Any = plans) -> None:
        self.classes = classes

    def decode(self, data: bytes) -> Any:
        """The value that was encoded. Raises `Refused` for what is no encoding."""
        try:
            return self.read(data)
        except RecursionError:
            raise Refused("value_too_deep", []) from None
        except Refused:
            raise
        except FAILURES as error:
            raise Refused("malformed", [f"{type(error).__name__}: {error}"]) from None

    def read(self, data: bytes) -> Any:
        with deep_calls():
            value = self.value(json.loads(data.decode("utf-8"), parse_float=refuse, parse_constant=refuse), 0)
        if SecondEncoder(self.classes).encode(value) != data:
            raise Refused("malformed", ["not as an encoder writes it"])
        return value

    def value(self, form: Any, depth: int) -> Any:
        if form is None or isinstance(form, bool | str):
            return form
        if isinstance(form, dict):
            deeper(depth)
            return {key: self.value(member, depth + 1) for key, member in form.items()}
        tag, *fields = form
        if tag in ("l", "t", "set", "fset"):
            deeper(depth)
            members = [self.value(field, depth + 1) for field in fields]
            return {"l": list, "t": tuple, "set": set, "fset": frozenset}[tag](members)
        if tag == "map":
            deeper(depth)
            return {self.value(key, depth + 1): self.value(value, depth + 1) for key, value in fields}
        return self.leaf(tag, fields)

    def leaf(self, tag: str, fields: list[Any]) -> Any:
        readers = {
            "u": lambda: self.classes.UNDEFINED,
            "i": integer,
            "f": binary64,
            "b": octets,
            "arr": typed_array,
            "dt": moment,
            "td": lambda digits: datetime.timedelta(microseconds=integer(digits)),
            "dur": self.duration,
            "ivl": lambda start, end: self.classes.Interval(moment(*start[1:]), moment(*end[1:])),
            "re": pattern,
            "NodeRef": self.node_ref,
            "ParamRef": lambda path: self.classes.ParamRef(path),
        }
        if tag not in readers:
            raise Refused("unknown_tag", [str(tag)])
        return readers[tag](*fields)

    def duration(self, units: dict[str, Any]) -> Any:
        return self.classes.Duration(**{unit: self.value(number, 0) for unit, number in units.items()})

    def node_ref(self, node: str, select: Any, path: str | None, branch: Any) -> Any:
        if isinstance(select, dict):
            select = {"index": self.value(select["index"], 0)}
        return self.classes.NodeRef(node, select, path, None if branch is None else self.branch(branch))

    def branch(self, form: list[Any]) -> Any:
        c, segments = self.classes, []
        for segment in form[1:]:
            edge = segment[0] == "e"
            segments.append(c.EdgeSegment(segment[1]) if edge else c.JoinSegment(segment[1], segment[2]))
        return c.BranchId(segments)


def refuse(text: str) -> Any:
    raise Refused("malformed", [text])


def deeper(depth: int) -> None:
    if depth == DEEPEST:
        raise Refused("value_too_deep", [])


def integer(digits: str) -> int:
    return int(digits, 16)


def binary64(digits: str) -> float:
    return float(struct.unpack(">d", bytes.fromhex(digits))[0])


def octets(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def typed_array(kind: str, text: str) -> array[Any]:
    for code in "bBhHiIqQlLfd":
        family = "float" if code in "fd" else "int" if code.islower() else "uint"
        size = array(code).itemsize
        if kind == f"{family}{size * 8}":
            form = {1: "b", 2: "h", 4: "i", 8: "q"}[size] if family != "float" else code
            form = form.upper() if family == "uint" else form
            return array(code, [item for (item,) in struct.iter_unpack("<" + form, octets(text))])
    raise Refused("malformed", [kind])


def moment(local: str, offset: str, zone: str | None) -> datetime.datetime:
    naive = datetime.datetime.strptime(local, "%Y-%m-%dT%H:%M:%S.%f")
    if zone is None:
        return naive.replace(tzinfo=datetime.timezone(span(offset)))
    if not re.fullmatch(r"[\w+-]+(/[\w+-]+)*", zone):
        raise Refused("malformed", [zone])
    for fold in (0, 1):
        when = naive.replace(tzinfo=zoneinfo.ZoneInfo(zone), fold=fold)
        if when.utcoffset() == span(offset):
            return when
    raise Refused("malformed", [zone, offset])


def span(offset: str) -> datetime.timedelta:
    sign = {"+": 1, "-": -1}[offset[0]]
    hours, minutes, *rest = offset[1:].split(":")
    seconds, _, fraction = (rest[0] if rest else "0").partition(".")
    whole = datetime.timedelta(hours=int(hours), minutes=int(minutes), seconds=int(seconds))
    return sign * (whole + datetime.timedelta(microseconds=int(fraction or "0")))


def pattern(source: Any, flags: int) -> re.Pattern[Any]:
    if type(flags) is not int or flags & (re.DEBUG | re.LOCALE):
        raise Refused("malformed", [str(flags)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(source if isinstance(source, str) else octets(source[1]), flags)
