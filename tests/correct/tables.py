"""Pricing tables that keep the contract and are built otherwise than the reference: none may be failed."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from agentports.pricing import StaticPricingTable

__all__ = ["CORRECT", "OPTIONS"]

#: What is said of every table here: dollars per million tokens.
OPTIONS: dict[str, Any] = {"models": "alpha, beta-2.5", "price.beta-2.5.input": "0.1", "price.alpha.output": 15}

_PRICES: dict[str, dict[Any, float]] = {
    "alpha": {"input": 3e-6, "output": 15e-6, "cache_read": 0.3e-6, "cache_write": 3.75e-6},
    "beta-2.5": {"input": 0.1 / 1_000_000, "output": 0.4e-6, "cache_read": 0, "cache_write": 0},
}


class PlainLookups:
    """A mapping of mappings: what is unknown is a KeyError."""

    name = "lookups"

    def price_per_token(self, model: str, kind: str) -> float:
        return _PRICES[model][kind]


class WithADefault:
    """Every unknown model has one stated price, which a known one happens to have too."""

    name = "default"

    def price_per_token(self, model: str, kind: str) -> float:
        return _PRICES.get(model, _PRICES["alpha"])[kind]


class FreeWhenUnknown:
    """An unknown model costs nothing; exact fractions instead of floats, and a signature of its own."""

    name = "fractions"

    def price_per_token(self, model: str, kind: Any = "input", /) -> Any:
        if kind not in _PRICES["alpha"]:
            raise ValueError(kind)
        return Fraction(_PRICES[model][kind]) if model in _PRICES else 0


class Families:
    """Dated names of a model cost what the model costs; anything else is refused."""

    name = "families"

    def price_per_token(self, model: str, kind: str) -> float:
        for known, prices in _PRICES.items():
            if model == known or model.startswith(f"{known}-20"):
                return prices[kind]
        raise LookupError(model)


def reference() -> StaticPricingTable:
    """The reference over the same prices."""
    return StaticPricingTable(_PRICES)


CORRECT: dict[str, Any] = {
    "the reference": reference,
    "plain lookups": PlainLookups,
    "with a default": WithADefault,
    "free when unknown": FreeWhenUnknown,
    "families": Families,
    "namespace": SimpleNamespace(name="namespace", price_per_token=PlainLookups().price_per_token),
}
