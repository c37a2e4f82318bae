"""Refusals say nothing but their status, and break nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from portproof.benches.relay.answers import Answer
from portproof.benches.relay.bench import MINIMAL, RelayBench
from portproof.benches.relay.in_process import AppBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal


def _refused(bench: RelayBench) -> list[tuple[int, Any, dict[str, Any]]]:
    """Status, body and sending of requests that are refused."""
    oversized = [b" " * 2**16] * (bench.limit // 2**16 + 1)
    return [(401, MINIMAL, {"token": "wrong"}), (400, b"{", {}), (400, {"messages": 1}, {}), (413, oversized, {})]


async def _refusals(bench: RelayBench) -> AsyncIterator[Answer]:
    """The answers to requests that are refused, each for another reason."""
    for status, body, sending in _refused(bench):
        answer = await bench.post(body, **sending)
        if not bench.is_lost(answer, body):
            expect_equal(answer.status, status, "the status")
        yield answer
    if isinstance(bench, AppBench):
        bench.provider.refusal = RuntimeError("cannot be constructed")
        answer = await bench.post(MINIMAL)
        bench.provider.refusal = None
        expect_equal(answer.status, 502, "the status")
        yield answer


@check("RLY-REFUSAL-EMPTY")
async def a_refusal_has_no_body(bench: RelayBench) -> None:
    async for answer in _refusals(bench):
        expect_equal(answer.body, b"", f"the body of a {answer.status}")


@check("RLY-REFUSAL-RECOVERS")
async def a_refusal_leaves_the_relay_as_it_was(bench: RelayBench) -> None:
    async with bench.one_connection():
        async for refusal in _refusals(bench):
            answer = await bench.post(MINIMAL)
            expect_equal(answer.status, 200, f"the status of a valid request after a {refusal.status}")
            expect(answer.terminals, f"no terminal frame follows a {refusal.status}", body=answer.body)
