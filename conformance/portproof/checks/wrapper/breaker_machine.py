"""A circuit breaker against the model of its states."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.breaker_model import CircuitModel, Step, Wait, counts, perform, step_lists
from portproof.checks.wrapper.circuits import EIGHTH_MS, Circuit
from portproof.running.outcome import expect_equal


@check(
    "RES-BREAKER-STATE-MACHINE",
    failure_threshold=st.integers(1, 3),
    cooldown_eighths=st.integers(1, 2),
    half_open_success_threshold=st.integers(1, 2),
    steps=step_lists(),
)
async def calls_are_admitted_as_the_table_says(
    bench: WrapperBench,
    failure_threshold: int,
    cooldown_eighths: int,
    half_open_success_threshold: int,
    steps: list[Step],
) -> None:
    circuit = await Circuit.around(
        bench,
        failures=failure_threshold,
        eighths=cooldown_eighths,
        probes=half_open_success_threshold,
        should_count=counts,
    )
    model = CircuitModel(failure_threshold, cooldown_eighths * EIGHTH_MS, half_open_success_threshold)
    for number, step in enumerate(steps, 1):
        if isinstance(step, Wait):
            circuit.wait(step.wait_ms / 1000)
            model.wait(step.wait_ms)
            continue
        state = model.state
        admitted, _ = model.call(step.outcome)
        actual = (await perform(circuit, step)).admitted
        expect_equal(actual, admitted, f"whether the call of step {number} is admitted", state_before=state)
