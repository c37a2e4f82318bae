"""Retry wrappers that try too often, too rarely, or end wrongly."""

from __future__ import annotations

from typing import Any

from portproof.selftest import defect

from ._retry import Call, Retry


@defect("RES-RETRY-ATTEMPT-CAP", kind="retry")
class CountsRetriesInsteadOfAttempts(Retry):
    """max_attempts is taken for the number of retries after the first attempt."""

    def goes_on(self, call: Call, error: Exception) -> bool:
        return call.attempt <= self.max_attempts and self.accepts(call, error)


@defect("RES-RETRY-MINIMUM-ONE", kind="retry")
class MakesNoAttempt(Retry):
    """With max_attempts below 1 the loop is skipped."""

    def __init__(self, inner: Any, max_attempts: int = 3) -> None:
        super().__init__(inner, max_attempts)
        self.asked_for = max_attempts

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        if self.asked_for < 1:
            raise RuntimeError("no attempt succeeded")
        return await super().complete(request, hooks)


@defect("RES-RETRY-STOPS-ON-SUCCESS", kind="retry")
class ThrowsTheFirstAnswerAway(Retry):
    """After a recovery it asks once more, for the answer to give."""

    async def ask(self, call: Call) -> Any:
        response = await super().ask(call)
        return await super().ask(call) if call.attempt > 1 else response


@defect("RES-RETRY-LAST-ERROR-RAISED", kind="retry")
class RaisesItsOwnError(Retry):
    """Exhaustion is an error of its own, with the last one as its cause."""

    def give_up(self, call: Call, error: Exception) -> None:
        if call.attempt > 1:
            raise RuntimeError(f"gave up after {call.attempt} attempts") from error


@defect("RES-RETRY-LAST-ERROR-RAISED", kind="retry")
class RaisesTheFirstError(Retry):
    """Exhaustion raises the failure of the first attempt."""

    def give_up(self, call: Call, error: Exception) -> None:
        raise call.errors[0]


@defect("RES-RETRY-CALLS-INDEPENDENT", kind="retry")
class CountsOnTheWrapper(Retry):
    """The failures are counted on the wrapper, from the start of the latest call."""

    def begin(self, request: Any, hooks: Any) -> Call:
        self.failures = 0
        return super().begin(request, hooks)

    def goes_on(self, call: Call, error: Exception) -> bool:
        self.failures += 1
        return self.failures < self.max_attempts and self.accepts(call, error)
