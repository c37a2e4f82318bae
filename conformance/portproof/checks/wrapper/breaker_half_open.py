"""How an open circuit closes again: cooldown, probes, and calls that end late."""

from __future__ import annotations

from typing import Literal

from hypothesis import strategies as st

from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.circuits import EIGHTH_MS, Circuit, Way, down, ways
from portproof.checks.wrapper.under_way import give_up
from portproof.probes import HANG, Slow
from portproof.running.outcome import NotTested, expect

_EIGHTH_S = EIGHTH_MS / 1000


@check(
    "RES-BREAKER-COOLDOWN",
    cooldown_eighths=st.integers(2, 400),
    early_calls_percent=st.lists(st.integers(0, 100), max_size=4).map(sorted),
    eighths_after=st.integers(0, 3),
)
async def the_cooldown_runs_from_the_opening(
    bench: WrapperBench, cooldown_eighths: int, early_calls_percent: list[int], eighths_after: int
) -> None:
    circuit = await Circuit.around(bench, eighths=cooldown_eighths)
    await circuit.trip()
    passed = 0
    for percent in [*early_calls_percent, 100]:
        at = (cooldown_eighths - 1) * percent // 100
        circuit.wait((at - passed) * _EIGHTH_S)
        passed = at
        expect(
            not await circuit.succeeds(),
            "a call was admitted before the cooldown was over",
            cooldown_ms=cooldown_eighths * EIGHTH_MS,
            ms_since_opening=passed * EIGHTH_MS,
        )
    circuit.wait((cooldown_eighths + eighths_after - passed) * _EIGHTH_S)
    expect(
        await circuit.succeeds(),
        "a call was rejected although the cooldown since the opening is over",
        cooldown_ms=cooldown_eighths * EIGHTH_MS,
        ms_since_opening=(cooldown_eighths + eighths_after) * EIGHTH_MS,
    )


@check("RES-BREAKER-PROBES-CLOSE", half_open_success_threshold=st.integers(1, 4))
async def so_many_probes_close_the_circuit(bench: WrapperBench, half_open_success_threshold: int) -> None:
    for successes in range(half_open_success_threshold + 1):
        circuit = await Circuit.around(bench, probes=half_open_success_threshold)
        await circuit.half_open()
        for _ in range(successes):
            expect(await circuit.succeeds(), "a probe was rejected after the cooldown", probe_successes=successes)
        if successes < half_open_success_threshold:
            await circuit.fails()
            closed = await circuit.succeeds()
            expect(not closed, "the circuit closed before enough probes had succeeded", probe_successes=successes)
    for number in range(1, circuit.threshold + 1):
        expect(
            await circuit.fails(),
            "after enough probe successes the circuit does not stand a full count of failures",
            failure_threshold=circuit.threshold,
            failure=number,
        )
    expect(not await circuit.succeeds(), "once closed again, the circuit did not open at the threshold")


@check(
    "RES-BREAKER-PROBE-FAILURE-REOPENS",
    failures=st.integers(2, 5),
    cooldown_eighths=st.integers(2, 100),
    eighths_late=st.integers(0, 200),
)
async def one_failed_probe_reopens(
    bench: WrapperBench, failures: int, cooldown_eighths: int, eighths_late: int
) -> None:
    circuit = await Circuit.around(bench, failures=failures, eighths=cooldown_eighths)
    await circuit.half_open()
    circuit.wait(eighths_late * _EIGHTH_S)
    expect(await circuit.fails(), "the probe was rejected although the cooldown was over")
    expect(not await circuit.succeeds(), "a call was admitted right after a probe had failed")
    if circuit.cooldown_s is not None:
        circuit.wait(circuit.cooldown_s - _EIGHTH_S)
        expect(not await circuit.succeeds(), "the cooldown did not start anew when the probe failed")
        circuit.wait(_EIGHTH_S)
        expect(await circuit.succeeds(), "a call was rejected a whole cooldown after the failed probe")


@check("RES-BREAKER-PROBE-COUNT-RESETS", probes=st.integers(2, 4), successes_before=st.integers(1, 3))
async def every_half_open_phase_counts_from_zero(bench: WrapperBench, probes: int, successes_before: int) -> None:
    circuit = await Circuit.around(bench, probes=probes)
    await circuit.half_open()
    for _ in range(min(successes_before, probes - 1)):
        await circuit.succeeds()
    await circuit.fails()
    circuit.cool()
    for _ in range(probes - 1):
        expect(await circuit.succeeds(), "a probe was rejected after the cooldown")
    await circuit.fails()
    expect(not await circuit.succeeds(), "successes of an earlier half-open phase helped to close the circuit")


@check("RES-BREAKER-HALF-OPEN-ADMITS", hanging=ways(), way=ways())
async def a_second_probe_is_admitted(bench: WrapperBench, hanging: Way, way: Way) -> None:
    circuit = await Circuit.around(bench)
    await circuit.half_open()
    probe = await circuit.begin(HANG, hanging)
    expect(not probe.done(), "the first probe was rejected although the cooldown was over")
    admitted = await circuit.succeeds(way)
    await give_up(probe)
    expect(admitted, "a call was rejected because another probe was under way")


@check("RES-BREAKER-LATE-OUTCOME", ends=st.sampled_from(("success", "failure")), way=ways())
async def what_ends_while_open_changes_nothing(
    bench: WrapperBench, ends: Literal["success", "failure"], way: Way
) -> None:
    circuit = await Circuit.around(bench)
    straggler = await circuit.begin(Slow(4 * _EIGHTH_S, bench.response() if ends == "success" else down()), way)
    await circuit.trip()
    if await circuit.succeeds():
        raise NotTested("the circuit did not open while another call was under way")
    await straggler
    expect(not await circuit.succeeds(), f"the late {ends} of an earlier call closed the circuit")
    if circuit.cooldown_s is not None and circuit.has_time:
        circuit.wait(circuit.cooldown_s - 5 * _EIGHTH_S)
        expect(not await circuit.succeeds(), f"the late {ends} of an earlier call shortened the cooldown")
        circuit.wait(2 * _EIGHTH_S)
        expect(await circuit.succeeds(), f"the late {ends} of an earlier call prolonged the cooldown")
