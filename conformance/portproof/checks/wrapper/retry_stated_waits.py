"""What a retry wrapper makes of the wait that a failure states."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.retries import (
    SAME_MS,
    Run,
    down,
    expect_waits,
    most_attempts,
    retry,
    usual_waits_ms,
    with_attributes,
)
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.strategies import texts

_ONE_DAY_MS = 86_400_000
_ROOM = 4
#: Quarters of milliseconds up to five seconds.
_FRACTIONS = st.integers(0, 20_000).map(lambda quarters: quarters / 4)
_NO_WAITS = st.one_of(
    st.sampled_from([math.nan, math.inf, -math.inf, True, False, "5000", "soon", ""]),
    st.integers(-_ONE_DAY_MS, -1),
    texts(max_size=5),
)


async def _run(bench: WrapperBench, *stated: Any, **options: Any) -> Run:
    """Failures that state these waits, then an answer."""
    script = [down(retry_after_ms=wait) for wait in stated]
    return await retry(bench, *script, bench.response(), **{"max_attempts": _ROOM, **options})


@check(
    "RES-RETRY-STATED-WAIT-FLOOR",
    stated=st.lists(st.integers(0, 5000) | _FRACTIONS, min_size=1, max_size=_ROOM - 1),
    initial=st.integers(1, 1000),
)
async def a_stated_wait_is_a_floor_under_the_schedule(bench: WrapperBench, stated: list[float], initial: int) -> None:
    options = {"initial_delay_ms": initial, "max_delay_ms": 10_000}
    waits = (await _run(bench, *stated, **options)).waits_ms
    usual = await usual_waits_ms(bench, **options)
    cap = 10_000.0 if bench.takes("max_delay_ms") else await _found_cap(bench, **options)
    floors = [min(cap, wait) for wait in stated[: len(waits)]]
    if usual is None:
        kept = all(wait >= floor - SAME_MS for wait, floor in zip(waits, floors, strict=True))
        expect(kept, "a wait is shorter than stated", waits_ms=waits)
    else:
        expected = [max(floor, wait) for floor, wait in zip(floors, usual, strict=False)]
        expect_waits(waits, expected, "after failures that state one", without_ms=usual)


async def _found_cap(bench: WrapperBench, **options: Any) -> float:
    """The longest that a wrapper waits which cannot be told."""
    usual = max((await _run(bench, None, **options)).waits_ms, default=0)
    longest = max((await _run(bench, _ONE_DAY_MS, **options)).waits_ms, default=math.inf)
    expect(longest > usual, "a stated wait of one day changes nothing", usual_ms=usual, waited_ms=longest)
    return longest


@check("RES-RETRY-STATED-WAIT-CAPPED", cap=st.integers(1, 20_000), beyond=st.integers(0, _ONE_DAY_MS))
async def no_wait_exceeds_the_cap(bench: WrapperBench, cap: int, beyond: int) -> None:
    waits = (await _run(bench, cap + beyond, None, cap + beyond, initial_delay_ms=1, max_delay_ms=cap)).waits_ms
    expect(all(wait <= cap + SAME_MS for wait in waits), f"a wait exceeds max_delay_ms={cap}", waits_ms=waits)


@check(
    "RES-RETRY-STATED-WAIT-REPORTED",
    stated=st.lists(st.sampled_from([None, 0, _ONE_DAY_MS]) | st.integers(0, 20_000), min_size=1, max_size=_ROOM - 1),
)
async def the_stated_wait_is_reported_as_it_was_stated(bench: WrapperBench, stated: list[int | None]) -> None:
    stated = stated[: await most_attempts(bench, _ROOM) - 1]
    run = await _run(bench, *stated, max_delay_ms=10_000)
    reported = [report.get("stated_wait_ms") for report in run.made("retried")]
    expect(reported or run.attempts == 1, "no retry was reported")
    expect_equal(reported, stated[: len(reported)], "stated_wait_ms, retry by retry")


@check("RES-RETRY-STATED-WAIT-INVALID", value=_NO_WAITS)
async def what_is_no_wait_counts_as_none_stated(bench: WrapperBench, value: Any) -> None:
    await _counts_as_none_stated(bench, await _run(bench, value), "retry_after_ms")


@check("RES-RETRY-TIMESTAMP-IS-NOT-A-WAIT", epoch_ms=st.integers(1_600_000_000_000, 2_000_000_000_000))
async def a_timestamp_is_not_a_wait(bench: WrapperBench, epoch_ms: int) -> None:
    error = with_attributes(_CircuitOpenError, code="ERR_CIRCUIT_OPEN", retry_after=epoch_ms)
    run = await retry(bench, error, bench.response(), max_attempts=_ROOM, should_retry=lambda *_, **__: True)
    if run.attempts == 1:
        raise NotTested("the wrapper does not retry the rejection of an open circuit")
    await _counts_as_none_stated(bench, run, "retry_after")


_CircuitOpenError = type("CircuitOpenError", (Exception,), {})


async def _counts_as_none_stated(bench: WrapperBench, run: Run, what: str) -> None:
    """One failure, then an answer: the run waited as if nothing had been stated, and says so."""
    expect(run.outcome.error is None, "the call fails because of it", raised=run.outcome.error)
    usual = await usual_waits_ms(bench)
    if usual is not None:
        expect_waits(run.waits_ms, usual[:1], f"after a failure with this {what}")
    reported = [report["stated_wait_ms"] for report in run.made("retried") if "stated_wait_ms" in report]
    expect_equal(reported, [], f"stated_wait_ms of a failure with this {what}")
