"""What the vendor counted, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from agentports.sim import TokenCounts, Turn
from portproof.benches.provider import ProviderBench
from portproof.benches.thinking import thinking_request
from portproof.benches.truth import expect_usage
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect_equal
from portproof.strategies import turns

_OPTIONAL = ("cache_read", "cache_write", "thinking")
_COUNT = st.integers(0, 1_000_000)
_DETAIL = st.sampled_from([None, 0])


@check("PRV-USAGE-REPORTED", counts=st.builds(TokenCounts, _COUNT, _COUNT, _DETAIL, _DETAIL, _DETAIL))
async def input_and_output_are_the_vendors_counts(bench: ProviderBench, counts: TokenCounts) -> None:
    bench.play(Turn.of("Counted.", counts=counts))
    for way in bench.ways:
        expect_usage(bench, await bench.ask(way), counts, way)


@check("PRV-USAGE-NEVER-ESTIMATED", turn=turns())
async def usage_that_was_not_reported_is_zero_and_the_rest_absent(bench: ProviderBench, turn: Turn) -> None:
    bench.play(replace(turn, counts=None))
    for way in bench.ways:
        usage = (await bench.ask(way)).usage
        expect_equal((usage.input, usage.output), (0, 0), f"usage.input and usage.output ({way})")
        expect_equal(_some(usage, _OPTIONAL), dict.fromkeys(_OPTIONAL), f"the optional counts ({way})")


@check("PRV-USAGE-ABSENT-STAYS-ABSENT", stated=st.none() | st.sampled_from(_OPTIONAL), count=st.integers(0, 9))
async def a_count_that_was_left_out_is_absent(bench: ProviderBench, stated: str | None, count: int) -> None:
    left_out = [name for name in bench.dialect.optional_counts if name != stated] or bench.dialect.optional_counts
    if not left_out:
        raise NotApplicable("the vendor always sends every optional count")
    always = {name: 0 for name in _OPTIONAL if name not in left_out}
    counts = replace(TokenCounts(20, 20, **always), **({stated: count} if stated in always else {}))
    bench.play(Turn.of("Counted.", counts=counts))
    for way in bench.ways:
        usage = (await bench.ask(way)).usage
        expect_equal(_some(usage, left_out), dict.fromkeys(left_out), f"what the vendor left out ({way})")


@check("PRV-USAGE-ZERO-KEPT")
async def a_reported_zero_is_zero(bench: ProviderBench) -> None:
    carried = set(bench.dialect.carried_counts)
    bench.play(Turn.of("Counted.", counts=TokenCounts(20, 20, **dict.fromkeys(carried, 0))))
    for way in bench.ways:
        usage = (await bench.ask(way, thinking_request(bench))).usage
        expected = 0 if bench.dialect.reports_usage(bench.last) else None
        expect_equal(_some(usage, carried), dict.fromkeys(carried, expected), f"what the vendor reported as 0 ({way})")


def _some(usage: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(usage, name) for name in names}
