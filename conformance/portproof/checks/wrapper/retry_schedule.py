"""How long a retry wrapper waits."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import ProviderError
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal


@check(
    "RES-RETRY-SCHEDULE",
    initial=st.integers(1, 500),
    factor=st.sampled_from([1, 1.5, 2, 3]),
    cap=st.integers(1, 5000),
    failures=st.integers(1, 6),
)
async def waits_grow_by_the_factor_up_to_the_cap(
    bench: WrapperBench, initial: int, factor: float, cap: int, failures: int
) -> None:
    inner, hooks = bench.inner(ProviderError("down", status=503)), bench.hooks()
    capped = cap if bench.takes("max_delay_ms") else 10_000
    wrapper = await bench.wrap(
        inner, max_attempts=failures + 1, initial_delay_ms=initial, backoff_factor=factor, max_delay_ms=cap
    )
    await bench.attempt(wrapper, hooks=hooks)
    waits = bench.waits_ms(inner, hooks)
    expected = [min(capped, initial * factor**n) for n in range(len(waits))]
    expect_equal([round(w, 2) for w in waits], [round(w, 2) for w in expected], "the waits in milliseconds")
