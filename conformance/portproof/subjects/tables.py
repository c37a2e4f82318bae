"""What the user states of a pricing table: the models that it knows, and published prices to compare with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from agentports.ports import TOKEN_KINDS, TokenKind
from portproof.errors import UsageProblem

__all__ = ["known_models", "stated_prices"]

_PRICE = "price."


def known_models(options: Mapping[str, Any]) -> list[str]:
    """The models of the option `models`, separated by commas, and those with a stated price.

    Raises `UsageProblem` as `stated_prices` does.
    """
    listed = options.get("models", ())
    names = listed if isinstance(listed, list | tuple) else str(listed).split(",")
    stated = [model for model, _ in stated_prices(options)]
    return list(dict.fromkeys(name for name in [*(str(n).strip() for n in names), *stated] if name))


def stated_prices(options: Mapping[str, Any]) -> dict[tuple[str, TokenKind], float]:
    """Dollars per million tokens by model and kind, from the options `price.MODEL.KIND`.

    Raises `UsageProblem` for a kind that is none and for a price that is no number.
    """
    return {_subject_of(key): _dollars(key, value) for key, value in options.items() if key.startswith(_PRICE)}


def _subject_of(key: str) -> tuple[str, TokenKind]:
    model, _, last = key.removeprefix(_PRICE).rpartition(".")
    for kind in TOKEN_KINDS:
        if model and kind == last:
            return model, kind
    raise UsageProblem(
        f"--adapter-option {key}: write price.MODEL.KIND=DOLLARS; KIND is one of {', '.join(TOKEN_KINDS)}."
    )


def _dollars(key: str, value: Any) -> float:
    try:
        dollars = float(value)
    except (TypeError, ValueError):
        dollars = math.nan
    if not math.isfinite(dollars) or dollars < 0 or isinstance(value, bool):
        raise UsageProblem(f"--adapter-option {key}={value}: write US dollars for a million tokens, such as 2.5.")
    return dollars
