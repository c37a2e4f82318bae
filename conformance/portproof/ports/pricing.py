"""The port of pricing tables."""

from __future__ import annotations

from typing import Any

from portproof.conditions.pricing import PRICING_WORDS
from portproof.ports.port import Bench, Port
from portproof.subjects.subject import Subject
from portproof.subjects.tables import known_models

__all__ = ["PricingPort"]


class PricingPort(Port):
    """Tables of prices. The models to ask about, and prices to compare with, are options of the run."""

    name = "pricing-table"
    checks = ("pricing",)
    members = ("price_per_token",)
    options = ("models", "price.*")
    words = PRICING_WORDS

    async def read(self, subject: Subject, value: Any) -> None:
        subject.members = {"models": known_models(subject.options) or None}

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.pricing import PricingBenches

        return PricingBenches(subject, deadline)
