"""Every other failure: its status and text, errors that are told once, and cancellations that are none."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from agentports.ports import LLMRequest, OutputFormat, ThinkingIntent
from agentports.sim import Answer, Disconnect, Hang, Play, Reply, Turn, wire_named
from portproof.benches.classifier import OVERFLOW_CODE
from portproof.benches.failures import chained, is_abort
from portproof.benches.overflows import overflow_phrase
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.refusals import refusal
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.strategies import markers

_STATUSES = (401, 404, 429, 500, 503)


@check("ERR-STATUS-ON-GENERIC", at_most=3, words=st.lists(markers(), min_size=1, max_size=3))
async def status_name_and_words_are_kept(bench: ProviderBench, words: list[str]) -> None:
    said, name = " ".join(words), str(bench.driver.member("name"))
    for status in _STATUSES:
        bench.play(refusal(said, status))
        for way in bench.ways:
            error = await bench.error(way)
            expect_equal(view(error, "status"), status, f"status of the error ({way})", raised=error)
            expect(said in str(error), f"the message does not hold the vendor's words ({way})", said=said, raised=error)
            named = name.lower() in str(error).lower()
            expect(named, f"the message does not name the adapter {name!r} ({way})", raised=error)


# ---- told once

_A_REFUSAL = "a refusal"
_OWN_CODES = (
    OVERFLOW_CODE,
    "ERR_UNSUPPORTED_THINKING",
    "ERR_UNSUPPORTED_TOOL_CHOICE",
    "ERR_UNSUPPORTED_NATIVE_OUTPUT",
)


@check("ERR-GENERIC-NOT-REWRAPPED")
async def an_error_of_the_adapter_is_not_wrapped_again(bench: ProviderBench) -> None:
    for what, answer in _failures(bench).items():
        bench.play(answer)
        await _expect_told_once(bench, what, bench.request())
    bench.play(Turn.of("fine"))
    for what, request in _demands(bench).items():
        await _expect_told_once(bench, what, request)


def _failures(bench: ProviderBench) -> dict[str, Answer]:
    return {
        "an overflow": refusal(overflow_phrase(bench)),
        _A_REFUSAL: refusal("It did not work.", 429),
        "a body that is no JSON": Reply(steps=(b"{",)),
        "an answer that breaks off": Play(Turn.of("one two"), edit=lambda events: [events[0], Disconnect()]),
    }


def _demands(bench: ProviderBench) -> dict[str, LLMRequest]:
    return {
        "thinking": bench.request(thinking=ThinkingIntent(budget=2048)),
        "an output format": bench.request(output_format=OutputFormat(schema={"type": "object"})),
    }


async def _expect_told_once(bench: ProviderBench, what: str, request: LLMRequest) -> None:
    for way in bench.ways:
        error = await bench.error(way, request) if what == _A_REFUSAL else (await bench.attempt(way, request)).error
        if error is None:
            continue
        lost = [
            code for one in chained(error) if (code := view(one, "code")) in _OWN_CODES and code != view(error, "code")
        ]
        expect(not lost, f"the error of {what} was wrapped again and lost its code ({way})", lost=lost, raised=error)
        prefix = _prefix(str(error), str(bench.driver.member("name")))
        once = prefix is None or str(error).count(prefix) == 1
        expect(once, f"the error of {what} names the adapter in front more than once ({way})", raised=error)


def _prefix(message: str, name: str) -> str | None:
    """The name in front of a message with the brackets or the colon around it; None where it stands otherwise."""
    found = re.match(rf"\W*{re.escape(name)}\s*[^\w\s.]\s*", message)
    return found and found[0]


# ---- cancellation


@check("ERR-CANCEL-PASSES")
async def a_cancellation_is_no_failure(bench: ProviderBench) -> None:
    for way in bench.ways:
        controller = bench.controller()
        controller.abort()
        error = await bench.error(way, bench.request(signal=controller.signal))
        expect(is_abort(error, controller.signal), f"an aborted request raises another error ({way})", raised=error)
        if not bench.subject.synchronous:
            await _expect_abort(bench, way)
            await _expect_cancellation(bench, way)


async def _expect_abort(bench: ProviderBench, way: Way) -> None:
    controller = bench.controller()
    async with _in_the_overflow(bench, way, bench.request(signal=controller.signal)) as call:
        controller.abort()
        error = await _end(bench, call, f"its signal was aborted ({way})")
    passed = call.cancelled() or is_abort(error, controller.signal)
    expect(passed, f"an abort on the way becomes another error ({way})", raised=error)


async def _expect_cancellation(bench: ProviderBench, way: Way) -> None:
    async with _in_the_overflow(bench, way, bench.request()) as call:
        call.cancel()
        error = await _end(bench, call, f"its task was cancelled ({way})")
    passed = call.cancelled() or (error is not None and is_abort(error, None))
    expect(passed, f"a cancellation becomes another error ({way})", raised=error)


@asynccontextmanager
async def _in_the_overflow(
    bench: ProviderBench, way: Way, request: LLMRequest
) -> AsyncIterator[asyncio.Task[BaseException | None]]:
    """The call while the vendor holds back the second half of an overflow."""
    whole = wire_named(bench.dialect.name).error(refusal(overflow_phrase(bench)))
    body = whole.plain or b""
    bench.play(replace(whole, steps=(body[: len(body) // 2], Hang())))
    bench.forget()
    call = asyncio.create_task(_error(bench, way, request))
    try:
        await bench.settled(lambda: bench.requests or call.done(), within=bench.deadline / 2)
        await asyncio.sleep(0.005)
        yield call
    finally:
        call.cancel()
        await asyncio.wait({call}, timeout=0.1)


async def _error(bench: ProviderBench, way: Way, request: LLMRequest) -> BaseException | None:
    return (await bench.attempt(way, request)).error


async def _end(bench: ProviderBench, call: asyncio.Task[BaseException | None], since: str) -> Any:
    await asyncio.wait({call}, timeout=bench.deadline / 2)
    if not call.done():
        raise Violation(f"the call goes on although {since}")
    return None if call.cancelled() else call.result()
