"""What a provider is called, and that it can be called as the contract says."""

from __future__ import annotations

from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal


@check("PRV-NAME-NONEMPTY", any_answer=True)
async def name_is_a_non_empty_string_that_stays(bench: ProviderBench) -> None:
    before = bench.driver.member("name")
    expect(isinstance(before, str) and before, "name is not a non-empty string", name=before)
    for way in bench.ways:
        await bench.attempt(way)
        expect_equal(bench.driver.member("name"), before, f"name after a {way} call")
