"""The bench of the port pricing-table: a table that is asked for prices."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

from portproof.benches.in_process import InProcessBench, InProcessBenches
from portproof.running.loops import Time
from portproof.running.outcome import NotTested
from portproof.subjects.looking import common_supply
from portproof.subjects.subject import Subject
from portproof.subjects.tables import known_models, stated_prices

__all__ = ["Price", "PricingBench", "PricingBenches"]


@dataclass(frozen=True)
class Price:
    """What a table answered: a value, or an error."""

    value: Any = None
    error: Exception | None = None

    @property
    def is_number(self) -> bool:
        """Whether this is a finite real number that is not negative."""
        number = isinstance(self.value, Real) and not isinstance(self.value, bool)
        return self.error is None and number and math.isfinite(self.value) and self.value >= 0

    @property
    def is_refusal(self) -> bool:
        """Whether the table says that it does not know."""
        return isinstance(self.error, LookupError)

    @property
    def told(self) -> Any:
        """The value, or the name of the error."""
        return self.value if self.error is None else type(self.error).__name__


class PricingBenches(InProcessBenches):
    """Opens a fresh bench for every example."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        super().__init__(subject, deadline, PricingBench)


class PricingBench(InProcessBench):
    """Asks the subject for prices."""

    def __init__(self, subject: Subject, time: Time) -> None:
        super().__init__(subject, time)
        #: The table under test.
        self.table: Any = None
        #: Dollars per million tokens, by model and kind, as the user states them.
        self.stated = stated_prices(subject.options)

    def supply(self) -> dict[str, Any]:
        return common_supply(self.subject, self.time)

    async def start(self) -> None:
        self.table = await self.another()

    @property
    def known(self) -> list[str]:
        """The models that the table is said to know; perhaps none."""
        return known_models(self.subject.options)

    @property
    def models(self) -> list[str]:
        """The same. Raises `NotTested` when there is none."""
        if not self.known:
            raise NotTested("no model of the table is known: say --adapter-option models=MODEL,MODEL")
        return self.known

    def price(self, model: str, kind: str) -> Price:
        """What the table answers; of a coroutine nothing is run."""
        try:
            value = self.table.price_per_token(model, kind)
        except Exception as error:
            return Price(error=error)
        if inspect.iscoroutine(value):
            value.close()
        return Price(value)
