"""The static pricing table, and the cost of a response (document 22, section 5)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from agentports.ports import TOKEN_KINDS, TokenKind, Usage
from agentports.pricing import StaticPricingTable, cost_of

PRICES: dict[TokenKind, float] = {"input": 3e-6, "output": 15e-6, "cache_read": 0.3e-6, "cache_write": 3.75e-6}


def test_a_table_answers_for_one_token_of_every_kind() -> None:
    """And keeps its prices when the mapping that it was given is changed."""
    given = dict(PRICES)
    table = StaticPricingTable({"alpha": given}, name="mine")
    given["input"] = 1.0
    assert table.name == "mine"
    assert {kind: table.price_per_token("alpha", kind) for kind in TOKEN_KINDS} == PRICES


@pytest.mark.parametrize(("model", "kind"), [("alph", "input"), ("alpha-2", "input"), ("alpha", "imput")])
def test_what_is_not_in_the_table_is_a_lookup_error(model: str, kind: Any) -> None:
    """Near misses of a model's name, and kinds that are none."""
    with pytest.raises(LookupError):
        StaticPricingTable({"alpha": PRICES}).price_per_token(model, kind)


@pytest.mark.parametrize("price", [-1e-6, math.nan, math.inf, None, "3", True])
def test_a_price_that_is_none_is_refused(price: Any) -> None:
    """The message names model and kind."""
    with pytest.raises(ValueError, match=r"alpha.cache_read is .*; it must be a finite number, 0 or more"):
        StaticPricingTable({"alpha": {**PRICES, "cache_read": price}})


def test_every_kind_must_be_stated_and_no_other() -> None:
    """So that nothing is billed as free by a slip."""
    with pytest.raises(ValueError, match="alpha lacks output; state 0 if it is free"):
        StaticPricingTable({"alpha": {"input": 1e-6}})
    with pytest.raises(ValueError, match="alpha has the unknown kind cached"):
        StaticPricingTable({"alpha": {**PRICES, "cached": 1e-6}})  # type: ignore[dict-item]


def test_the_cost_is_the_sum_over_the_four_kinds() -> None:
    """Thinking adds no term."""
    usage = Usage(input=100, output=10, cache_read=1000, cache_write=50, thinking=7)
    expected = 100 * 3e-6 + 10 * 15e-6 + 1000 * 0.3e-6 + 50 * 3.75e-6
    assert cost_of(StaticPricingTable({"alpha": PRICES}), "alpha", usage) == pytest.approx(expected, rel=1e-9)


def test_the_price_of_an_absent_cache_count_is_not_asked() -> None:
    """A table without cache prices serves ordinary calls."""

    class NoCache:
        name = "no-cache"

        def price_per_token(self, model: str, kind: str) -> float:
            return {"input": 1e-6, "output": 2e-6}[kind]

    assert cost_of(NoCache(), "alpha", Usage(input=1, output=1)) == pytest.approx(3e-6)
    with pytest.raises(KeyError):
        cost_of(NoCache(), "alpha", Usage(input=1, output=1, cache_read=0))
