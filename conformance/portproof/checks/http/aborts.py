"""What an abort comes to: when it takes effect, and what it carries."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import AbortController
from agentports.ports.http import ProviderAbortError, ProviderResult
from agentports.sim import Gate, Hang, Reply
from portproof.benches.http.bench import HttpBench
from portproof.benches.http.calls import Call
from portproof.benches.http.data import data_of, is_abort, is_failure
from portproof.benches.http.journal import SeamFailure
from portproof.benches.http.script import line, lines
from portproof.benches.http.server import holding, pieces, refusing
from portproof.benches.http.truth import assembled
from portproof.benches.views import view
from portproof.checks.http.deadlines import TIMEOUT, limited
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.http import pieces_of_tagged, records

Made = list[dict[str, Any]]
_SAID = line({"content": "said"})
_SILENT = Reply(head=False, steps=(Hang(),))
_BY = st.sampled_from(["caller", "deadline"])


async def _stopped(bench: HttpBench, made: Made) -> Call:
    """A call that is aborted when these records have been read and the server is silent."""
    bench.server.serve(holding(lines(made)))
    call = bench.call(await bench.provider())
    await bench.caught_up(call, len(made))
    call.controller.abort()
    await call.rest()
    return call


@check("HTTP-ABORT-PARTIAL", made=records(max_size=3), texts=pieces_of_tagged())
async def the_partial_is_all_that_has_come(bench: HttpBench, made: Made, texts: list[str]) -> None:
    told = [*made, *({"content": text} for text in texts)]
    call = await _stopped(bench, told)
    expect_equal(call.outcome.partial, assembled(told), "the partial")


@check("HTTP-ABORT-PARTIAL-CLEAN", made=records(max_size=2), implied=st.booleans())
async def the_partial_has_no_empty_member(bench: HttpBench, made: Made, implied: bool) -> None:
    told = [*made, {"content": "</think>answer"}] if implied else made
    error = (await _stopped(bench, told)).outcome.abort
    partial = data_of(view(error, "partial"))
    expect_equal(sorted(partial), sorted(assembled(told)), "the members of the partial")
    expect_equal(partial.get("content"), assembled(told)["content"], "the content of the partial")


async def _ended_by(bench: HttpBench, by: str, reply: Reply, count: int) -> Call:
    by = by if bench.takes("sleep", "timeout") else "caller"
    provider = await limited(bench) if by == "deadline" else await bench.provider()
    bench.server.serve(reply)
    call = bench.call(provider)
    await call.hear("said" * count)
    async with bench.waiting(call, lambda: bench.server.seen):
        if by == "deadline":
            await bench.time.advance(TIMEOUT + 1)
        else:
            call.controller.abort()
    expect(is_abort(call.outcome.error), f"{call.outcome.told}, where a ProviderAbortError is due")
    return call


@check("HTTP-ABORT-STALLED", by=_BY, count=st.integers(0, 2))
async def a_silent_server_does_not_hold_an_aborted_call(bench: HttpBench, by: str, count: int) -> None:
    call = await _ended_by(bench, by, holding(*[_SAID] * count), count)
    expect_equal(call.outcome.partial, {"content": "said" * count}, "the partial")
    await bench.closes("after the abort")


@check("HTTP-ABORT-CONNECT", by=_BY)
async def a_server_that_does_not_answer_does_not_hold_the_call(bench: HttpBench, by: str) -> None:
    call = await _ended_by(bench, by, _SILENT, 0)
    expect_equal(call.outcome.partial, {"content": ""}, "the partial")
    await bench.closes("after the abort")


@check("HTTP-ABORT-NO-MORE-DELTAS", count=st.integers(2, 4), both=st.booleans())
async def after_an_abort_nothing_more_is_yielded(bench: HttpBench, count: int, both: bool) -> None:
    made = [{"content": "said", **({"thinking": "thought"} if both else {})} for _ in range(count)]
    bench.server.serve(pieces(lines(made)))
    call = bench.call(await bench.provider())
    await call.take()
    call.controller.abort()
    outcome = await call.rest()
    expect_equal(len(outcome.items), 1, "items of a call that was aborted after its first")
    expect(outcome.abort, "no abort")


@check("HTTP-ABORT-CODE")
async def aborts_and_failures_are_told_apart(bench: HttpBench) -> None:
    aborted = (await _ended_by(bench, "caller", holding(_SAID), 1)).outcome.abort
    bench.server.serve(refusing(500, b"oh"))
    failed = (await bench.drained(await bench.provider())).failure
    expect_equal(view(aborted, "code"), "ABORT", "the code of an abort")
    expect(not is_failure(aborted) and not isinstance(aborted, type(failed)), "an abort is a ProviderError")
    expect(not is_abort(failed) and not isinstance(failed, type(aborted)), "a ProviderError is an abort")


@check("HTTP-ABORT-CAUSE")
async def what_fails_under_an_abort_is_its_cause(bench: HttpBench) -> None:
    failure, controller = SeamFailure("broken"), AbortController()

    def during(seam: str, value: Any) -> None:
        if seam == "read":
            controller.abort()
            raise failure

    bench.journal.during = during
    bench.server.serve(holding(_SAID))
    outcome = await bench.drained(await bench.provider(), controller=controller)
    expect(view(outcome.abort, "cause") is failure, "the cause is not what the decoder raised", cause=outcome.error)


@check("HTTP-ABORT-CAUSE-NONE", by=_BY, place=st.sampled_from(["connect", "read", "inside"]))
async def an_abort_alone_has_no_cause(bench: HttpBench, by: str, place: str) -> None:
    if place == "inside" and bench.shows_seams:
        controller = AbortController()
        bench.journal.during = lambda seam, value: controller.abort() if seam == "read" else None
        bench.server.serve(holding(_SAID))
        error = (await bench.drained(await bench.provider(), controller=controller)).abort
    else:
        told = (_SILENT, 0) if place == "connect" else (holding(_SAID), 1)
        error = (await _ended_by(bench, by, *told)).outcome.abort
    cause = view(error, "cause")
    expect(cause is None, "an abort that nothing else happened in has a cause", cause=cause)


@check("HTTP-ABORT-REASON-FOREIGN")
async def an_abort_that_is_the_reason_is_not_reused(bench: HttpBench) -> None:
    reason = ProviderAbortError(ProviderResult(content="of another call"))
    bench.server.serve(holding(_SAID))
    call = bench.call(await bench.provider())
    await call.take()
    call.controller.abort(reason)
    expect_equal((await call.rest()).partial, {"content": "said"}, "the partial")


@check("HTTP-REMOTE-ABORT-UNCHANGED")
async def an_abort_of_the_far_side_passes_unchanged(bench: HttpBench) -> None:
    far = ProviderAbortError(ProviderResult(content="far"))

    def during(seam: str, value: Any) -> None:
        if seam == "read" and value != {"content": "said"}:
            raise far

    bench.journal.during = during
    bench.server.serve(holding(_SAID, line({"content": "aborted"})))
    call = bench.call(await bench.provider())
    outcome = await call.rest()
    expect(outcome.error is far, f"{outcome.told}, where the decoder's own exception is due")
    expect(not call.controller.signal.aborted, "the caller's signal is aborted")
    await bench.closes("after the far side's abort")


@check("HTTP-DECODER-FAILURE-UNCHANGED", seam=st.sampled_from(["read", "parse", "finish"]), together=st.booleans())
async def what_a_seam_raises_passes_unchanged(bench: HttpBench, seam: str, together: bool) -> None:
    failure, journal, told, gate = SeamFailure("broken"), bench.journal, list[str](), Gate()

    def during(name: str, value: Any) -> None:
        told.append(str(value) if name == seam else "")
        if name == seam and (seam == "finish" or "broken" in "".join(told)):
            raise failure

    journal.during = during
    broken = line({"content": "broken"})
    # What arrives together may be parsed together.
    steps: tuple[Any, ...] = (_SAID + broken,) if together and seam == "read" else (_SAID, gate, broken)
    bench.server.serve(pieces(*steps) if seam == "finish" else holding(*steps))
    call = bench.call(await bench.provider())
    await call.take()
    gate.open()
    outcome = await call.rest()
    expect(outcome.error is failure, f"{outcome.told}, where the seam's own exception is due")
    expect_equal(outcome.deltas[:1], [("content", "said")], "the delta before")
    expect_equal(journal.cleared, [1], "parsers that were cleared")
    if seam != "finish":
        await bench.closes("after the failure")
