"""Constructing the upstream call: once, with what was sent; and what comes of it when it fails."""

from __future__ import annotations

from typing import Any

from agentports.ports import AbortController
from portproof.benches.relay.bench import MINIMAL, RelayBench
from portproof.benches.relay.in_process import AppBench
from portproof.benches.relay.scripts import ANSWER, Fail, Hold, Say
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import markers
from portproof.strategies.relays import relay_requests


@check("RLY-CALL-ONCE", request=relay_requests())
async def a_request_is_one_call_of_the_same(bench: RelayBench, request: dict[str, Any]) -> None:
    bench.needs_upstream()
    await bench.accepts(request, "a valid request")
    expect_equal(len(bench.calls), 1, "the number of upstream calls")
    call = bench.call
    for name, given in (("tools", call.tools), ("options", call.options)):
        expect(name in request or given is None, f"{name} were not sent, but given to the provider", got=call.data)


@check("RLY-UPSTREAM-CONSTRUCT", marker=markers())
async def a_call_that_cannot_be_made_is_502(bench: AppBench, marker: str) -> None:
    bench.needs_inside("how the upstream call is constructed")
    bench.provider.refusal = RuntimeError(marker)
    answer = await bench.post(MINIMAL)
    expect_equal(answer.status, 502, "the status")
    expect_equal(answer.body, b"", "the body")
    expect(marker not in answer.text, "the answer holds the text of the failure", answer=answer.text)
    if bench.subject.members["RelayStream"] is not None:
        inbound = AbortController()
        await bench.inbound(ANSWER, inbound.signal).over()
        expect_equal(inbound.signal.listeners, 0, "the listeners that are left")


@check("RLY-UPSTREAM-FIRST-STEP")
async def a_failure_at_the_first_step_is_a_frame(bench: RelayBench) -> None:
    answer = await bench.told([Fail()])
    expect_equal([frame.get("channel") for frame in answer.frames], ["error"], "the channels of the frames")


@check("RLY-HEADERS-EARLY")
async def headers_do_not_wait_for_the_first_step(bench: RelayBench) -> None:
    bench.needs_upstream()
    under_way = await bench.open([Hold(), *ANSWER])
    answer = await under_way.headers()
    expect_equal(answer.status, 200, "the status")
    expect_equal(answer.body, b"", "the body so far")


@check("RLY-STREAMS-LIVE")
async def a_frame_does_not_wait_for_the_next_step(bench: RelayBench) -> None:
    bench.needs_upstream()
    under_way = await bench.open([Say("first"), Hold(), *ANSWER])
    await under_way.lines(1)
    expect_equal(under_way.answer.frames, [Say("first").frame], "the frames so far")
    bench.call.gate.set()
    answer = await under_way.whole()
    expect_equal(len(answer.frames), 3, "the number of frames in the end")


@check("RLY-ONE-STEP")
async def one_step_is_under_way(bench: AppBench) -> None:
    bench.needs_inside("the steps of the upstream call")
    under_way = await bench.open([Say("a"), Hold(deaf=True), Say("b"), Say("c"), *ANSWER])
    await under_way.lines(1)
    await bench.quiet()
    bench.call.gate.set()
    await under_way.whole()
    expect_equal(bench.call.most_under_way, 1, "the most steps at the same time")
