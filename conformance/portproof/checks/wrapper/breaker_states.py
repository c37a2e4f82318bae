"""Which calls a circuit breaker lets through while no time passes: closed, then open."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from portproof.benches.views import view
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.circuits import EIGHTH_MS, Circuit, Puppet, Way, down, ways
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.strategies import provider_errors, responses


@check("RES-BREAKER-PASSES-WHEN-CLOSED", outcomes=st.lists(responses() | provider_errors(), max_size=5), way=ways())
async def a_closed_circuit_hands_every_outcome_on(bench: WrapperBench, outcomes: list[Any], way: Way) -> None:
    circuit = await Circuit.around(bench, failures=9)
    in_a_row = 0
    for number, step in enumerate([bench.response(), down(), *outcomes]):
        fails = isinstance(step, Exception)
        in_a_row = in_a_row + 1 if fails else 0
        if in_a_row == circuit.threshold:
            break
        called = await circuit.call(step, way)
        expect(called.admitted, "a call did not reach the inner provider while the circuit was closed", call=number)
        if fails:
            expect(called.outcome.error is step, "the caller got another error", raised=called.outcome.error)
            continue
        expect_equal(called.outcome.error, None, "what was raised by a call that succeeded inside")
        last = called.outcome.chunks[-1] if called.outcome.chunks else None
        got = called.outcome.response if last is None else view(last, "response")
        expect_equal(got, step, "the response")


@check("RES-BREAKER-OPENS-AT-THRESHOLD", failure_threshold=st.integers(1, 6))
async def the_threshold_opens_the_circuit(bench: WrapperBench, failure_threshold: int) -> None:
    circuit = await Circuit.around(bench, failures=failure_threshold)
    for number in range(1, failure_threshold + 1):
        expect(await circuit.fails(), "a call was rejected too early", call=number)
    rejected = await circuit.call(bench.response())
    expect(not rejected.admitted, "the inner provider was called after the threshold was reached")
    expect(rejected.outcome.error is not None, "a call was neither made nor rejected", got=rejected.outcome.response)


@check("RES-BREAKER-CONSECUTIVE", failures_between_successes=st.lists(st.integers(0, 3), min_size=2, max_size=6))
async def a_success_resets_the_count(bench: WrapperBench, failures_between_successes: list[int]) -> None:
    circuit = await Circuit.around(bench, failures=max(failures_between_successes) + 1)
    for position, failures in enumerate(failures_between_successes):
        admitted = [await circuit.fails() for _ in range(failures)] + [await circuit.succeeds()]
        expect(all(admitted), "a call was rejected without so many failures in a row", run=position, admitted=admitted)


@check("RES-BREAKER-OPEN-DOES-NOT-CALL", calls=st.lists(ways(), min_size=25, max_size=40))
async def an_open_circuit_calls_nothing(bench: WrapperBench, calls: list[Way]) -> None:
    circuit = await Circuit.around(bench)
    await circuit.trip()
    for number, way in enumerate(calls, 1):
        expect(not await circuit.succeeds(way), "the inner provider was called while the circuit was open", call=number)


@check("RES-BREAKER-STATE-PER-INSTANCE", failures=st.integers(2, 4), same_object=st.booleans())
async def breakers_share_nothing(bench: WrapperBench, failures: int, same_object: bool) -> None:
    first = await Circuit.around(bench, failures=failures, inner=Puppet(name="shared"))
    inner = first.inner if same_object else Puppet(name="shared")
    second = await Circuit.around(bench, failures=failures, inner=inner)
    await first.trip()
    for number in range(1, second.threshold):
        expect(await second.fails(), "a breaker rejects because another one is open", call=number)
    expect(await second.succeeds(), "failures of another breaker count", after_own_failures=second.threshold - 1)


@check("RES-BREAKER-STATE-SHARED-BY-METHODS", failures=st.integers(2, 5), first=ways())
async def both_methods_share_the_state(bench: WrapperBench, failures: int, first: Way) -> None:
    circuit = await Circuit.around(bench, failures=failures)
    order: tuple[Way, Way] = ("complete", "stream") if first == "complete" else ("stream", "complete")
    for number in range(circuit.threshold):
        await circuit.fails(order[number % 2])
    for way in order:
        expect(
            not await circuit.succeeds(way),
            f"{way} was admitted after so many failures of complete and stream together as open the circuit",
            failures=circuit.threshold,
        )


@check("RES-BREAKER-DEFAULTS")
async def the_default_numbers(bench: WrapperBench) -> None:
    stated = sorted({"failure_threshold", "cooldown_ms", "half_open_success_threshold"} & set(bench.subject.options))
    if stated:
        raise NotTested(f"the breaker is built with {', '.join(stated)} as --adapter-option, not by default")
    for successes in (1, 2):
        circuit = await Circuit.unconfigured(bench)
        for number in range(1, 6):
            expect(await circuit.fails(), "by default fewer than five failures open the circuit", failure=number)
        expect(not await circuit.succeeds(), "by default five failures do not open the circuit")
        if not circuit.has_time:
            return
        circuit.wait(30 - EIGHTH_MS / 1000)
        expect(not await circuit.succeeds(), "the default cooldown is shorter than 30 000 ms")
        circuit.wait(EIGHTH_MS / 500)
        for _ in range(successes):
            expect(await circuit.succeeds(), "the default cooldown is longer than 30 000 ms")
        await circuit.fails()
        closed = await circuit.succeeds()
        expect(closed == (successes == 2), "by default it is not two probe successes that close", successes=successes)
