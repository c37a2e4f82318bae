"""The deadline of a call: how long, from when, and that it is gone afterwards."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import AbortController
from agentports.sim import Gate
from portproof.benches.http.bench import HttpBench, WireBench
from portproof.benches.http.calls import Call
from portproof.benches.http.endings import ENDINGS, ended
from portproof.benches.http.journal import SeamFailure
from portproof.benches.http.script import line, of_records
from portproof.benches.http.server import holding, pieces
from portproof.benches.http.truth import assembled
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal

#: Milliseconds, where any will do.
TIMEOUT = 60_000
#: So late, in milliseconds, may a deadline be that is looked at now and then.
_LATE = 250


async def limited(bench: WireBench, timeout: int | None = TIMEOUT, **stated: Any) -> Any:
    """A provider on standing time. Raises `NotTested` where time cannot be handed over."""
    bench.needs("sleep")
    return await bench.provider(**({} if timeout is None else {"timeout": timeout}), **stated)


async def runs_out(bench: WireBench, call: Call, left: float) -> None:
    """See that the call waits until so many milliseconds have passed, and that it ends then."""
    await bench.time.advance(left - 1)
    await bench.turns()
    expect(call.waits, f"the call ends 1 ms before its bound: {call.outcome.told}")
    await bench.time.advance(1)
    if not await bench.settled(lambda: not call.waits, 0.1):
        await bench.time.advance(_LATE)
    expect(await bench.settled(lambda: not call.waits, 0.5), "the call does not end when its time is up")
    await call.arrived()
    expect(call.outcome.abort, "no abort")


async def _waits_until(bench: HttpBench, timeout: int | None, bound: int) -> None:
    provider = await limited(bench, timeout)
    bench.server.serve(holding(line({"content": "x"})))
    call = bench.call(provider)
    await call.take()
    call.begin()
    await bench.turns()
    await runs_out(bench, call, bound)


@check("HTTP-DEADLINE-DEFAULT")
async def without_a_timeout_a_call_has_two_minutes(bench: HttpBench) -> None:
    await _waits_until(bench, None, 120_000)


@check("HTTP-DEADLINE-CONFIGURED", at_most=10, timeout=st.integers(2, 10**7))
async def a_timeout_bounds_the_call(bench: HttpBench, timeout: int) -> None:
    await _waits_until(bench, timeout, timeout)


@check("HTTP-DEADLINE-PER-CALL", overlapping=st.booleans())
async def each_call_has_its_own_deadline(bench: HttpBench, overlapping: bool) -> None:
    provider, gates = await limited(bench), [Gate(), Gate()]
    bench.server.serve(*(pieces(line({"content": "x"}), gate, line({"content": "y"})) for gate in gates))
    calls = [bench.call(provider), bench.call(provider)]
    await calls[0].take()
    if overlapping:
        await bench.time.advance(0.6 * TIMEOUT)
        await calls[1].take()
    for number, (call, gate) in enumerate(zip(calls, gates, strict=True)):
        await call.take() if not call.outcome.items else None
        await bench.time.advance((0.3 if overlapping else 0.9) * TIMEOUT)
        gate.open()
        outcome = await call.rest()
        expect(outcome.error is None, f"call {number + 1} of two, within its time: {outcome.told}")


@check("HTTP-DEADLINE-TOTAL")
async def activity_does_not_extend_the_deadline(bench: HttpBench) -> None:
    provider, gates = await limited(bench), [Gate() for _ in range(12)]
    said = [{"content": f"{number} "} for number in range(12)]
    bench.server.serve(pieces(*(step for pair in zip(gates, map(line, said), strict=True) for step in pair)))
    call = bench.call(provider)
    for gate in gates[:9]:
        gate.open()
        await call.take()
        expect(not call.ended, f"the call ends before its bound: {call.outcome.told}")
        await bench.time.advance(TIMEOUT / 10)
    gates[9].open()
    await call.take()
    call.begin()
    await bench.turns()
    await runs_out(bench, call, TIMEOUT / 10)
    expect_equal(call.outcome.partial, assembled(said[:10]), "the partial")


@check("HTTP-DEADLINE-FOLDED", first=st.sampled_from(["caller", "deadline"]))
async def whichever_fires_first_ends_the_call(bench: HttpBench, first: str) -> None:
    provider = await limited(bench)
    bench.server.serve(holding(line({"content": "x"})))
    call = bench.call(provider)
    await call.take()
    async with bench.waiting(call, lambda: True):
        await bench.time.advance(TIMEOUT / 2 if first == "caller" else TIMEOUT + _LATE)
        if first == "caller":
            call.controller.abort()
    expect_equal(call.outcome.partial, {"content": "x"}, "the partial")
    if first == "deadline":
        expect(not call.controller.signal.aborted, "the deadline aborts the caller's signal")


@check("HTTP-DEADLINE-CLEARED", name=st.sampled_from([*ENDINGS, "headers"]))
async def the_deadline_of_an_ended_call_never_fires(bench: HttpBench, name: str) -> None:
    kept: list[Any] = []

    def headers(signal: Any) -> dict[str, str]:
        kept.append(signal)
        if name == "headers":
            raise SeamFailure("no token")
        return {}

    hook: dict[str, Any] = {"headers": headers} if bench.takes("headers") else {}
    provider = await limited(bench, **hook)
    await ended(bench, provider, name if name in ENDINGS else "end")
    before = [signal.aborted for signal in kept]
    await gone(bench, kept, before)


async def gone(bench: WireBench, kept: list[Any], before: list[bool]) -> None:
    """See that nobody sleeps on, and that no signal fires when much time has passed."""
    expect(await bench.settled(lambda: bench.time.sleepers == 0, 1.0), f"{bench.time.sleepers} still sleep")
    await bench.time.advance(10 * TIMEOUT)
    expect_equal([signal.aborted for signal in kept], before, "whether the call's signal is aborted, long after it")


@check("HTTP-CLEAR-FAILURE-DEADLINE")
async def a_parser_that_cannot_be_cleared_leaves_no_deadline(bench: HttpBench) -> None:
    kept: list[Any] = []

    def during(seam: str, value: Any) -> None:
        if seam == "clear":
            raise SeamFailure("not cleared")

    bench.journal.during = during

    def headers(signal: Any) -> dict[str, str]:
        kept.append(signal)
        return {}

    hook: dict[str, Any] = {"headers": headers} if bench.takes("headers") else {}
    provider = await limited(bench, **hook)
    bench.server.serve(of_records({"content": "x"}))
    await bench.call(provider, controller=AbortController()).rest()
    await gone(bench, kept, [False for _ in kept])
