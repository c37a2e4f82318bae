"""What a stream does to a circuit: an early failure, a late one, an end, and a caller who leaves."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMChunk
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.circuits import Circuit, down
from portproof.probes import AtCall, Chunks, chunks_of
from portproof.running.outcome import expect
from portproof.strategies import chunk_lists, texts
from portproof.subjects.driver import aclose


@check("RES-BREAKER-STREAM-EARLY-FAILURE-COUNTS", failures=st.integers(1, 5), at_call=st.booleans())
async def streams_that_fail_at_once_open_the_circuit(bench: WrapperBench, failures: int, at_call: bool) -> None:
    circuit = await Circuit.around(bench, failures=failures)
    for _ in range(circuit.threshold):
        await circuit.call(AtCall(down()) if at_call else down(), "stream")
    rejected = await circuit.call(bench.response(), "stream")
    expect(
        not rejected.admitted and rejected.outcome.error is not None and not rejected.outcome.chunks,
        "a stream was not rejected after so many that failed before their first chunk",
        failures=circuit.threshold,
    )


@check("RES-BREAKER-STREAM-LATE-FAILURE-IGNORED", chunks=chunk_lists(min_size=1, terminal=False))
async def a_failure_after_a_chunk_changes_nothing(bench: WrapperBench, chunks: list[LLMChunk]) -> None:
    circuit = await Circuit.around(bench)

    async def fails_late() -> None:
        error = down("late")
        called = await circuit.call(Chunks(chunks, error), "stream")
        expect(called.admitted, "a stream was rejected: late failures of others count")
        expect(called.outcome.error is error, "the error of the stream did not reach the caller")

    for _ in range(circuit.threshold + 1):
        await fails_late()
    for _ in range(circuit.threshold - 1):
        expect(await circuit.fails(), "streams that failed late count as failures")
    await fails_late()
    expect(await circuit.fails(), "a stream that failed late counts as a failure")
    expect(not await circuit.succeeds(), "a stream that failed late counts as a success: it reset the count")
    if not circuit.has_time:
        return
    circuit.cool()
    for _ in range(await circuit.probes() - 1):
        await circuit.succeeds()
    await fails_late()
    expect(await circuit.fails(), "a probe that failed late opened the circuit again")
    expect(not await circuit.succeeds(), "a probe that failed late helped to close the circuit")


@check("RES-BREAKER-STREAM-SUCCESS", content=texts(min_size=0, max_size=12))
async def a_stream_read_to_its_end_is_a_success(bench: WrapperBench, content: str) -> None:
    chunks = chunks_of(bench.response(content))
    await _expect_successes(await Circuit.around(bench), Chunks(chunks), None, "a stream read to its end")


@check("RES-BREAKER-STREAM-SUCCESS-AT-DONE", content=texts(min_size=0, max_size=12))
async def a_stream_left_at_its_terminal_chunk_is_a_success(bench: WrapperBench, content: str) -> None:
    circuit, chunks = await Circuit.around(bench), chunks_of(bench.response(content))
    await _expect_successes(circuit, Chunks(chunks), len(chunks), "a stream closed after its terminal chunk")


async def _expect_successes(circuit: Circuit, step: Chunks, take: int | None, what: str) -> None:
    """Such a stream resets the failures of a closed circuit, and counts as one probe of a half-open one."""
    for _ in range(circuit.threshold - 1):
        await circuit.fails()
    await circuit.call(step, "stream", take=take)
    for _ in range(circuit.threshold - 1):
        await circuit.fails()
    expect(await circuit.succeeds(), f"{what} does not reset the count of failures")
    if not circuit.has_time:
        return
    probes = await circuit.probes()
    await circuit.half_open()
    for _ in range(probes - 1):
        await circuit.call(step, "stream", take=take)
    await circuit.fails()
    expect(not await circuit.succeeds(), f"{what} counts as more than one probe", probes_needed=probes)
    circuit.cool()
    for _ in range(probes):
        await circuit.call(step, "stream", take=take)
    for _ in range(circuit.threshold - 1):
        await circuit.fails()
    expect(await circuit.succeeds(), f"{what} does not count as a probe", probes_needed=probes)


@check("RES-BREAKER-STREAM-ABANDONED-NEUTRAL", taken=st.integers(0, 2))
async def a_stream_that_was_left_counts_neither_way(bench: WrapperBench, taken: int) -> None:
    circuit = await Circuit.around(bench)
    for _ in range(circuit.threshold + 1):
        await _leave(circuit, taken)
    for _ in range(circuit.threshold - 1):
        expect(await circuit.fails(), "streams that the caller left count as failures")
    await _leave(circuit, taken)
    expect(await circuit.fails(), "a stream that the caller left counts as a failure")
    expect(not await circuit.succeeds(), "a stream that the caller left counts as a success: it reset the count")
    if not circuit.has_time:
        return
    circuit.cool()
    for _ in range(await circuit.probes() - 1):
        await circuit.succeeds()
    await _leave(circuit, taken)
    expect(await circuit.fails(), "a probe that the caller left opened the circuit again")
    expect(not await circuit.succeeds(), "a probe that the caller left helped to close the circuit")


async def _leave(circuit: Circuit, taken: int) -> None:
    """Close a stream after so many of its chunks, none of them the terminal one."""
    bench = circuit.bench
    step = Chunks(chunks_of(bench.response("three pieces!")))
    if taken:
        await circuit.call(step, "stream", take=taken)
        return
    circuit.inner.next = step
    await aclose(await circuit.breaker.open_stream(bench.request()))


@check("RES-BREAKER-STREAM-REJECTED-WHEN-OPEN", streams=st.integers(1, 5))
async def an_open_circuit_starts_no_stream(bench: WrapperBench, streams: int) -> None:
    circuit = await Circuit.around(bench)
    await _expect_decided_when_iterated(circuit)
    for _ in range(streams):
        rejected = await circuit.call(bench.response(), "stream")
        expect(not rejected.admitted, "a stream was started inside while the circuit was open")
        expect(rejected.outcome.error is not None, "iterating a stream of an open circuit raises nothing")
        expect(not rejected.outcome.chunks, "a stream of an open circuit yields chunks")


async def _expect_decided_when_iterated(circuit: Circuit) -> None:
    """Trip the circuit while a stream is at hand that nothing was read from yet: it is rejected all the same."""
    opened: Any = await circuit.breaker.open_stream(circuit.bench.request())
    await circuit.trip()
    circuit.inner.next = circuit.bench.response()
    before, got, raised = len(circuit.inner.calls), None, None
    try:
        got = await anext(opened, None)
    except Exception as error:
        raised = error
    await aclose(opened)
    expect(
        raised is not None and len(circuit.inner.calls) == before,
        "a stream that was made while the circuit was closed is not rejected when it is first read while open",
        got=got,
        raised=raised,
    )
