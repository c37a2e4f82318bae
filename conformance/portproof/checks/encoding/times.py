"""Points and spans of time keep what a person staged: local time, zone, units."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from agentports.ports import Duration, Interval
from portproof.benches.plans.encodings import EncodingBench
from portproof.checks.encoding.comparing import expect_all_different, expect_different
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies.plans import durations, intervals, moments
from portproof.strategies.plans.times import AMBIGUOUS, ZONES, timespans, zoned_moments


def _in_the_fold(case: tuple[str, datetime], minute: int) -> list[datetime]:
    """Both moments that the zone has at this local time, or a little later in the hour."""
    zone, local = case
    moment = local.replace(minute=local.minute + minute, tzinfo=ZoneInfo(zone))
    return [moment.replace(fold=fold) for fold in (0, 1)]


_folds = st.builds(_in_the_fold, st.sampled_from(AMBIGUOUS), st.integers(0, 9))


@check("ENC-DATETIME-ZONE", moment=moments(), zone=st.sampled_from(ZONES), folds=_folds)
async def a_datetime_keeps_local_time_offset_and_zone(
    bench: EncodingBench, moment: datetime, zone: str, folds: list[datetime]
) -> None:
    for one in (moment, *folds):
        bench.expect_back(one, bench.encode(one))
    expect_all_different(bench, folds)
    # Conversions overflow at either end of the calendar.
    with contextlib.suppress(OverflowError):
        for other in (moment.astimezone(ZoneInfo(zone)), moment.astimezone(UTC)):
            expect_different(bench, moment, other)
    local = moment.replace(tzinfo=None)
    expect_all_different(bench, [local.replace(tzinfo=UTC), local.replace(tzinfo=ZoneInfo("UTC"))])


@check("ENC-DURATION-INTERVAL", duration=durations(), interval=intervals(), span=timespans(), count=st.integers(-9, 9))
async def spans_keep_their_units_and_ends(
    bench: EncodingBench, duration: Duration, interval: Interval, span: timedelta, count: int
) -> None:
    for value in (duration, interval, span, {"a": [duration, interval]}):
        bench.expect_back(value, bench.encode(value))
    expect_all_different(
        bench,
        [Duration(hours=count), Duration(minutes=60 * count), timedelta(hours=count), Duration(hours=count, minutes=0)],
    )
    expect_all_different(
        bench, [Duration(years=count), Duration(quarters=4 * count), Duration(months=12 * count), Duration()]
    )
    expect_different(bench, interval, [interval.start, interval.end])


@check(
    "ENC-ZONE-OFFSET-CHECKED",
    moment=zoned_moments(),
    minutes=st.integers(-1439, 1439),
    folds=_folds,
)
async def an_offset_that_the_zone_does_not_have_is_refused(
    bench: EncodingBench, moment: datetime, minutes: int, folds: list[datetime]
) -> None:
    possible = {_offset(moment.replace(fold=fold)) for fold in (0, 1)}
    recorded = _offset(moment.replace(tzinfo=timezone(timedelta(minutes=minutes))))
    if recorded not in possible:
        text = _text(moment, recorded)
        back, refusal = bench.read_or_refused(text)
        expect(refusal is not None, "a local time with an offset that its zone does not have was read", read=str(back))
    for fold in folds:
        bench.expect_back(fold, _text(fold, _offset(fold)))


def _text(moment: datetime, offset: str) -> bytes:
    local = moment.replace(tzinfo=None).isoformat(timespec="microseconds")
    return f'["dt","{local}","{offset}","{moment.tzinfo}"]'.encode()


def _offset(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")[26:]
