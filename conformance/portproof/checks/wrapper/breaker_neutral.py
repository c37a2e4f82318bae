"""What counts neither as failure nor as success: aborts, cancellations, and failures that `should_count` refuses."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import ProviderError
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.aborts import AbortForm, abort_forms, abort_of
from portproof.checks.wrapper.breaker_model import Call, Step, Wait, counts, perform, step_lists
from portproof.checks.wrapper.circuits import Circuit, Way, ways
from portproof.checks.wrapper.under_way import give_up
from portproof.probes import HANG
from portproof.running.outcome import expect, expect_equal


@check("RES-BREAKER-ABORT-NOT-COUNTED", form=abort_forms(), way=ways())
async def aborts_count_nowhere(bench: WrapperBench, form: AbortForm, way: Way) -> None:
    circuit = await Circuit.around(bench)
    for _ in range(circuit.threshold + 1):
        await _abort(circuit, form, way)
    for _ in range(circuit.threshold - 1):
        expect(await circuit.fails(), "aborted calls count as failures")
    await _abort(circuit, form, way)
    expect(await circuit.fails(), "an aborted call counts as a failure")
    expect(not await circuit.succeeds(), "an aborted call counts as a success: it reset the count of failures")
    if not circuit.has_time:
        return
    circuit.cool()
    for _ in range(await circuit.probes()):
        await _abort(circuit, form, way)
    expect(await circuit.fails(), "an aborted probe counts as a failure: it opened the circuit again")
    expect(not await circuit.succeeds(), "aborted probes count as successes: they closed the circuit")


async def _abort(circuit: Circuit, form: AbortForm, way: Way) -> None:
    if form == "cancellation":
        await give_up(await circuit.begin(HANG, way))
    else:
        await circuit.call(abort_of(form), way)


@check("RES-BREAKER-UNCOUNTED-CHANGES-NOTHING", steps=step_lists(), status=st.sampled_from([400, 404, 422]))
async def refused_failures_change_nothing(bench: WrapperBench, steps: list[Step], status: int) -> None:
    await _expect_no_success(await Circuit.around(bench), ProviderError("refused", status=status))
    counted = [step for step in steps if not (isinstance(step, Call) and step.outcome == "uncounted failure")]
    expect_equal(
        await _decisions(bench, steps),
        await _decisions(bench, counted),
        "which calls, a last one added, are admitted, compared with the same steps without uncounted failures",
    )


async def _expect_no_success(circuit: Circuit, error: ProviderError) -> None:
    """By the policy of its own a breaker may count this failure or not: it takes it for a success in neither case."""
    for _ in range(circuit.threshold - 1):
        await circuit.fails()
    await circuit.call(error)
    await circuit.fails()
    expect(not await circuit.succeeds(), "a failure that does not count reset the count of failures", failure=error)
    if not circuit.has_time:
        return
    circuit.cool()
    for _ in range(await circuit.probes()):
        await circuit.call(error)
    await circuit.fails()
    expect(not await circuit.succeeds(), "failures that do not count closed the half-open circuit", failure=error)


async def _decisions(bench: WrapperBench, steps: list[Step]) -> list[bool]:
    circuit = await Circuit.around(bench, failures=2, eighths=2, should_count=counts)
    decisions = []
    for step in [*steps, Call("success", "complete")]:
        if isinstance(step, Wait):
            if circuit.has_time:
                circuit.wait(step.wait_ms / 1000)
            continue
        admitted = (await perform(circuit, step)).admitted
        if step.outcome != "uncounted failure":
            decisions.append(admitted)
    return decisions
