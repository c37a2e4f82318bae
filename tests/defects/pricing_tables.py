"""Pricing tables that answer with the wrong thing, for the wrong amount, or for everything."""

from __future__ import annotations

import math
from itertools import takewhile
from typing import Any

from portproof.selftest import defect

_KNOWN = {"models": "alpha,beta-2"}
_STATED: dict[str, Any] = {"price.alpha.input": 3, "price.alpha.output": 15}


class Table:
    """A correct table of two models. Defects override one method each."""

    name = "prices"
    prices: dict[str, dict[str, float]] = {
        "alpha": {"input": 3e-6, "output": 15e-6, "cache_read": 0.3e-6, "cache_write": 3.75e-6},
        "beta-2": {"input": 0.1e-6, "output": 0.4e-6, "cache_read": 0.0, "cache_write": 0.0},
    }

    def price_per_token(self, model: str, kind: str) -> Any:
        return self.of_model(model)[kind]

    def of_model(self, model: str) -> dict[str, float]:
        """The prices of one model."""
        return self.prices[model]


@defect("PRC-NAME", **_KNOWN)
class Nameless(Table):
    """The table has no name."""

    name: Any = None


@defect("PRC-NUMBER", **_KNOWN)
class NoneForWhatIsFree(Table):
    """Kinds without a price are None."""

    def price_per_token(self, model: str, kind: str) -> Any:
        return super().price_per_token(model, kind) or None


@defect("PRC-NUMBER", **_KNOWN)
class NotANumber(Table):
    """The price of cached tokens is not a number."""

    def price_per_token(self, model: str, kind: str) -> Any:
        return math.nan if kind == "cache_read" else super().price_per_token(model, kind)


@defect("PRC-NUMBER", **_KNOWN)
class Discounts(Table):
    """What is read from the cache is credited."""

    def price_per_token(self, model: str, kind: str) -> Any:
        price = super().price_per_token(model, kind)
        return -price if kind == "cache_read" else price


@defect("PRC-KINDS", **_KNOWN)
class NoCacheWrites(Table):
    """One kind has no entry, and asking for it is a KeyError."""

    def of_model(self, model: str) -> dict[str, float]:
        return {kind: price for kind, price in super().of_model(model).items() if kind != "cache_write"}


@defect("PRC-PER-ONE-TOKEN", **_STATED)
class PerMillion(Table):
    """Prices are those of a million tokens."""

    def price_per_token(self, model: str, kind: str) -> Any:
        return super().price_per_token(model, kind) * 1_000_000


@defect("PRC-PER-ONE-TOKEN", **_STATED)
class OutputAsInput(Table):
    """Output costs what input costs."""

    def price_per_token(self, model: str, kind: str) -> Any:
        return super().price_per_token(model, "input" if kind == "output" else kind)


@defect("PRC-MAGNITUDE", **_KNOWN)
class PerThousand(Table):
    """Prices are those of a thousand tokens."""

    def price_per_token(self, model: str, kind: str) -> Any:
        return super().price_per_token(model, kind) * 1000


@defect("PRC-DETERMINISTIC", **_KNOWN)
class DearerWithEachQuestion(Table):
    """Every question raises the price."""

    asked = 0

    def price_per_token(self, model: str, kind: str) -> Any:
        self.asked += 1
        return super().price_per_token(model, kind) * (1 + self.asked / 1000)


@defect("PRC-SYNC", **_KNOWN)
class AsksLater(Table):
    """The price has to be awaited."""

    async def price_per_token(self, model: str, kind: str) -> Any:
        return super().price_per_token(model, kind)


@defect("PRC-UNKNOWN-MODEL", **_KNOWN)
class NearestName(Table):
    """An unknown model costs what the known one costs that begins most alike, be it with nothing."""

    def of_model(self, model: str) -> dict[str, float]:
        return self.prices[max(self.prices, key=lambda known: _in_common(known, model))]


@defect("PRC-UNKNOWN-MODEL", **_KNOWN)
class NoneForTheUnknown(Table):
    """An unknown model has the price None."""

    def price_per_token(self, model: str, kind: str) -> Any:
        return super().price_per_token(model, kind) if model in self.prices else None


@defect("PRC-KIND-UNKNOWN", **_KNOWN)
class UnknownKindsAreFree(Table):
    """A kind that is none of the four costs nothing."""

    def price_per_token(self, model: str, kind: str) -> Any:
        return self.of_model(model).get(kind, 0)


def _in_common(one: str, other: str) -> int:
    """How many characters two names begin with in common."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))
