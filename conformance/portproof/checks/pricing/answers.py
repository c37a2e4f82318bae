"""What a pricing table answers again and again, and for models and kinds that it does not know."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import TOKEN_KINDS, TokenKind
from portproof.benches.pricing import PricingBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies.prices import unknown_kinds, unlisted_models


@check(
    "PRC-DETERMINISTIC",
    unlisted=st.lists(unlisted_models(), min_size=1, max_size=2, unique=True),
    kinds=st.permutations(TOKEN_KINDS),
)
async def the_same_question_has_the_same_answer(
    bench: PricingBench, unlisted: list[str], kinds: list[TokenKind]
) -> None:
    models = [*bench.known, *unlisted]
    first = {(model, kind): plain(bench.price(model, kind).told) for model in models for kind in TOKEN_KINDS}
    for kind in kinds:
        for model in reversed(models):
            again = plain(bench.price(model, kind).told)
            expect_equal(again, first[model, kind], f"the {kind} price of {model}, asked again")


@check("PRC-UNKNOWN-MODEL", unlisted=st.lists(unlisted_models(), min_size=4, max_size=6, unique=True))
async def an_unknown_model_is_not_taken_for_a_known_one(bench: PricingBench, unlisted: list[str]) -> None:
    for kind in TOKEN_KINDS:
        prices = {model: bench.price(model, kind) for model in unlisted if model not in bench.known}
        for model, price in prices.items():
            expect(
                price.is_refusal or price.is_number,
                f"the {kind} price of the unknown {model} is neither a number nor a LookupError",
                got=plain(price.told),
            )
        values = {price.value if price.is_number else 0 for price in prices.values()}
        expect(
            len(values) == 1,
            f"unknown models have different {kind} prices: each is taken for some known one",
            got={model: plain(price.told) for model, price in prices.items()},
        )


@check("PRC-KIND-UNKNOWN", kind=unknown_kinds())
async def an_unknown_kind_raises(bench: PricingBench, kind: str) -> None:
    for model in bench.models:
        price = bench.price(model, kind)
        expect(price.error is not None, f"the kind {kind!r} of {model} has a price", got=plain(price.value))
