"""What a retry wrapper reports, and when."""

from __future__ import annotations

import time
from typing import Any

from hypothesis import strategies as st

from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.retries import Run, down, failures, most_attempts, retry, with_attributes
from portproof.probes import Slow
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.strategies import error_messages

_FAILING, _MOST = st.integers(0, 6), st.integers(1, 6)
_REASONS: list[tuple[Any, str]] = [
    (200, "http-200"),
    (301, "http-301"),
    (400, "http-4xx"),
    (404, "http-4xx"),
    (429, "http-429"),
    (500, "http-5xx"),
    (503, "http-5xx"),
    (599, "http-5xx"),
    (600, "http-5xx"),
    (None, "no-status"),
    ("503", "no-status"),
]


async def _run(bench: WrapperBench, failing: int, max_attempts: int) -> Run:
    return await retry(bench, *failures(failing), bench.response(), max_attempts=max_attempts)


@check("RES-RETRY-REPORTED-ATTEMPTS", failing=_FAILING, max_attempts=_MOST)
async def every_retry_is_reported_with_the_number_of_the_attempt_to_come(
    bench: WrapperBench, failing: int, max_attempts: int
) -> None:
    most = await most_attempts(bench, max_attempts)
    reports = (await _run(bench, failing, max_attempts)).made("retried")
    numbers = [[report.get("attempt"), report.get("max_attempts")] for report in reports]
    expected = [[attempt, most] for attempt in range(2, min(failing + 1, most) + 1)]
    expect_equal(numbers, expected, "attempt and max_attempts, retry by retry")


@check("RES-RETRY-RECOVERED", failing=_FAILING, max_attempts=_MOST)
async def a_late_success_is_reported_once_and_last(bench: WrapperBench, failing: int, max_attempts: int) -> None:
    most = await most_attempts(bench, max_attempts)
    run = await _run(bench, failing, max_attempts)
    expected = [failing + 1] if 0 < failing < most else []
    expect_equal(
        [report.get("attempt") for report in run.made("recovered")], expected, "the list of recoveries reported"
    )
    expect("recovered" not in run.hooks.kinds[:-1], "something is reported after the recovery", made=run.hooks.kinds)


@check(
    "RES-RETRY-RECOVERED-DURATION",
    call_ms=st.lists(st.integers(0, 2000), min_size=2, max_size=4),
    wait_ms=st.integers(1, 1000),
)
async def the_duration_runs_from_the_first_attempt(bench: WrapperBench, call_ms: list[int], wait_ms: int) -> None:
    call_ms = call_ms[: await most_attempts(bench, len(call_ms))]
    *failing, last = [ms / 1000 for ms in call_ms]
    script = [*(Slow(seconds, down()) for seconds in failing), Slow(last, bench.response())]
    began, really_began = bench.time.clock(), time.perf_counter()
    run = await retry(bench, *script, max_attempts=len(call_ms), initial_delay_ms=wait_ms)
    passed, really_passed = ((bench.time.clock() - began) * 1000, (time.perf_counter() - really_began) * 1000)
    durations = [report.get("total_duration_ms", -1) for report in run.made("recovered")]
    expect(durations, "no recovery was reported")
    if not bench.takes("clock") and 0 <= durations[0] <= really_passed:
        raise NotTested("the wrapper takes no clock: it measures real time, of which next to none passes here")
    expect(
        abs(durations[0] - passed) <= 1,
        "total_duration_ms is not the time that passed",
        passed_ms=passed,
        reported_ms=durations[0],
    )


@check("RES-RETRY-REASON-CLASS")
async def the_reason_is_the_class_of_the_failure(bench: WrapperBench) -> None:
    reported, expected = {}, {}
    for status, reason in _REASONS:
        error = with_attributes(status=status)
        run = await retry(bench, error, bench.response(), max_attempts=2, should_retry=lambda *_, **__: True)
        for report in run.made("retried"):
            reported[str(status)], expected[str(status)] = report.get("reason"), reason
    expect(reported, "no retry was reported")
    expect_equal(reported, expected, "the table of reasons by status")


@check("RES-RETRY-LAST-ERROR-MESSAGE", messages=st.lists(error_messages(), min_size=1, max_size=4, unique=True))
async def last_error_is_the_message_of_the_latest_failure(bench: WrapperBench, messages: list[str]) -> None:
    run = await retry(bench, *map(down, messages), bench.response(), max_attempts=len(messages) + 1)
    reported = [report.get("last_error") for report in run.made("retried")]
    expect(reported, "no retry was reported")
    expect_equal(reported, messages[: len(reported)], "last_error, retry by retry")
