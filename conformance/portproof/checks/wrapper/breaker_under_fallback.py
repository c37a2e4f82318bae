"""A circuit breaker as one side of a fallback."""

from __future__ import annotations

from agentports.resilience import with_circuit_breaker, with_fallback
from portproof.benches.views import view
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.circuits import Circuit, Puppet, down
from portproof.checks.wrapper.pairs import need_two
from portproof.running.outcome import expect, expect_equal
from portproof.subjects.driver import Driver

_CALLS = 100


@check("RES-STACK-BREAKER-UNDER-FALLBACK")
async def the_fallback_serves_while_the_circuit_is_open(bench: WrapperBench) -> None:
    broken, failures = Puppet(name="broken"), 1
    if bench.subject.kind == "fallback":
        need_two(bench)
        breaker = with_circuit_breaker(broken, failure_threshold=failures, clock=bench.time.clock)
        pair = await bench.wrap(breaker, bench.spare)
    else:
        circuit = await Circuit.around(bench, inner=broken)
        failures = circuit.threshold
        pair = Driver(with_fallback(circuit.breaker.provider, bench.spare))
    broken.next = down()
    for _ in range(failures):
        await bench.attempt(pair)
    before = len(broken.calls)
    for number in range(_CALLS):
        way = "stream" if number % 2 and pair.can_stream else "complete"
        outcome = await bench.call(way, pair)
        expect(len(broken.calls) == before, "the broken side was called while its circuit was open", call=number)
        expect(outcome.error is None, "the pair failed although its fallback is healthy", raised=outcome.error)
        response = view(outcome.chunks[-1], "response") if outcome.chunks else outcome.response
        expect_equal(view(response, "content"), "from the spare", "the content of the answer")
