"""What a circuit breaker reports."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.resilience import with_fallback
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.breaker_model import CircuitModel, Step, Wait, counts, perform, step_lists
from portproof.checks.wrapper.circuits import EIGHTH_MS, Circuit, Puppet, Way, down, ways
from portproof.probes import RecordingHooks
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.strategies import markers, names
from portproof.subjects.driver import Driver

_COOLDOWN_EIGHTHS = 2


@check("RES-BREAKER-REPORTS-TRANSITIONS", steps=step_lists())
async def every_change_of_state_is_reported_once(bench: WrapperBench, steps: list[Step]) -> None:
    circuit = await Circuit.around(bench, failures=2, eighths=_COOLDOWN_EIGHTHS, should_count=counts)
    timed = circuit.has_time and circuit.cooldown_s is not None
    model = CircuitModel(circuit.threshold, _COOLDOWN_EIGHTHS * EIGHTH_MS, await circuit.probes() if timed else 1)
    for number, step in enumerate(steps, 1):
        if isinstance(step, Wait):
            if timed:
                circuit.wait(step.wait_ms / 1000)
                model.wait(step.wait_ms)
            continue
        state, hooks = model.state, bench.hooks()
        _, entered = model.call(step.outcome)
        await perform(circuit, step, hooks)
        expect_equal(_states(hooks), entered, f"the states that the call of step {number} reports", state_before=state)


@check("RES-BREAKER-REPORT-BEFORE-OUTCOME", way=ways())
async def the_report_comes_before_the_outcome(bench: WrapperBench, way: Way) -> None:
    log: list[Any] = []
    circuit = await Circuit.around(bench, failures=2, on_state_change=lambda *_: log.append("on_state_change"))
    expected = ["report", "on_state_change"] if bench.takes("on_state_change") else ["report"]
    for _ in range(circuit.threshold):
        log.clear()
        await circuit.fails(way, RecordingHooks(log=log))
    seen = ["report" if isinstance(entry, tuple) else entry for entry in log]
    expect_equal(seen, expected, "what was heard of the opening by the time the failing call ended, in order")
    fresh, hooks = await Circuit.around(bench, failures=2), bench.hooks()
    pair = Driver(with_fallback(fresh.breaker.provider, bench.spare))
    fresh.inner.next = down()
    for _ in range(fresh.threshold):
        hooks = bench.hooks()
        await bench.call(way if fresh.breaker.can_stream else "complete", pair, hooks=hooks)
    expect_equal(hooks.kinds, ["circuit-changed", "fell-back"], "the reports of the opening call under a fallback")


@check("RES-BREAKER-REPORT-REASON", marker=markers(), way=ways())
async def the_reason_is_in_its_own_words(bench: WrapperBench, marker: str, way: Way) -> None:
    circuit, hooks = await Circuit.around(bench), bench.hooks()
    for _ in range(circuit.threshold):
        await circuit.call(down(f"{marker} said the vendor"), way, hooks)
    if circuit.has_time:
        circuit.cool()
        await circuit.call(down(f"{marker} said the vendor again"), way, hooks)
        circuit.cool()
        for _ in range(await circuit.probes()):
            await circuit.succeeds(way, hooks)
    _expect_some(hooks)
    for report in _changes(hooks):
        expect(marker not in str(report.get("reason")), "a reason contains the message of an error", report=report)


@check("RES-BREAKER-REPORT-PROVIDER", named=st.lists(names(), min_size=2, max_size=2, unique=True))
async def the_report_names_the_provider_inside(bench: WrapperBench, named: list[str]) -> None:
    first, second = [await Circuit.around(bench, inner=Puppet(name=name)) for name in named]
    pair = Driver(with_fallback(first.breaker.provider, second.breaker.provider))
    first.inner.next = second.inner.next = down()
    hooks = bench.hooks()
    for _ in range(max(first.threshold, second.threshold)):
        await bench.attempt(pair, hooks=hooks)
    _expect_some(hooks)
    reported = [report.get("provider_name") for report in _changes(hooks)]
    expect_equal(reported, named, "the provider_name of the two breakers that opened")


def _changes(hooks: RecordingHooks) -> list[dict[str, Any]]:
    return [report for report in hooks.reports if report.get("kind") == "circuit-changed"]


def _states(hooks: RecordingHooks) -> list[Any]:
    return [report.get("state") for report in _changes(hooks)]


def _expect_some(hooks: RecordingHooks) -> None:
    if not _changes(hooks):
        raise NotTested("no change of state was reported")
