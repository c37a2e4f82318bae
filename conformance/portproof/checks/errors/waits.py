"""The wait that a failure states, on the error (document 20, section 6)."""

from __future__ import annotations

import time
from dataclasses import replace
from email.utils import formatdate
from typing import Any

from hypothesis import strategies as st

from agentports.sim import Answer, Reply, VendorError, wire_named
from portproof.benches.provider import ProviderBench
from portproof.benches.refusals import refusal
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.waits import Wait, broken_delays, decimals, garbage, no_waits, numbers, waits_in_words

#: How far a wait may be off, in milliseconds: some adapters round; and those of dates, since the subject reads a clock.
_ROUNDED_MS, _CLOCK_MS = 1.0, 120_000.0
_STATUSES = st.sampled_from((429, 503, 529))


@check("ERR-RETRY-AFTER-SECONDS", at_most=6, seconds=st.integers(0, 100_000), blanks=st.booleans(), status=_STATUSES)
async def whole_seconds_become_milliseconds(bench: ProviderBench, seconds: int, blanks: bool, status: int) -> None:
    said = refusal("Slow down.", status)
    answer = _with_blanks(bench, said, str(seconds)) if blanks else _with_header(said, str(seconds))
    await _expect_wait(bench, answer, seconds * 1000, f"a Retry-After of {seconds}")


@check("ERR-RETRY-AFTER-DATE", at_most=4, minutes=st.integers(5, 600))
async def a_date_becomes_the_time_until_then(bench: ProviderBench, minutes: int) -> None:
    ahead, back = (formatdate(time.time() + sign * minutes * 60, usegmt=True) for sign in (1, -1))
    said = refusal("Slow down.", 429)
    what = f"a Retry-After of a date {minutes} minutes"
    await _expect_wait(bench, _with_header(said, ahead), minutes * 60_000, f"{what} ahead", within=_CLOCK_MS)
    await _expect_wait(bench, _with_header(said, back), 0, f"{what} ago", within=0)


@check("ERR-RETRY-AFTER-MALFORMED", at_most=4, value=garbage(), negative=st.integers(-1000, -1), decimal=decimals())
async def a_malformed_header_is_as_none(bench: ProviderBench, value: str, negative: int, decimal: Wait) -> None:
    said = refusal("Slow down.", 429)
    await _expect_as_without(bench, said, value)
    await _expect_as_without(bench, said, str(negative), 0)
    await _expect_as_without(bench, said, decimal.text, decimal.ms * 1000)


async def _expect_as_without(
    bench: ProviderBench, said: VendorError, value: str, accepted: float | None = None
) -> None:
    """The error is the same as without the header, its wait absent or, where there is one, what is accepted."""
    for way in bench.ways:
        bench.play(said)
        without = _told(await bench.error(way))
        bench.play(_with_header(said, value))
        error = await bench.error(way)
        wait = view(error, "retry_after_ms")
        right = wait is None or (accepted is not None and _near(wait, accepted, _ROUNDED_MS))
        expect(right, f"a Retry-After of {value!r} states no wait, but retry_after_ms is {wait!r} ({way})")
        expect_equal(_told(error), without, f"the error of a Retry-After of {value!r} beside the one without ({way})")


@check("ERR-RETRY-AFTER-TEXT", at_most=8, wait=waits_in_words(), nothing=no_waits(), header=st.integers(1, 10_000))
async def a_wait_in_words_counts_where_no_header_states_one(
    bench: ProviderBench, wait: Wait, nothing: str, header: int
) -> None:
    said = refusal(f"Rate limit reached. Please {wait.text}. See the documentation.", 429)
    await _expect_wait(bench, said, wait.ms, f"{wait.text!r} in the message")
    await _expect_wait(bench, _with_header(said, str(header)), header * 1000, f"{header} seconds beside {wait.text!r}")
    await _expect_wait(bench, refusal(nothing, 429), None, f"{nothing!r}, which states none")


@check("ERR-RETRY-AFTER-MS", at_most=6, ms=st.integers(0, 100_000), seconds=st.integers(0, 100), broken=garbage())
async def milliseconds_are_taken_before_seconds(bench: ProviderBench, ms: int, seconds: int, broken: str) -> None:
    alone = _with_header(refusal("Slow down.", 429), str(ms), "retry-after-ms")
    both = _with_header(alone, str(seconds))
    await _expect_wait(bench, alone, ms, f"a retry-after-ms of {ms}")
    await _expect_wait(bench, both, ms, f"a retry-after-ms of {ms} beside a Retry-After of {seconds}")
    beside = _with_header(_with_header(refusal("Slow down.", 429), broken, "retry-after-ms"), str(seconds))
    what = f"a Retry-After of {seconds} beside a retry-after-ms of {broken!r}"
    await _expect_wait(bench, beside, seconds * 1000, what)


_OTHERS: tuple[dict[str, Any], ...] = (
    {"@type": "type.googleapis.com/google.rpc.Help", "links": [{"description": "quotas", "url": "https://x.invalid"}]},
    {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": "Requests", "quotaValue": "5"}],
    },
)


@check("ERR-RETRY-INFO", at_most=6, delay=numbers(), broken=broken_delays(), order=st.permutations(range(3)))
async def a_stated_delay_counts_where_nothing_before_it_does(
    bench: ProviderBench, delay: Wait, broken: Any, order: list[int]
) -> None:
    ms = delay.ms * 1000
    good = _with_details(f"{delay.text}s", order)
    await _expect_wait(bench, good, ms, f"a retryDelay of '{delay.text}s'")
    await _expect_wait(bench, _with_header(good, "7"), 7000, "a Retry-After of 7 beside a retryDelay")
    beside = _with_details(f"{delay.text}s", order, "Please retry in 7s.")
    await _expect_wait(bench, beside, 7000, "'Please retry in 7s.' beside a retryDelay")
    await _expect_wait(bench, _with_details(broken, order), None, f"a retryDelay of {broken!r}")


def _with_details(delay: Any, order: list[int], message: str = "Quota exceeded.") -> Reply:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    details = [(info, *_OTHERS)[place] for place in order]
    error = {"code": 429, "message": message, "status": "RESOURCE_EXHAUSTED", "details": details}
    return Reply.json({"error": error}, 429)


# ---- answers and what is expected of them


def _with_header(answer: Any, value: str, name: str = "retry-after") -> Any:
    return replace(answer, headers=(*answer.headers, (name, value)))


def _with_blanks(bench: ProviderBench, said: VendorError, value: str) -> Reply:
    """The refusal with blanks around the value of its header, which no server library would write."""
    reply = wire_named(bench.dialect.name).error(said)
    body = reply.plain or b""
    framing = (("content-length", str(len(body))), ("connection", "close"))
    headers = (*reply.headers, ("retry-after", f"  {value}  "), *framing)
    lines = [f"HTTP/1.1 {said.status} Simulated", *(f"{name}: {value}" for name, value in headers), "", ""]
    return Reply(said.status, head=False, steps=("\r\n".join(lines).encode() + body,))


async def _expect_wait(
    bench: ProviderBench, answer: Answer, ms: float | None, what: str, *, within: float = _ROUNDED_MS
) -> None:
    bench.play(answer)
    for way in bench.ways:
        wait = view(await bench.error(way), "retry_after_ms")
        right = wait is None if ms is None else _near(wait, ms, within)
        expect(right, f"retry_after_ms is {wait!r} for {what}, and not {ms!r} ({way})", expected=ms, got=wait)


def _near(wait: Any, ms: float, within: float) -> bool:
    return isinstance(wait, int | float) and not isinstance(wait, bool) and abs(wait - ms) <= within


def _told(error: BaseException) -> dict[str, Any]:
    return {"class": type(error).__name__, **{name: view(error, name) for name in ("code", "status", "provider")}}
