"""Retry wrappers whose reports are wrong, and whose callbacks come late."""

from __future__ import annotations

from typing import Any

from portproof.selftest import defect

from ._retry import Call, Retry


@defect("RES-RETRY-REPORTED-ATTEMPTS", kind="retry")
class NumbersFromOne(Retry):
    """The first retry is number 1."""

    def retried(self, call: Call, error: Exception, delay_ms: float) -> dict[str, Any]:
        return {**super().retried(call, error, delay_ms), "attempt": call.attempt}


@defect("RES-RETRY-REPORTED-ATTEMPTS", kind="retry")
class ReportsTheLastFailureToo(Retry):
    """A retry is reported that is not made any more."""

    def give_up(self, call: Call, error: Exception) -> None:
        if call.attempt == self.max_attempts:
            self.report(call, self.retried(call, error, 0))


@defect("RES-RETRY-RECOVERED", kind="retry")
class RecoversFromEverything(Retry):
    """recovered is reported from a finally block."""

    def give_up(self, call: Call, error: Exception) -> None:
        self.succeeded(call)


@defect("RES-RETRY-RECOVERED", kind="retry")
class ReportsTheFailedAttempt(Retry):
    """recovered names the attempt before the one that succeeded, but for the first."""

    def recovered(self, call: Call) -> dict[str, Any]:
        return {**super().recovered(call), "attempt": max(2, call.attempt - 1)}


@defect("RES-RETRY-RECOVERED-DURATION", kind="retry")
class MeasuresTheLastAttempt(Retry):
    """The clock starts anew with every attempt."""

    async def ask(self, call: Call) -> Any:
        call.began = self.clock()
        return await super().ask(call)


@defect("RES-RETRY-REASON-CLASS", kind="retry")
class GivesTheMessageAsReason(Retry):
    """The reason is the message of the error."""

    def reason(self, error: Exception) -> str:
        return str(error)


@defect("RES-RETRY-REASON-CLASS", kind="retry")
class KnowsClassesOfHundreds(Retry):
    """Every status is put into a class of its hundred."""

    def reason(self, error: Exception) -> str:
        status = self.status_of(error)
        return super().reason(error) if status in (None, 429) else f"http-{status // 100}xx"


@defect("RES-RETRY-LAST-ERROR-MESSAGE", kind="retry")
class ReportsTheFirstError(Retry):
    """last_error names the failure of the first attempt each time."""

    def retried(self, call: Call, error: Exception, delay_ms: float) -> dict[str, Any]:
        return {**super().retried(call, error, delay_ms), "last_error": str(call.errors[0])}


@defect("RES-RETRY-LAST-ERROR-MESSAGE", kind="retry")
class CutsMessages(Retry):
    """last_error is the beginning of a long message."""

    def retried(self, call: Call, error: Exception, delay_ms: float) -> dict[str, Any]:
        return {**super().retried(call, error, delay_ms), "last_error": str(error)[:200]}


@defect("RES-RETRY-CALLBACK-BEFORE-WAIT", kind="retry")
class TellsAfterTheWait(Retry):
    """Callback and report come when the wait is over."""

    async def between(self, call: Call, error: Exception, delay_ms: float) -> None:
        await self.pause(call, delay_ms)
        self.announce(call, error, delay_ms)


@defect("RES-RETRY-CALLBACK-BEFORE-WAIT", kind="retry")
class CallsBackInSeconds(Retry):
    """on_retry gets the wait in seconds."""

    def call_back(self, call: Call, error: Exception, delay_ms: float) -> None:
        super().call_back(call, error, delay_ms / 1000)
