"""The stream alone, under a signal of the caller's."""

from __future__ import annotations

from agentports.ports import AbortController
from portproof.benches.relay.in_process import AppBench
from portproof.benches.relay.scripts import ANSWER, Fail, Hold, Say, Script, StopWith
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.running.plain import plain


@check("RLY-DISCONNECT-REASON")
async def the_upstream_signal_has_the_reason_of_the_inbound_one(bench: AppBench) -> None:
    bench.needs_inside("the upstream signal")
    if bench.subject.members["RelayStream"] is None:
        raise NotTested("neither the subject nor its module offers a RelayStream")
    reason = ValueError("a reason of its own")
    for before in (True, False):
        inbound = AbortController()
        if before:
            inbound.abort(reason)
        under_way = bench.inbound([Hold()], inbound.signal)
        await bench.quiet()
        inbound.abort(reason)
        await bench.quiet()
        signal = bench.call.signal
        expect(getattr(signal, "reason", None) is reason, "the upstream signal has another reason", got=plain(signal))
        await under_way.leave()


@check("RLY-PREABORTED")
async def the_provider_sees_a_signal_that_was_aborted_before(bench: AppBench) -> None:
    inbound = AbortController()
    inbound.abort("nobody waits")
    under_way = bench.inbound(ANSWER, inbound.signal)
    answer = await under_way.whole()
    expect(bench.call.was_aborted, "the signal was not aborted when the provider was called")
    expect_equal(answer.frames, [{"channel": "abort", "partial": {"content": ""}}], "the frames")


@check("RLY-INBOUND-ABORT-BODY")
async def an_abort_does_not_end_the_body(bench: AppBench) -> None:
    for before in ([], [Say("a")]):
        inbound = AbortController()
        under_way = bench.inbound([*before, Hold(), *ANSWER], inbound.signal)
        await under_way.lines(len(before))
        await bench.quiet()
        inbound.abort("enough")
        await bench.quiet()
        answer = under_way.answer
        expect(not answer.terminals, "a terminal frame follows the abort", body=answer.body)
        expect(not answer.is_whole, "the body comes to a proper end after the abort")
        expect(not under_way.exchange.is_over, "the application has given up the answer", raised=plain(answer.raised))
        await under_way.leave()
        await under_way.over()


@check("RLY-LISTENERS-RELEASED")
async def nothing_listens_to_the_inbound_signal_in_the_end(bench: AppBench) -> None:
    scripts: list[Script] = [ANSWER, [Say("a"), Fail()], [StopWith({"content": "a"})], [Say("a")]]
    for script in scripts:
        inbound = AbortController()
        await bench.inbound(script, inbound.signal).over()
        await _expect_none(bench, inbound, "an answer")
    held: list[Script] = [[Hold(), *ANSWER], [Say("a"), Hold(deaf=True)]]
    for script in held:
        inbound = AbortController()
        under_way = bench.inbound(script, inbound.signal)
        await bench.quiet()
        await under_way.leave()
        await under_way.over()
        await _expect_none(bench, inbound, "a disconnect")
    bench.provider.refusal = RuntimeError("refused")
    inbound = AbortController()
    await bench.inbound(ANSWER, inbound.signal).over()
    await _expect_none(bench, inbound, "502")


async def _expect_none(bench: AppBench, inbound: AbortController, what: str) -> None:
    await bench.quiet()
    expect_equal(inbound.signal.listeners, 0, f"the listeners on the inbound signal after {what}")
