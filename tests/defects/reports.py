"""Wrappers whose reports cannot be used, are too many, or not made."""

from __future__ import annotations

from typing import Any

from portproof.selftest import defect

from ._fallback import Pair
from ._retry import Call, Retry


def _tell(hooks: Any, fact: dict[str, Any]) -> None:
    listener = getattr(hooks, "on_resilience", None)
    if listener is not None:
        listener(fact)


@defect("RES-REPORT-PLAIN-DATA", kind="retry")
class ReportsTheException(Retry):
    """The exception object is in the report."""

    def retried(self, call: Call, error: Exception, delay_ms: float) -> dict[str, Any]:
        return {**super().retried(call, error, delay_ms), "exception": error}


@defect("RES-REPORT-FIELDS", kind="retry")
class NamesTheErrorOtherwise(Retry):
    """last_error is called error."""

    def retried(self, call: Call, error: Exception, delay_ms: float) -> dict[str, Any]:
        fact = super().retried(call, error, delay_ms)
        return {"error" if name == "last_error" else name: value for name, value in fact.items()}


@defect("RES-REPORT-FIELDS", kind="fallback")
class GivesNoReason(Pair):
    """fell-back is reported without a reason."""

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        _tell(hooks, {"kind": "fell-back", "primary": self.primary.name, "fallback": self.fallback.name})


@defect("RES-REPORT-ONE-PRODUCER", kind="fallback")
class RecoversToo(Pair):
    """A fallback is reported as a recovery as well."""

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        super().report(position, error, hooks)
        _tell(hooks, {"kind": "recovered", "attempt": 2, "total_duration_ms": 0})


@defect("RES-REPORT-STACK-SEQUENCE", kind="retry")
class RepeatsWhatItForwards(Retry):
    """Reports of inner wrappers reach the caller, and once more when the attempt is over."""

    async def ask(self, call: Call) -> Any:
        hooks, call.hooks = call.hooks, _Twice(call.hooks)
        try:
            return await super().ask(call)
        finally:
            call.hooks = hooks


class _Twice:
    def __init__(self, hooks: Any) -> None:
        self._hooks = hooks

    def __getattr__(self, name: str) -> Any:
        listener = getattr(self._hooks, name)
        return lambda fact: (listener(fact), listener(fact))


@defect("RES-REPORT-STACK-SEQUENCE", kind="retry")
class ReportsInTheEnd(Retry):
    """Its own reports are kept back until the call is over."""

    def begin(self, request: Any, hooks: Any) -> Call:
        self.kept: list[dict[str, Any]] = []
        return super().begin(request, hooks)

    def report(self, call: Call, fact: dict[str, Any]) -> None:
        self.kept.append(fact)

    def give_up(self, call: Call, error: Exception) -> None:
        for fact in self.kept:
            super().report(call, fact)

    def succeeded(self, call: Call) -> None:
        super().succeeded(call)
        for fact in self.kept:
            super().report(call, fact)


@defect("RES-REPORT-NONE-WITHOUT-HOOKS", kind="retry")
class RetriesForAnAudience(Retry):
    """Without hooks the first failure is final."""

    def goes_on(self, call: Call, error: Exception) -> bool:
        return call.hooks is not None and super().goes_on(call, error)


@defect("RES-REPORT-NONE-WITHOUT-HOOKS", kind="retry")
class HurriesUnobserved(Retry):
    """Without hooks it does not wait."""

    async def pause(self, call: Call, delay_ms: float) -> None:
        await super().pause(call, delay_ms if call.hooks is not None else 0)


@defect("RES-REPORT-NONE-ON-PLAIN-SUCCESS", kind="retry")
class RecoversFromNothing(Retry):
    """A first success is reported as a recovery."""

    def succeeded(self, call: Call) -> None:
        self.report(call, self.recovered(call))


@defect("RES-FALLBACK-HOP-NAMES", kind="fallback")
class NamesTheLastOfTheChain(Pair):
    """Around another pair, its last provider is named as the fallback."""

    def report(self, position: int, error: BaseException, hooks: Any) -> None:
        last = self.fallback.name.rpartition("|")[2]
        _tell(hooks, {"kind": "fell-back", "primary": self.primary.name, "fallback": last, "reason": str(error)})


@defect("RES-OWN-ACTIONS-REPORTED", kind="retry")
class LogsInstead(Retry):
    """What it does is in the log and not in the reports."""

    def report(self, call: Call, fact: dict[str, Any]) -> None:
        pass


@defect("RES-OWN-ACTIONS-REPORTED", kind="retry")
class NeverRecovers(Retry):
    """Retries are reported and recoveries not."""

    def succeeded(self, call: Call) -> None:
        pass
