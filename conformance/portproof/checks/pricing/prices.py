"""What a pricing table is called and what it answers for the models that it knows."""

from __future__ import annotations

import inspect
import math

from agentports.ports import TOKEN_KINDS
from portproof.benches.pricing import PricingBench
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies.prices import unlisted_models

#: Ten times the dearest published price, in dollars a token.
_IMPLAUSIBLE = 0.01


@check("PRC-NAME", unlisted=unlisted_models())
async def name_is_a_non_empty_string_that_stays(bench: PricingBench, unlisted: str) -> None:
    before = getattr(bench.table, "name", None)
    expect(isinstance(before, str) and before, "name is not a non-empty string", name=before)
    for model in (*bench.known, unlisted):
        bench.price(model, "input")
        expect_equal(getattr(bench.table, "name", None), before, f"name after a price of {model} was asked")


@check("PRC-NUMBER")
async def prices_are_finite_and_not_negative(bench: PricingBench) -> None:
    answered = [(m, k, p) for m in bench.models for k in TOKEN_KINDS if (p := bench.price(m, k)).error is None]
    if not answered:
        raise NotTested("no kind of token is answered for these models (PRC-KINDS)")
    for model, kind, price in answered:
        expect(price.is_number, f"the {kind} price of {model} is no finite number from 0", got=plain(price.value))


@check("PRC-KINDS")
async def all_four_kinds_are_answered(bench: PricingBench) -> None:
    for model in bench.models:
        for kind in TOKEN_KINDS:
            price = bench.price(model, kind)
            expect(price.error is None, f"the {kind} price of {model} is not answered", raised=price.error)
            expect(price.is_number, f"the {kind} price of {model} is no number", got=plain(price.value))


@check("PRC-PER-ONE-TOKEN")
async def prices_are_dollars_for_one_token(bench: PricingBench) -> None:
    for (model, kind), dollars in bench.stated.items():
        price = bench.price(model, kind)
        expect(price.is_number, f"the {kind} price of {model} is no number", got=plain(price.told))
        expect(
            math.isclose(price.value * 1_000_000, dollars, rel_tol=1e-9),
            f"the {kind} price of {model} is not that of one token: a million cost ${dollars:g}",
            expected=dollars / 1_000_000,
            got=price.value,
        )


@check("PRC-MAGNITUDE")
async def no_price_is_implausibly_high(bench: PricingBench) -> None:
    priced = [(m, k, float(p.value)) for m in bench.models for k in TOKEN_KINDS if (p := bench.price(m, k)).is_number]
    if not priced:
        raise NotTested("no kind of token is answered by a number for these models (PRC-KINDS)")
    for model, kind, dollars in priced:
        what = f"the {kind} price of {model} is ${dollars:g} for one token; is it meant for more tokens?"
        expect(dollars < _IMPLAUSIBLE, what)


@check("PRC-SYNC", unlisted=unlisted_models())
async def a_price_is_answered_at_once(bench: PricingBench, unlisted: str) -> None:
    for model in (*bench.known, unlisted):
        for kind in TOKEN_KINDS:
            value = bench.price(model, kind).value
            expect(
                not inspect.isawaitable(value), f"price_per_token({model!r}, {kind!r}) is something to await", got=value
            )
