"""What several checks of encodings have in common: values that must have encodings of their own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from portproof.benches.plans.encodings import EncodingBench, shown
from portproof.benches.plans.portraits import portrait
from portproof.running.outcome import expect

__all__ = ["expect_all_different", "expect_different"]


def expect_all_different(bench: EncodingBench, values: Sequence[Any]) -> None:
    """Expect that no two of these values, of the contract's classes and all different, share an encoding."""
    encoded = [(value, bench.encode(value)) for value in values]
    for (one, first), (other, second) in combinations(encoded, 2):
        expect(
            first != second,
            f"{shown(one)} and {shown(other)} have one encoding",
            encoding=first.decode("utf-8", "backslashreplace"),
        )


def expect_different(bench: EncodingBench, one: Any, other: Any) -> None:
    """The same of two values, if they are different."""
    if portrait(one) != portrait(other):
        expect_all_different(bench, [one, other])
