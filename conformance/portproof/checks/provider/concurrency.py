"""Many calls at once on one provider."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from hypothesis import strategies as st

from agentports.sim import (
    Pause,
    Play,
    RecordedRequest,
    Reply,
    Step,
    TokenCounts,
    ToolCall,
    Turn,
    VendorError,
    wire_named,
)
from agentports.sim.wires.base import render
from portproof.benches.provider import Attempt, ProviderBench, Way
from portproof.benches.truth import expect_calls, keeps_ids
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal

_Kind = Literal["text", "call", "error"]
_Job = tuple[Way, _Kind]
_KINDS: tuple[_Kind, ...] = ("text", "text", "call", "error")
_WAYS: tuple[Way, ...] = ("complete", "stream")
_JOBS = st.lists(st.tuples(st.sampled_from(_WAYS), st.sampled_from(_KINDS)), min_size=2, max_size=8)


@check("PRV-CONCURRENT-CALLS-ISOLATED", at_most=10, jobs=_JOBS)
async def concurrent_calls_get_their_own_answers(bench: ProviderBench, jobs: list[_Job]) -> None:
    jobs = [(way if bench.driver.can_stream else "complete", kind) for way, kind in jobs]
    turns = [_turn(number, kind) for number, (_, kind) in enumerate(jobs)]
    wire = wire_named(bench.dialect.name)

    def answer(request: RecordedRequest) -> Reply | VendorError:
        number = _number_in(request.text)
        if jobs[number][1] == "error":
            return VendorError(500, f"{_marker(number)} failed")
        return _slowly(render(wire, Play(turns[number]), request), number)

    bench.upstream.decide(answer)
    asked = [bench.attempt(way, bench.request(f"Echo {_marker(n)}.")) for n, (way, _) in enumerate(jobs)]
    for number, attempt in enumerate(await asyncio.gather(*asked)):
        _expect_own(attempt, number, jobs[number], turns[number], ids=keeps_ids(bench))


def _marker(number: int) -> str:
    return f"job-{number:03}-mark"


def _number_in(text: str) -> int:
    found = re.search(r"job-(\d{3})-mark", text)
    return int(found[1]) if found else 0


def _turn(number: int, kind: _Kind) -> Turn:
    marker = _marker(number)
    call = (ToolCall(f"c{number}", f"tool_{number}", {"echo": marker}),) if kind == "call" else ()
    counts = TokenCounts(1000 + number, 2000 + number)
    return Turn.of(f"{marker} says {marker} and {marker}", *call, counts=counts, ref=f"ref-{number}")


def _slowly(reply: Reply, number: int) -> Reply:
    """The same answer in pieces with short waits between, so that the answers to other calls come in between."""
    steps: list[Step] = []
    for position, step in enumerate(reply.steps):
        half = len(step) // 2 if isinstance(step, bytes) else 0
        pieces: Sequence[Step] = (step[:half], step[half:]) if isinstance(step, bytes) and half else (step,)
        for piece in pieces:
            steps += [piece, Pause(0.0005 * (1 + (number + position) % 3))]
    return replace(reply, steps=tuple(steps))


def _expect_own(attempt: Attempt, number: int, job: _Job, turn: Turn, *, ids: bool) -> None:
    way, kind = job
    told = f"{attempt.error!r} {attempt.error}" if attempt.error else ""
    expect((attempt.error is not None) == (kind == "error"), f"{way} call {number} got another's outcome", raised=told)
    others = sorted({int(n) for n in re.findall(r"job-(\d{3})-mark", told)} - {number})
    expect(not others, f"the error of {way} call {number} speaks of other calls", others=others)
    if kind == "error":
        return
    if attempt.streamed is not None:
        expect_equal(attempt.streamed.text, turn.text, f"the text that {way} call {number} streamed")
    response = attempt.response
    if response is None:
        return
    assert turn.counts is not None
    expect_equal(response.content, turn.text, f"the content of {way} call {number}")
    expect_calls(response, turn, f"{way} call {number}", ids=ids)
    usage = (response.usage.input, response.usage.output)
    expect(usage in ((0, 0), (turn.counts.input, turn.counts.output)), f"{way} call {number} got another's usage")
    expect(response.provider_ref in (None, turn.ref), f"{way} call {number} got another's provider_ref")
