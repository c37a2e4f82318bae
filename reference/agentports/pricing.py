"""Prices from a table of one's own, and the cost of a response (document 22, section 5). No prices are shipped."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from agentports.ports import TOKEN_KINDS, PricingTable, TokenKind, Usage

__all__ = ["StaticPricingTable", "cost_of", "load_pricing_table"]

_UNIT: Final = "usd_per_million_tokens"
_TOKENS: Final = 1_000_000


class StaticPricingTable:
    """Prices that do not change: for each model, US dollars for ONE token of every kind.

    A model that is not in the table is a `LookupError`, and so is a kind that is none of the four.
    """

    def __init__(self, prices: Mapping[str, Mapping[TokenKind, float]], *, name: str = "static-prices") -> None:
        """Raises `ValueError` for a model without one price for every kind, and for a price that is none."""
        self.name = name
        self._prices = {model: _checked(model, kinds) for model, kinds in prices.items()}

    def price_per_token(self, model: str, kind: TokenKind) -> float:
        """US dollars for one token."""
        if model not in self._prices:
            raise LookupError(f"{self.name} has no prices for {model!r}")
        if kind not in TOKEN_KINDS:
            raise LookupError(f"{kind!r} is no kind of token; the kinds are {', '.join(TOKEN_KINDS)}")
        return self._prices[model][kind]


def cost_of(table: PricingTable, model: str, usage: Usage) -> float:
    """US dollars for one response. The price of an absent cache count is not asked; thinking adds no term.

    Where a vendor's `input` contains the cached tokens, as OpenAI's and Gemini's do, they are charged in both terms;
    a table that states 0 for `cache_read` leaves an upper bound.
    """
    counts: dict[TokenKind, int | None] = {
        "input": usage.input,
        "output": usage.output,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
    }
    return sum(n * table.price_per_token(model, kind) for kind, n in counts.items() if n is not None)


def load_pricing_table(path: str | Path) -> StaticPricingTable:
    """The table of a TOML or JSON file, with dollars per million tokens as vendors publish them.

    >>> name = "our-prices-2026"
    ... [usd_per_million_tokens."some-model"]
    ... input = 2.5
    ... output = 10
    ... cache_read = 0.25
    ... cache_write = 0

    Without `name` the table is called as the file. Raises `OSError` when the file cannot be read, and `ValueError` that
    names file, key and remedy when it cannot be used.
    """
    path = Path(path)
    try:
        data = _read(path)
        models = _models(data)
        prices = {model: {kind: price / _TOKENS for kind, price in kinds.items()} for model, kinds in models.items()}
        return StaticPricingTable(prices, name=data.get("name", path.stem))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _read(path: Path) -> dict[str, Any]:
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"the suffix must be one of {', '.join(_READERS)}")
    data = reader(path.read_text("utf-8-sig"))
    if not isinstance(data, dict) or not isinstance(data.get("name", ""), str):
        raise ValueError(f"must be a table with {_UNIT} and, if wanted, a text as name")
    unknown = sorted(set(data) - {"name", _UNIT})
    if unknown or _UNIT not in data:
        raise ValueError(f"has {', '.join(unknown) or 'nothing'} where it needs {_UNIT}: a table of models and prices")
    return data


def _models(data: dict[str, Any]) -> dict[str, Any]:
    models = data[_UNIT]
    if not isinstance(models, dict) or not models:
        raise ValueError(f"{_UNIT} must map models to prices")
    return {model: _checked(f"{_UNIT}.{model}", kinds) for model, kinds in models.items()}


def _checked(where: str, kinds: Any) -> Mapping[TokenKind, float]:
    """The prices of one model, all four, each a finite number that is not negative."""
    if not isinstance(kinds, Mapping):
        raise ValueError(f"{where} must map {', '.join(TOKEN_KINDS)} to prices, not be {kinds!r}")
    unknown = sorted(set(kinds) - set(TOKEN_KINDS))
    if unknown:
        raise ValueError(f"{where} has the unknown kind {unknown[0]}; the kinds are {', '.join(TOKEN_KINDS)}")
    for kind in TOKEN_KINDS:
        if kind not in kinds:
            raise ValueError(f"{where} lacks {kind}; state 0 if it is free, or if the vendor has no such tokens")
        if not _is_price(kinds[kind]):
            raise ValueError(f"{where}.{kind} is {kinds[kind]!r}; it must be a finite number, 0 or more")
    return {kind: float(kinds[kind]) for kind in TOKEN_KINDS}


def _is_price(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def _json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_distinct)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise ValueError(f"states {twice} twice; keep one")
    return dict(pairs)


_READERS: dict[str, Callable[[str], Any]] = {".toml": cast("Callable[[str], Any]", tomllib.loads), ".json": _json}
