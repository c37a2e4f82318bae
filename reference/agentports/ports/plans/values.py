"""Values of plans that Python lacks: undefined, calendar durations, intervals (document 30, section 2)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime, timedelta, timezone
from typing import Any, Final, Self, TypeAlias, final
from zoneinfo import ZoneInfo

from agentports.ports.plans.errors import EncodingError

__all__ = ["UNDEFINED", "Duration", "EncodableValue", "Interval", "Undefined"]

#: The closed set of document 30, section 2. Its members are told by exact type, which annotations cannot say.
EncodableValue: TypeAlias = Any


@final
class Undefined:
    """The class of `UNDEFINED`, its only instance: there, but without a value. Copies are the same object."""

    __slots__ = ()
    _instance: Undefined | None = None

    def __new__(cls) -> Self:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __repr__(self) -> str:
        return "UNDEFINED"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "UNDEFINED"


UNDEFINED: Final = Undefined()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Duration:
    """A span in calendar units. A unit that is not given is absent, not 0, and no unit is converted to another."""

    years: int | float | None = None
    quarters: int | float | None = None
    months: int | float | None = None
    weeks: int | float | None = None
    days: int | float | None = None
    hours: int | float | None = None
    minutes: int | float | None = None
    seconds: int | float | None = None
    milliseconds: int | float | None = None

    def __post_init__(self) -> None:
        for unit, number in self.units().items():
            if type(number) is not int and type(number) is not float:
                raise TypeError(f"{unit} of a Duration is an int or a float, not {type(number).__name__}")

    def units(self) -> dict[str, int | float]:
        """The units that are given, largest first."""
        numbers = ((unit.name, getattr(self, unit.name)) for unit in fields(self))
        return {unit: number for unit, number in numbers if number is not None}


@final
@dataclass(frozen=True, slots=True)
class Interval:
    """From one instant to another, which may be the same one.

    Raises `EncodingError` unless both are datetimes that a plan may hold and `end` is not before `start`.
    """

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if _since_epoch(self.start) > _since_epoch(self.end):
            raise EncodingError("an Interval ends before it starts", code="unencodable_value")


_EPOCH: Final = datetime(1970, 1, 1)


def _since_epoch(moment: datetime) -> timedelta:
    # Python compares datetimes of one zone by wall time, and conversions to UTC overflow at both ends of the calendar.
    if type(moment) is not datetime or type(moment.tzinfo) not in (timezone, ZoneInfo):
        raise EncodingError("an Interval has two datetimes with a fixed offset or a zone", code="unencodable_value")
    offset = moment.utcoffset()
    assert offset is not None
    return moment.replace(tzinfo=None) - _EPOCH - offset
