"""Circuit breakers that report wrongly."""

from __future__ import annotations

import asyncio
from typing import Any

from portproof_defects._breaker import Breaker

from portproof.selftest import defect


@defect("RES-BREAKER-REPORTS-TRANSITIONS", kind="circuit-breaker")
class ReportsEveryRejection(Breaker):
    """Says that it is open whenever it rejects."""

    def reject(self, hooks: Any) -> None:
        self.report("open", "still open", hooks)
        super().reject(hooks)


@defect("RES-BREAKER-REPORTS-TRANSITIONS", kind="circuit-breaker")
class KeepsHalfOpenToItself(Breaker):
    """Reports only the opening and the closing."""

    def report(self, state: str, reason: str, hooks: Any) -> None:
        if state != "half-open":
            super().report(state, reason, hooks)


@defect("RES-BREAKER-REPORTS-TRANSITIONS", kind="circuit-breaker")
class TellsTheFirstCaller(Breaker):
    """Reports to the hooks of the first call, whichever call causes the change."""

    first: Any = None

    def admit(self, hooks: Any) -> None:
        self.first = self.first or hooks
        super().admit(hooks)

    def report(self, state: str, reason: str, hooks: Any) -> None:
        super().report(state, reason, self.first)


@defect("RES-BREAKER-REPORT-BEFORE-OUTCOME", kind="circuit-breaker")
class ReportsLater(Breaker):
    """Reports when the loop comes round, after the call has delivered its error."""

    def report(self, state: str, reason: str, hooks: Any) -> None:
        asyncio.get_running_loop().call_soon(super().report, state, reason, hooks)


@defect("RES-BREAKER-REPORT-BEFORE-OUTCOME", kind="circuit-breaker")
class CallsBackFirst(Breaker):
    """Calls on_state_change before it reports."""

    def tell(self, state: str, reason: str, hooks: Any) -> None:
        if self.on_state_change is not None:
            self.on_state_change(state, reason)
        self.report(state, reason, hooks)


@defect("RES-BREAKER-REPORT-REASON", kind="circuit-breaker")
class QuotesTheVendor(Breaker):
    """Gives the message of the error as the reason."""

    def report(self, state: str, reason: str, hooks: Any) -> None:
        super().report(state, str(self.cause) if state == "open" else reason, hooks)


@defect("RES-BREAKER-REPORT-PROVIDER", kind="circuit-breaker")
class NamesItsClass(Breaker):
    """Reports the class of the provider instead of its name."""

    @property
    def provider_name(self) -> str:
        return type(self.inner).__name__
