"""Encodings that lose something of a number, a time, a pattern, an array or a text."""

from __future__ import annotations

import re
import unicodedata
from array import array
from datetime import UTC, datetime, timezone
from typing import Any

from portproof_defects._encodings import Codec

from agentports.ports import Duration, Interval
from portproof.selftest import defect


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
