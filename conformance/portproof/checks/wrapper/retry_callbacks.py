"""`on_retry`: what it gets, and when."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMCallHooks
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.retries import SAME_MS, failures
from portproof.probes import report_of
from portproof.running.outcome import expect, expect_equal


@check("RES-RETRY-CALLBACK-BEFORE-WAIT", failing=st.integers(1, 4))
async def the_callback_comes_first_then_the_report_then_the_wait(bench: WrapperBench, failing: int) -> None:
    events: list[tuple[str, float]] = []
    heard: list[list[Any]] = []

    def on_retry(*args: Any, **kwargs: Any) -> None:
        heard.append([*args, *kwargs.values()])
        events.append(("on_retry", bench.time.clock()))

    def on_resilience(report: Any) -> None:
        if report_of(report).get("kind") == "retried":
            events.append(("the report", bench.time.clock()))

    errors = failures(failing)
    inner = bench.inner(*errors, bench.response())
    wrapper = await bench.wrapping(inner, max_attempts=failing + 1, on_retry=on_retry)
    await bench.attempt(wrapper, hooks=LLMCallHooks(on_resilience=on_resilience))
    times, waits = [call.at for call in inner.calls], bench.waits_ms(inner)
    told = ["on_retry", "the report"] if bench.subject.reports else ["on_retry"]
    expected = [(what, time) for time in times[:-1] for what in told]
    since = times[0]
    expect_equal(
        [(what, round(time - since, 3)) for what, time in events],
        [(what, round(time - since, 3)) for what, time in expected],
        "what was told when (in seconds), where each attempt fails at once",
    )
    for number, (arguments, error, wait) in enumerate(zip(heard, errors, waits, strict=False), start=2):
        expect(len(arguments) >= 3, "on_retry gets fewer than three arguments", got=arguments)
        expect(arguments[0] is error, "on_retry gets another error", got=arguments[0], raised=error)
        expect_equal(arguments[1], number, "the attempt to come, as on_retry gets it")
        expect(
            abs(arguments[2] - wait) <= SAME_MS or not any(waits),
            "on_retry gets another wait than the one that followed",
            got_ms=arguments[2],
            waited_ms=wait,
        )
