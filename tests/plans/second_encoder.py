"""The canonical form once more, the plainest way: written from document 30 alone, so that no encoder is its own oracle.

Recursive and slow. `classes` is any namespace with the classes of plans, so it serves other classes than ours as well.
"""

from __future__ import annotations

import base64
import datetime
import re
import struct
import sys
import zoneinfo
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from agentports.ports import plans

__all__ = ["Refused", "SecondEncoder", "deep_calls"]

DEEPEST = 640
SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
UNITS = ("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds")


class Refused(ValueError):
    """There is no encoding."""

    def __init__(self, code: str, path: list[str]) -> None:
        super().__init__(f"{code} at {'.'.join(path)!r}")
        self.code = code
        self.path = ".".join(path)


@contextmanager
def deep_calls() -> Iterator[None]:
    """Room for calls that go as deep as the deepest value."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class SecondEncoder:
    """Encodes values that are built of these classes."""

    def __init__(self, classes: Any = plans) -> None:
        self.classes = classes

    def encode(self, value: Any) -> bytes:
        """The canonical bytes."""
        with deep_calls():
            return self.text(value, [], []).encode("utf-8")

    def text(self, value: Any, path: list[str], around: list[Any]) -> str:
        """The canonical text of a value inside these containers."""
        kind = type(value)
        if kind in (list, tuple, dict, set, frozenset):
            if any(value is container for container in around):
                raise Refused("cyclic_value", path)
            if len(around) == DEEPEST:
                raise Refused("value_too_deep", path)
            return self.container(value, path, [*around, value])
        return self.leaf(value, path)

    def container(self, value: Any, path: list[str], around: list[Any]) -> str:
        kind = type(value)
        if kind is list or kind is tuple:
            members = [self.text(value[i], [*path, str(i)], around) for i in range(len(value))]
            return joined(['"l"' if kind is list else '"t"', *members])
        if kind is set or kind is frozenset:
            members = [self.text(member, [*path, "*"], around) for member in value]
            refuse_twins(members, path)
            return joined(['"set"' if kind is set else '"fset"', *in_byte_order(members)])
        if all(type(key) is str for key in value):
            fields = [
                f"{string(key, path)}:{self.text(value[key], [*path, key], around)}" for key in code_points(value)
            ]
            return "{" + ",".join(fields) + "}"
        entries = {}
        keys = [(self.text(key, [*path, "*"], around), key) for key in value]
        refuse_twins([text for text, _ in keys], path)
        for text, key in keys:
            entries[text] = f"[{text},{self.text(value[key], [*path, '*'], around)}]"
        return joined(['"map"', *[entries[text] for text in in_byte_order(list(entries))]])

    def leaf(self, value: Any, path: list[str]) -> str:
        c, kind = self.classes, type(value)
        if value is None:
            return "null"
        if value is True:
            return "true"
        if value is False:
            return "false"
        if value is c.UNDEFINED:
            return '["u"]'
        if kind is str:
            return string(value, path)
        if kind is int:
            return f'["i","{hexadecimal(value)}"]'
        if kind is float:
            return f'["f","{binary64(value)}"]'
        if kind is bytes:
            return f'["b","{base64.standard_b64encode(value).decode()}"]'
        if kind is array:
            return typed_array(value, path)
        if kind is datetime.datetime:
            return moment(value, path)
        if kind is datetime.timedelta:
            whole = (value.days * 24 * 60 * 60 + value.seconds) * 1_000_000 + value.microseconds
            return f'["td","{hexadecimal(whole)}"]'
        if kind is c.Duration:
            given = {unit: getattr(value, unit) for unit in UNITS if getattr(value, unit) is not None}
            return '["dur",{' + ",".join(f'"{unit}":{self.leaf(given[unit], path)}' for unit in sorted(given)) + "}]"
        if kind is c.Interval:
            return f'["ivl",{moment(value.start, path)},{moment(value.end, path)}]'
        if kind is re.Pattern:
            return pattern(value, path)
        if kind is c.NodeRef:
            return self.node_ref(value, path)
        if kind is c.ParamRef:
            return f'["ParamRef",{string(value.path, path)}]'
        raise Refused("unencodable_value", path)

    def node_ref(self, ref: Any, path: list[str]) -> str:
        select = f'"{ref.select}"' if isinstance(ref.select, str) else self.index(ref.select["index"])
        where = "null" if ref.path is None else string(ref.path, path)
        branch = "null" if ref.branch_id is None else self.branch(ref.branch_id, path)
        return joined(['"NodeRef"', string(ref.node, path), select, where, branch])

    def index(self, index: int) -> str:
        return '{"index":["i","' + hexadecimal(index) + '"]}'

    def branch(self, branch: Any, path: list[str]) -> str:
        segments = []
        for segment in branch.segments:
            if hasattr(segment, "edge"):
                segments.append(joined(['"e"', string(segment.edge, path)]))
            else:
                of = joined([string(edge, path) for edge in segment.of])
                segments.append(joined(['"j"', string(segment.join, path), of]))
        return joined(['"BranchId"', *segments])


def joined(parts: list[str]) -> str:
    return "[" + ",".join(parts) + "]"


def code_points(texts: Any) -> list[str]:
    return sorted(texts, key=lambda text: [ord(char) for char in text])


def in_byte_order(texts: list[str]) -> list[str]:
    return sorted(texts, key=lambda text: text.encode("utf-8"))


def refuse_twins(texts: list[str], path: list[str]) -> None:
    for i, text in enumerate(texts):
        if text in texts[:i]:
            raise Refused("unencodable_value", path)


def string(text: str, path: list[str]) -> str:
    chars = []
    for char in text:
        if 0xD800 <= ord(char) <= 0xDFFF:
            raise Refused("unencodable_value", path)
        if char in SHORT_ESCAPES:
            chars.append(SHORT_ESCAPES[char])
        elif ord(char) < 0x20:
            chars.append(f"\\u{ord(char):04x}")
        else:
            chars.append(char)
    return '"' + "".join(chars) + '"'


def hexadecimal(number: int) -> str:
    return hex(number).replace("0x", "")


def binary64(number: float) -> str:
    return "7ff8000000000000" if number != number else struct.pack(">d", number).hex()


def typed_array(items: array[Any], path: list[str]) -> str:
    code = items.typecode
    if code not in "bBhHiIlLqQfd":
        raise Refused("unencodable_value", path)
    family = "float" if code in "fd" else "int" if code.islower() else "uint"
    kind = f"{family}{items.itemsize * 8}"
    form = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "float32": "f", "float64": "d"}
    form |= {"u" + name: letter.upper() for name, letter in form.items() if name.startswith("int")}
    packed = b"".join(struct.pack("<" + form[kind], float("nan") if item != item else item) for item in items)
    return f'["arr","{kind}","{base64.standard_b64encode(packed).decode()}"]'


def moment(when: datetime.datetime, path: list[str]) -> str:
    if type(when) is not datetime.datetime:
        raise Refused("unencodable_value", path)
    zone = when.tzinfo
    if type(zone) is zoneinfo.ZoneInfo and zone.key is not None:
        name = string(zone.key, path)
    elif type(zone) is datetime.timezone:
        name = "null"
    else:
        raise Refused("unencodable_value", path)
    date = f"{when.year:04}-{when.month:02}-{when.day:02}"
    time = f"{when.hour:02}:{when.minute:02}:{when.second:02}.{when.microsecond:06}"
    offset = when.utcoffset()
    assert offset is not None
    return f'["dt","{date}T{time}","{offset_text(offset)}",{name}]'


def offset_text(offset: datetime.timedelta) -> str:
    sign, size = ("-", -offset) if offset < datetime.timedelta(0) else ("+", offset)
    minutes, seconds = divmod(size.seconds, 60)
    text = f"{sign}{minutes // 60:02}:{minutes % 60:02}"
    if seconds or size.microseconds:
        text += f":{seconds:02}"
    if size.microseconds:
        text += f".{size.microseconds:06}"
    return text


def pattern(compiled: re.Pattern[Any], path: list[str]) -> str:
    flags = int(compiled.flags)
    if flags & int(re.LOCALE):
        raise Refused("unencodable_value", path)
    source = compiled.pattern
    if type(source) is bytes:
        text = f'["b","{base64.standard_b64encode(source).decode()}"]'
    elif type(source) is str:
        text = string(source, path)
    else:
        raise Refused("unencodable_value", path)
    return f'["re",{text},{flags - (flags & int(re.DEBUG))}]'
