"""Points and spans of time as plans hold them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import Duration, Interval

__all__ = [
    "AMBIGUOUS",
    "UNITS",
    "ZONES",
    "durations",
    "fixed_moments",
    "intervals",
    "moments",
    "timespans",
    "zoned_moments",
]

#: Zones without and with changes of the clock, by half an hour too, and with seconds in their early offsets.
ZONES = (
    "UTC",
    "Europe/Paris",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Africa/Monrovia",
    "Pacific/Apia",
)
#: Local times that a zone has twice.
AMBIGUOUS = (
    ("Europe/Paris", datetime(2026, 10, 25, 2, 30)),
    ("America/New_York", datetime(2026, 11, 1, 1, 15)),
    ("Australia/Lord_Howe", datetime(2026, 4, 5, 1, 45)),
)
#: Local times that a zone skips.
_SKIPPED = (("Europe/Paris", datetime(2026, 3, 29, 2, 30)), ("America/New_York", datetime(2026, 3, 8, 2, 30)))
#: The units of a duration.
UNITS = ("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds")


@cache
def fixed_moments() -> SearchStrategy[datetime]:
    """Datetimes with a fixed offset: none, whole hours, odd minutes, seconds, even microseconds."""
    odd = st.timedeltas(timedelta(hours=-23, minutes=-59), timedelta(hours=23, minutes=59))
    offsets = st.just(timedelta(0)) | st.integers(-1439, 1439).map(lambda n: timedelta(minutes=n)) | odd
    return st.datetimes(timezones=offsets.map(timezone), allow_imaginary=True)


@cache
def zoned_moments() -> SearchStrategy[datetime]:
    """Datetimes with a zone; local times that the zone has twice, or skips, in either fold."""
    zones = st.sampled_from(ZONES).map(ZoneInfo)
    special = st.sampled_from([*AMBIGUOUS, *_SKIPPED]).map(lambda case: case[1].replace(tzinfo=ZoneInfo(case[0])))
    either = st.builds(lambda moment, fold: moment.replace(fold=fold), special, st.integers(0, 1))
    return st.datetimes(timezones=zones, allow_imaginary=True) | either


@cache
def moments() -> SearchStrategy[datetime]:
    """Datetimes of either sort."""
    return fixed_moments() | zoned_moments()


@cache
def timespans() -> SearchStrategy[timedelta]:
    """Exact spans of any length and sign."""
    return st.timedeltas()


@cache
def durations(floats: SearchStrategy[float] | None = None) -> SearchStrategy[Duration]:
    """Some units, whole or not, zero among them."""
    number = st.integers(-400, 400) | (floats if floats is not None else st.floats(allow_nan=False))
    return st.dictionaries(st.sampled_from(UNITS), number, max_size=4).map(lambda units: Duration(**units))


@cache
def intervals() -> SearchStrategy[Interval]:
    """Two moments in order as instants; some have their ends in the two folds of one hour."""
    any_two = st.tuples(moments(), moments()).map(lambda ends: Interval(*sorted(ends, key=_since_epoch)))
    return any_two | st.sampled_from(AMBIGUOUS).map(lambda case: _across_the_fold(*case))


def _across_the_fold(zone: str, local: datetime) -> Interval:
    # By the wall clock the end stands before the start.
    start = local.replace(tzinfo=ZoneInfo(zone), fold=0)
    return Interval(start, (start - timedelta(minutes=1)).replace(fold=1))


def _since_epoch(moment: datetime) -> timedelta:
    offset = moment.utcoffset()
    assert offset is not None
    return moment.replace(tzinfo=None) - datetime(1970, 1, 1) - offset
