"""What an open circuit breaker raises."""

from __future__ import annotations

import time
from typing import Any

from hypothesis import strategies as st

from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.circuits import Circuit, Way, down, ways
from portproof.running.outcome import Violation, expect, expect_equal

#: Milliseconds by which the wall clock may be read earlier or later than here.
_SLACK_MS = 2000


@check("RES-BREAKER-OPEN-ERROR", failures=st.integers(1, 4), way=ways())
async def the_rejection_tells_why(bench: WrapperBench, failures: int, way: Way) -> None:
    circuit = await Circuit.around(bench, failures=failures)
    for number in range(1, circuit.threshold + 1):
        last = down(f"failure {number}")
        await circuit.call(last, way)
    _expect_rejection(await _rejection(circuit, way), last, "the last failure before it opened")
    if circuit.has_time:
        circuit.cool()
        probe = down("failed probe")
        await circuit.call(probe, way)
        _expect_rejection(await _rejection(circuit, way), probe, "the failed probe that opened it again")


@check("RES-BREAKER-OPEN-ERROR-RETRY-AFTER", eighths_between=st.lists(st.integers(0, 20), max_size=3))
async def the_rejection_tells_until_when(bench: WrapperBench, eighths_between: list[int]) -> None:
    circuit = await Circuit.around(bench, eighths=100)
    await circuit.trip()
    opened_ms, opened_wall_ms = bench.time.clock() * 1000, time.time() * 1000
    first = _retry_after(await _rejection(circuit))
    on_wall = abs(first - opened_ms) > abs(first - opened_wall_ms)
    if circuit.cooldown_s is not None:
        expected = (opened_wall_ms if on_wall else opened_ms) + circuit.cooldown_s * 1000
        expect(
            abs(first - expected) <= (_SLACK_MS if on_wall else 1),
            "retry_after is not the time of opening plus cooldown_ms, in epoch milliseconds",
            expected=expected,
            got=first,
        )
    passed_ms = 0.0
    for eighths in eighths_between if circuit.has_time else ():
        circuit.wait(eighths / 8)
        passed_ms += eighths * 125
        later = _retry_after(await _rejection(circuit))
        # A breaker may add what is left of the cooldown to the wall clock, which does not move here.
        counts_down = on_wall and abs(first - passed_ms - later) <= _SLACK_MS
        expect(
            abs(later - first) <= 1 or counts_down,
            "retry_after moves from one rejection to the next",
            first=first,
            later=later,
            ms_between=passed_ms,
        )


async def _rejection(circuit: Circuit, way: Way = "complete") -> BaseException:
    called = await circuit.call(circuit.bench.response(), way)
    if called.admitted or called.outcome.error is None:
        raise Violation("a call was not rejected although so many failures in a row were to open the circuit")
    return called.outcome.error


def _expect_rejection(error: BaseException, failure: BaseException, which: str) -> None:
    expect_equal(getattr(error, "code", None), "ERR_CIRCUIT_OPEN", "the code of the rejection", raised=error)
    causes = (getattr(error, "cause", None), error.__cause__)
    expect(any(cause is failure for cause in causes), f"the cause of the rejection is not {which}", causes=causes)


def _retry_after(error: BaseException) -> float:
    expect_equal(getattr(error, "status", None), None, "the status of the rejection, which was no HTTP answer")
    value: Any = getattr(error, "retry_after", None)
    expect(
        isinstance(value, int | float) and not isinstance(value, bool),
        "retry_after is not a number of epoch milliseconds",
        got=value,
    )
    return float(value)
