"""The caller's hooks go inward."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.probes import Says
from portproof.running.outcome import expect_equal
from portproof.strategies import reports

Report = dict[str, Any]


@check("WRP-HOOKS-FORWARDED", made=st.lists(reports(), min_size=1, max_size=4))
async def complete_hands_the_hooks_inward(bench: WrapperBench, made: list[Report]) -> None:
    inner = bench.inner(Says([("on_resilience", report) for report in made], bench.response()))
    hooks = bench.hooks()
    await bench.complete(await bench.around(inner), hooks=hooks)
    received = [report for report in hooks.reports if str(report.get("kind")).startswith("inner-")]
    expect_equal(received, made, "what reached the caller's hooks")
