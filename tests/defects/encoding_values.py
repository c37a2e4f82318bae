"""Encodings that lose something of a value."""

from __future__ import annotations

import re
import unicodedata
from array import array
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from portproof_defects._encodings import Codec, fields

from agentports.plans import decode, encode
from agentports.plans._leaves import quoted
from agentports.ports import UNDEFINED, Duration, Interval, NodeRef
from portproof.selftest import defect


@defect("ENC-ROUND-TRIP")
class TextsForWhatJsonLacks(Codec):
    """Times become texts."""

    def leaf(self, value: Any) -> str:
        return super().leaf(str(value) if isinstance(value, datetime | timedelta) else value)


@defect("ENC-ROUND-TRIP")
class ListsForTuples(Codec):
    """Tuples come back as lists."""

    def tag(self, kind: type) -> str:
        return "l" if kind is tuple else super().tag(kind)


@defect("ENC-CANONICAL-VECTORS")
class Spaced(Codec):
    """A space follows each comma between members."""

    def array(self, tag: str, members: list[str]) -> str:
        return ", ".join([f'["{tag}"', *members]) + "]"


@defect("ENC-CANONICAL-VECTORS")
class PlainIntegers(Codec):
    """Integers are JSON numbers."""

    def leaf(self, value: Any) -> str:
        return str(value) if type(value) is int and abs(value) < 10**9 else super().leaf(value)


@defect("ENC-CANONICAL-VECTORS")
class AsciiOnly(Codec):
    """Characters beyond ASCII are escaped, as json.dumps does unless told otherwise."""

    def leaf(self, value: Any) -> str:
        return ascii(value).replace("'", '"') if value == "\u00e9" else super().leaf(value)

    def encode(self, value: Any) -> bytes:
        text = super().encode(value).decode()
        return "".join(char if char < "\x7f" else f"\\u{ord(char):04x}" for char in text).encode()


@defect("ENC-INJECTIVE")
class SpansAsTexts(Codec):
    """A timedelta falls back to its text."""

    def leaf(self, value: Any) -> str:
        return quoted(str(value)) if type(value) is timedelta else super().leaf(value)


@defect("ENC-INJECTIVE")
class EmptyPatterns(Codec):
    """A pattern is an object without fields."""

    def leaf(self, value: Any) -> str:
        return "{}" if isinstance(value, re.Pattern) else super().leaf(value)


@defect("ENC-INT-FLOAT-BOOL-STR-DIFFER")
class RemembersNumbers(Codec):
    """Texts of numbers are kept in a dict by value, where True finds what 1 left."""

    seen: dict[Any, str] = {}

    def leaf(self, value: Any) -> str:
        if isinstance(value, int | float):
            return self.seen.setdefault(value, super().leaf(value))
        return super().leaf(value)


@defect("ENC-KEY-TYPES-DIFFER")
class KeysAreTexts(Codec):
    """Keys go through str()."""

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        return super().closed(kind, [quoted(str(decode(key.encode()))) for key in keys], members)


@defect("ENC-KEY-TYPES-DIFFER")
class NoneIsAText(Codec):
    """The key None is the text null, as in JSON."""

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        return super().closed(kind, ['"null"' if key == "null" else key for key in keys], members)


@defect("ENC-CONTAINER-KINDS-DIFFER")
class SequencesAreLists(Codec):
    """Every sequence is a list."""

    def tag(self, kind: type) -> str:
        return "l"


@defect("ENC-CONTAINER-KINDS-DIFFER")
class UnsignedIsSigned(Codec):
    """The kind of an array does not say whether its items have signs."""

    def leaf(self, value: Any) -> str:
        text = super().leaf(value)
        return text.replace('"uint', '"int') if isinstance(value, array) else text


@defect("ENC-ABSENT-NONE-UNDEFINED-DIFFER")
class WithoutNone(Codec):
    """Keys with None are left out."""

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        kept = [(key, text) for key, text in zip(keys, members, strict=True) if text != "null"] if keys else []
        return super().closed(kind, [key for key, _ in kept], [text for _, text in kept] if keys else members)


@defect("ENC-ABSENT-NONE-UNDEFINED-DIFFER")
class UndefinedIsNone(Codec):
    """UNDEFINED is None."""

    def leaf(self, value: Any) -> str:
        return super().leaf(None if value is UNDEFINED else value)


@defect("ENC-FLOAT-SPECIALS")
class FifteenDigits(Codec):
    """Floats are rounded to 15 digits."""

    def leaf(self, value: Any) -> str:
        return super().leaf(float(f"{value:.15g}") if type(value) is float else value)


@defect("ENC-FLOAT-SPECIALS")
class NoNegativeZero(Codec):
    """Zero has no sign."""

    def leaf(self, value: Any) -> str:
        return super().leaf(value + 0.0 if type(value) is float else value)


@defect("ENC-FLOAT-SPECIALS")
class ManyNans(Codec):
    """A NaN keeps its sign."""

    def leaf(self, value: Any) -> str:
        negative = type(value) is float and value != value and str(array("d", [value]).tobytes()[-1]) == "255"
        return '["f","fff8000000000000"]' if negative else super().leaf(value)


@defect("ENC-BIG-INTS")
class DecimalDigits(Codec):
    """Integers go through their decimal digits, of which Python writes no more than 4,300."""

    def leaf(self, value: Any) -> str:
        return super().leaf(int(str(value)) if type(value) is int else value)


@defect("ENC-BIG-INTS")
class AsDoubles(Codec):
    """Integers that a double has room for are doubles on the way."""

    def leaf(self, value: Any) -> str:
        return super().leaf(int(float(value)) if type(value) is int and abs(value) < 2**1000 else value)


@defect("ENC-DATETIME-ZONE")
class InUtc(Codec):
    """A datetime is the instant, in UTC."""

    def leaf(self, value: Any) -> str:
        inside = type(value) is datetime and 1 < value.year < 9999
        return super().leaf(value.astimezone(UTC) if inside else value)


@defect("ENC-DATETIME-ZONE")
class FirstFold(Codec):
    """Of an hour that the zone has twice, the first is meant."""

    def leaf(self, value: Any) -> str:
        return super().leaf(value.replace(fold=0) if type(value) is datetime else value)


@defect("ENC-DATETIME-ZONE")
class WithoutZone(Codec):
    """Only the offset is kept of a zone."""

    def leaf(self, value: Any) -> str:
        offset = value.utcoffset() if type(value) is datetime else None
        return super().leaf(value if offset is None else value.replace(tzinfo=timezone(offset)))


@defect("ENC-DURATION-INTERVAL")
class YearsAreMonths(Codec):
    """A year is twelve months."""

    def leaf(self, value: Any) -> str:
        if type(value) is Duration and value.years is not None:
            units = value.units()
            return super().leaf(Duration(**units | {"years": None, "months": 12 * units["years"]}))
        return super().leaf(value)


@defect("ENC-DURATION-INTERVAL")
class NoZeroUnits(Codec):
    """Units of zero are left out."""

    def leaf(self, value: Any) -> str:
        if type(value) is Duration:
            return super().leaf(Duration(**{unit: number for unit, number in value.units().items() if number}))
        return super().leaf(value)


@defect("ENC-DURATION-INTERVAL")
class WallClockIntervals(Codec):
    """Ends of an interval are put in order as Python compares datetimes of one zone."""

    def leaf(self, value: Any) -> str:
        if type(value) is Interval and value.start > value.end:
            raise ValueError("the interval ends before it starts")
        return super().leaf(value)


@defect("ENC-REGEX")
class WithoutFlags(Codec):
    """Only the text of a pattern is kept."""

    def leaf(self, value: Any) -> str:
        return super().leaf(re.compile(value.pattern) if isinstance(value, re.Pattern) else value)


@defect("ENC-REGEX")
class WithDebug(Codec):
    """DEBUG counts."""

    def leaf(self, value: Any) -> str:
        debugs = isinstance(value, re.Pattern) and value.flags & re.DEBUG
        return super().leaf(value) if not debugs else super().leaf(value)[:-1] + "1]"


@defect("ENC-TYPED-ARRAYS")
class OtherEnd(Codec):
    """Items are written with their first byte last."""

    def leaf(self, value: Any) -> str:
        if isinstance(value, array):
            value = value[:]
            value.byteswap()
        return super().leaf(value)


@defect("ENC-TYPED-ARRAYS")
class EmptyIsEmpty(Codec):
    """All empty arrays are one."""

    def leaf(self, value: Any) -> str:
        return '["arr","int8",""]' if isinstance(value, array) and not value else super().leaf(value)


@defect("ENC-STRINGS-EXACT")
class Composed(Codec):
    """Texts are normalised."""

    def leaf(self, value: Any) -> str:
        return super().leaf(unicodedata.normalize("NFC", value) if type(value) is str else value)


@defect("ENC-STRINGS-EXACT")
class OneNewline(Codec):
    """All ends of lines are one."""

    def leaf(self, value: Any) -> str:
        return super().leaf(value.replace("\r\n", "\n") if type(value) is str else value)


@defect("ENC-NODEREF-CLASS")
class RefsAsRecords(Codec):
    """A reference is the dict of its fields."""

    def leaf(self, value: Any) -> str:
        return encode(fields(value)).decode() if type(value) is NodeRef else super().leaf(value)


@defect("ENC-NODEREF-CLASS")
class WithoutRoute(Codec):
    """The route of a reference is lost."""

    def leaf(self, value: Any) -> str:
        return super().leaf(NodeRef(value.node, value.select, value.path) if type(value) is NodeRef else value)


@defect("ENC-LOOKALIKE-DIFFERS")
class DollarRef(Codec):
    """A reference is a dict with the key $ref."""

    def leaf(self, value: Any) -> str:
        return encode({"$ref": fields(value)}).decode() if type(value) is NodeRef else super().leaf(value)


@defect("ENC-LOOKALIKE-DIFFERS")
class UntaggedLists(Codec):
    """A list that begins with a text needs no tag."""

    def closed(self, kind: type, keys: list[str], members: list[str]) -> str:
        if kind is list and members and members[0].startswith('"'):
            return "[" + ",".join(members) + "]"
        return super().closed(kind, keys, members)
