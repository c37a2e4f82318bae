"""Calls that are cancelled, and calls that run side by side."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from hypothesis import strategies as st

from agentports.ports import LLMRequest
from portproof.benches.wrapper import Outcome, WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.scenes import Way, absorbs, heard_of_inner, remark, stage, unavailable, ways
from portproof.probes import HANG, InnerCall, InstrumentedProvider, Says, Slow
from portproof.running.outcome import NotTested, Violation, expect, expect_equal
from portproof.running.plain import plain

# In seconds of virtual time: a cancellation takes none, and afterwards everything that is still to come has come.
_SOON_S, _LONG_S = 1.0, 3600.0
Moment = Literal["a call", "a call after a failure", "a wait"]
MOMENTS: list[Moment] = ["a call", "a call after a failure", "a wait"]


@check("WRP-CANCEL-PROPAGATES")
async def a_cancellation_leaves_at_once(bench: WrapperBench) -> None:
    for way in ways(await bench.around(bench.inner())):
        for during in MOMENTS:
            await _expect_cancelled(bench, way, during)


async def _expect_cancelled(bench: WrapperBench, way: Way, during: Moment) -> None:
    bench.spare = bench.inner(name="spare")
    inner = _waiting_in(bench, during, way)
    wrapper = await bench.around(inner, initial_delay_ms=1000)
    call = asyncio.ensure_future(bench.call(way, wrapper))
    await bench.settled(lambda: call.done() or any(_hangs(one) for one in [*inner.calls, *bench.spare.calls]))
    if call.done():
        # The wrapper does not wait after a failure.
        return
    before = len(inner.calls) + len(bench.spare.calls)
    call.cancel()
    await asyncio.wait({call}, timeout=_SOON_S)
    expect(call.done(), f"{way} goes on after it was cancelled during {during}")
    got = None if call.cancelled() else plain(call.exception() or call.result().error or "an answer")
    expect(call.cancelled(), f"the cancellation during {during} did not leave {way} as CancelledError", got=got)
    await asyncio.sleep(_LONG_S)
    expect_equal(len(inner.calls) + len(bench.spare.calls), before, f"the inner calls, long after {way} was cancelled")


def _waiting_in(bench: WrapperBench, during: Moment, way: Way) -> InstrumentedProvider:
    if during == "a wait":
        return bench.inner(unavailable())
    return stage(bench, HANG, after_failure=during == "a call after a failure" and absorbs(bench, way))


def _hangs(call: InnerCall) -> bool:
    return call.started and call.step is HANG


@check(
    "WRP-CONCURRENT-CALLS",
    delays=st.lists(st.integers(0, 5), min_size=2, max_size=5),
    fails=st.lists(st.booleans(), min_size=5, max_size=5),
    at_most=12,
)
async def concurrent_calls_keep_apart(bench: WrapperBench, delays: list[int], fails: list[bool]) -> None:
    for way in ways(await bench.around(bench.inner())):
        await _expect_apart(bench, way, delays, fails)


async def _expect_apart(bench: WrapperBench, way: Way, delays: list[int], fails: list[bool]) -> None:
    if not absorbs(bench, way):
        fails = [False] * len(fails)
    play = _Crowd(bench, delays, fails)
    bench.spare = bench.inner(play.answer, name="spare")
    wrapper = await bench.around(bench.inner(play.fail_or_answer))
    hooks = [bench.hooks() for _ in delays]
    calls = [bench.call(way, wrapper, play.request(n), heard) for n, heard in enumerate(hooks)]
    outcomes = await asyncio.gather(*calls)
    if not play.told_apart:
        _not_told_apart(bench)
    for number, outcome in enumerate(outcomes):
        expect(outcome.error is None, f"{way} {number} of {len(delays)} raised", raised=plain(outcome.error))
        answered = [n for n in range(len(delays)) if _marker(n) in _said(outcome)]
        expect_equal(answered, [number], f"whose answer {way} {number} of {len(delays)} got")
        heard = {saying["number"] for _, saying in heard_of_inner(hooks[number])}
        expect_equal(heard, {number}, f"whose reports the hooks of {way} {number} heard")


def _not_told_apart(bench: WrapperBench) -> None:
    if bench.subject.kind == "other":
        raise NotTested("the wrapper changes requests so that they cannot be told apart")
    raise Violation("an inner call got the request of none of the callers, or of several")


class _Crowd:
    """Calls that carry their number, and inner providers that answer with it, each after its own delay."""

    def __init__(self, bench: WrapperBench, delays: list[int], fails: list[bool]) -> None:
        self._bench = bench
        self._delays = delays
        self._fails = fails
        self._failed: set[int] = set()
        #: Whether every inner call could be told to belong to one of the calls.
        self.told_apart = True

    def request(self, number: int) -> LLMRequest:
        return self._bench.request(f"this is {_marker(number)}")

    def answer(self, call: InnerCall) -> Any:
        number = self._number(call)
        answer = self._bench.response(f"answer to {_marker(number)}")
        return Slow(self._delays[number] / 1000, Says([remark(number)], answer))

    def fail_or_answer(self, call: InnerCall) -> Any:
        number = self._number(call)
        if not self._fails[number] or number in self._failed:
            return self.answer(call)
        self._failed.add(number)
        return Slow(self._delays[number] / 1000, Says([remark(number)], unavailable()))

    def _number(self, call: InnerCall) -> int:
        asked = str(plain(call.request))
        numbers = [n for n in range(len(self._delays)) if _marker(n) in asked]
        self.told_apart &= len(numbers) == 1
        return numbers[0] if numbers else 0


def _marker(number: int) -> str:
    return f"caller-{number}"


def _said(outcome: Outcome) -> str:
    terminal = outcome.terminal
    response = outcome.response if terminal is None else terminal.response
    return str(plain([response, [chunk.content for chunk in outcome.chunks]]))
