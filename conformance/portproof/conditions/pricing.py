"""The words of the port pricing-table."""

from __future__ import annotations

from portproof.conditions.words import Words
from portproof.running.outcome import NotTested
from portproof.subjects.subject import Subject
from portproof.subjects.tables import known_models, stated_prices

__all__ = ["PRICING_WORDS"]


def _models_are_known(subject: Subject) -> None:
    if not known_models(subject.options):
        raise NotTested("no model of the table is known: say --adapter-option models=MODEL,MODEL")


def _prices_are_stated(subject: Subject) -> None:
    if not stated_prices(subject.options):
        raise NotTested(
            "no published price is known: say --adapter-option price.MODEL.KIND=DOLLARS, for a million tokens"
        )


PRICING_WORDS = Words(
    [
        ("the option models is given or a price is stated", lambda: _models_are_known),
        ("the option price states a published price per million tokens", lambda: _prices_are_stated),
    ]
)
