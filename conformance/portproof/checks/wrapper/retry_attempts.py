"""How often a retry wrapper tries, and what comes out in the end."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import strategies as st

from portproof.benches.views import view
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.retries import down, failures, most_attempts, retry, waits_at_random
from portproof.probes import InnerCall
from portproof.running.outcome import NotTested, expect, expect_equal


@check("RES-RETRY-ATTEMPT-CAP", max_attempts=st.integers(1, 6))
async def a_call_makes_at_most_max_attempts_inner_calls(bench: WrapperBench, max_attempts: int) -> None:
    run = await retry(bench, down(), max_attempts=max_attempts)
    if not bench.takes("max_attempts"):
        stated = [report["max_attempts"] for report in run.made("retried") if "max_attempts" in report]
        if not stated:
            raise NotTested("the factory takes no max_attempts, and the reports do not state it")
        max_attempts = stated[0]
    expect_equal(run.attempts, max_attempts, "the number of inner calls, all of which failed")


@check("RES-RETRY-MINIMUM-ONE", max_attempts=st.integers(-5, 0), succeeds=st.booleans())
async def less_than_one_attempt_counts_as_one(bench: WrapperBench, max_attempts: int, succeeds: bool) -> None:
    error, response = down(), bench.response()
    run = await retry(bench, response if succeeds else error, max_attempts=max_attempts)
    expect_equal(run.attempts, 1, "the number of inner calls")
    if succeeds:
        expect_equal(_content(run.outcome.response), response.content, "the answer", raised=run.outcome.error)
    else:
        expect(run.outcome.error is error, "the caller gets another error than the attempt's", raised=run.outcome.error)


@check("RES-RETRY-STOPS-ON-SUCCESS", failing=st.integers(0, 5), left=st.integers(1, 3))
async def the_first_success_ends_the_call(bench: WrapperBench, failing: int, left: int) -> None:
    failing = min(failing, await most_attempts(bench, failing + left) - 1)
    answers = [bench.response("the first answer"), bench.response("a later answer")]
    run = await retry(bench, *failures(failing), *answers, max_attempts=failing + left)
    expect_equal(run.attempts, failing + 1, "the number of inner calls")
    expect_equal(_content(run.outcome.response), "the first answer", "the answer", raised=run.outcome.error)


@check("RES-RETRY-LAST-ERROR-RAISED", max_attempts=st.integers(1, 5))
async def the_last_error_is_raised(bench: WrapperBench, max_attempts: int) -> None:
    raised: list[Exception] = []

    def fail(call: InnerCall) -> Exception:
        raised.append(down(f"failure {len(raised) + 1}"))
        return raised[-1]

    run = await retry(bench, fail, max_attempts=max_attempts)
    expect(
        run.outcome.error is raised[-1],
        "the caller does not get the exception of the last attempt",
        raised=run.outcome.error,
        last=raised[-1],
    )


@check("RES-RETRY-CALLS-INDEPENDENT", failing=st.lists(st.integers(0, 4), min_size=2, max_size=3))
async def overlapping_calls_count_for_themselves(bench: WrapperBench, failing: list[int]) -> None:
    alone = [(await _overlapping(bench, [count]))[0] for count in failing]
    together = await _overlapping(bench, failing)
    if together != alone and await waits_at_random(bench):
        for call in [*alone, *together]:
            call["waits_ms"] = "random"
    expect_equal(together, alone, "what the calls did when they overlapped, compared with each alone")


async def _overlapping(bench: WrapperBench, failing: list[int]) -> list[dict[str, Any]]:
    """Calls on one wrapper at the same time, each failing so often first; for each, what it did."""
    made: list[list[float]] = [[] for _ in failing]

    def play(call: InnerCall) -> Any:
        number = int(view(view(call.request, "messages")[0], "content"))
        made[number].append(call.at)
        return down() if len(made[number]) <= failing[number] else bench.response(f"answer {number}")

    wrapper = await bench.wrapping(bench.inner(play), max_attempts=4)
    outcomes = await asyncio.gather(*(bench.attempt(wrapper, bench.request(str(n))) for n in range(len(failing))))
    return [
        {
            "inner_calls": len(times),
            "waits_ms": [round((time - times[0]) * 1000, 3) for time in times],
            "outcome": "error" if outcome.error is not None else "answer",
        }
        for outcome, times in zip(outcomes, made, strict=True)
    ]


def _content(response: Any) -> Any:
    return view(response, "content")
