"""The caller stops: what becomes of the wait, of the next attempt, and of the signal."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import strategies as st

from agentports.ports import AbortController
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.retries import down, retry
from portproof.probes import InnerCall
from portproof.running.outcome import NotTested, expect, expect_equal

#: How soon an abort must be noticed, in seconds: at once, or by a look every now and then.
_PROMPT_S = 0.5
_MANY = 100
_LONG_WAIT: dict[str, Any] = {"initial_delay_ms": 10_000, "max_delay_ms": 10_000}
_REASONS = st.sampled_from([None, "the user left", RuntimeError("the user left")])


@check("RES-RETRY-ABORT-ENDS-WAIT", percent=st.integers(1, 50), reason=_REASONS)
async def an_abort_ends_the_wait(bench: WrapperBench, percent: int, reason: Any) -> None:
    failure = down(retry_after_ms=5000)
    waits = bench.waits_ms((await retry(bench, failure, bench.response(), **_LONG_WAIT)).inner)
    if not any(waits):
        raise NotTested("the wrapper does not wait on virtual time, so that no wait can be interrupted")
    controller, inner, hooks = AbortController(), bench.inner(failure, bench.response()), bench.hooks()
    wrapper = await bench.wrapping(inner, **_LONG_WAIT)
    call = asyncio.ensure_future(bench.attempt(wrapper, bench.request(signal=controller.signal), hooks))
    after = waits[0] / 1000 * percent / 100
    await bench.time.sleep(after)
    told = len(hooks.reports)
    controller.abort(reason)
    aborted = bench.time.clock()
    outcome = await call
    took = bench.time.clock() - aborted
    expect_equal(len(inner.calls), 1, "the number of inner calls, of a call aborted in its first wait")
    expect_equal(hooks.kinds[told:], [], "the list of reports made after the abort")
    expect(
        took <= min(_PROMPT_S, (waits[0] / 1000 - after) / 2),
        "the wait goes on after the abort",
        wait_ms=waits[0],
        aborted_after_ms=round(after * 1000, 3),
        ended_after_ms=round((after + took) * 1000, 3),
    )
    expect(
        outcome.error is controller.signal.reason or _is_abort(outcome.error),
        "the call ends neither with the signal's reason nor with an abort",
        raised=outcome.error,
    )


def _is_abort(error: BaseException | None) -> bool:
    named = type(error).__name__ == "AbortError" or getattr(error, "name", None) == "AbortError"
    return named or getattr(error, "code", None) == "ABORT_ERR"


@check("RES-RETRY-ABORT-BEFORE-WAIT", initial=st.sampled_from([0, 5]))
async def a_signal_aborted_before_the_wait_prevents_the_next_attempt(bench: WrapperBench, initial: int) -> None:
    controller = AbortController()

    def abort_and_fail(call: InnerCall) -> Exception:
        controller.abort()
        return down()

    request = bench.request(signal=controller.signal)
    run = await retry(bench, abort_and_fail, bench.response(), request=request, initial_delay_ms=initial)
    expect_equal(run.attempts, 1, "the number of inner calls, the first of which aborts the signal and fails")
    expect(run.outcome.error is not None, "the call answers although it was aborted")


@check("RES-RETRY-SIGNAL-LISTENER-RELEASED")
async def nothing_stays_attached_to_the_signal(bench: WrapperBench) -> None:
    signal = AbortController().signal
    inner = bench.inner(*[down(), bench.response()] * _MANY)
    wrapper = await bench.wrapping(inner, initial_delay_ms=1)
    tasks = []
    for _ in range(_MANY):
        await bench.attempt(wrapper, bench.request(signal=signal))
        await bench.settled(lambda: signal.waiters == 0)
        tasks.append(len(asyncio.all_tasks()))
    expect_equal(signal.waiters, 0, "the number of waits on the signal after the calls")
    expect(tasks[-1] <= tasks[0], "tasks stay behind", after_one_retry=tasks[0], after_all=tasks[-1])
