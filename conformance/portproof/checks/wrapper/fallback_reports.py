"""What a fallback says when it falls back, and when."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import ProviderError
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.circuits import Way, ways
from portproof.checks.wrapper.pairs import Pair
from portproof.probes import report_of
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import error_messages, names, provider_errors


@check(
    "RES-FALLBACK-REPORT",
    named=st.lists(names(), min_size=2, max_size=2, unique=True),
    error=provider_errors() | st.builds(ProviderError, error_messages()),
    fallback_fails=st.booleans(),
    way=ways(),
)
async def falling_back_is_reported_first(
    bench: WrapperBench, named: list[str], error: ProviderError, fallback_fails: bool, way: Way
) -> None:
    second = ProviderError("down too") if fallback_fails else None
    pair = await Pair.around(bench, error, second, names=named)
    await pair.call(way)
    expect_equal(_told(pair), ["primary", "fell-back", "fallback"], "what happened, in order")
    report = pair.fell_back[0]
    expect_equal((report.get("primary"), report.get("fallback")), tuple(named), "the names in the report")
    expect_equal(report.get("reason"), str(error), "the reason in the report, the message of the primary's error")


@check("RES-FALLBACK-CALLBACK-ORDER", error=provider_errors(), way=ways())
async def the_callback_comes_first(bench: WrapperBench, error: ProviderError, way: Way) -> None:
    heard: list[Any] = []

    def on_fallback(*given: Any, **named: Any) -> None:
        heard.extend([*given, *named.values()])
        pair.log.append("on_fallback")

    options: dict[str, Any] = {"on_fallback": on_fallback}
    pair = await Pair.around(bench, error, **options)
    await pair.call(way)
    reports = ["fell-back"] if bench.subject.reports else []
    expect_equal(_told(pair), ["primary", "on_fallback", *reports, "fallback"], "what happened, in order")
    expect(any(given is error for given in heard), "on_fallback did not get the primary's error", got=heard)


def _told(pair: Pair) -> list[str]:
    """What happened in order: calls, reports of falling back, callbacks."""
    told = [entry if isinstance(entry, str) else str(report_of(entry[1]).get("kind")) for entry in pair.log]
    return [entry for entry in told if entry in ("primary", "on_fallback", "fell-back", "fallback")]
