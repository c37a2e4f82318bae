"""Circuit breakers whose rejections tell too little, and that count what does not count."""

from __future__ import annotations

from typing import Any

from portproof_defects._breaker import Breaker, Rejected

from portproof.selftest import defect


@defect("RES-BREAKER-OPEN-ERROR", kind="circuit-breaker")
class RejectsWithoutCause(Breaker):
    """Does not say which failure opened it."""

    def reject(self, hooks: Any) -> None:
        raise Rejected(None, self.retry_after())


@defect("RES-BREAKER-OPEN-ERROR", kind="circuit-breaker")
class NamesTheFirstFailure(Breaker):
    """Gives the first failure of the row as the cause."""

    def failed(self, error: BaseException, hooks: Any) -> None:
        first = self.cause if self.state == "closed" and self.failures else error
        super().failed(error, hooks)
        self.cause = first


@defect("RES-BREAKER-OPEN-ERROR", kind="circuit-breaker")
class ForgetsTheFailedProbe(Breaker):
    """Gives the failure that opened it first as the cause, although a probe has failed since."""

    def failed(self, error: BaseException, hooks: Any) -> None:
        opening = self.cause if self.state == "half-open" else error
        super().failed(error, hooks)
        self.cause = opening


@defect("RES-BREAKER-OPEN-ERROR", kind="circuit-breaker")
class RejectsWithoutCode(Breaker):
    """Raises an error without the code that tells what it is."""

    def reject(self, hooks: Any) -> None:
        raise RuntimeError("circuit open") from self.cause


@defect("RES-BREAKER-OPEN-ERROR-RETRY-AFTER", kind="circuit-breaker")
class NeverComesNearer(Breaker):
    """Adds the cooldown to the time of the rejection."""

    def retry_after(self) -> float:
        return self.clock() * 1000 + self.cooldown_ms


@defect("RES-BREAKER-OPEN-ERROR-RETRY-AFTER", kind="circuit-breaker")
class TellsSeconds(Breaker):
    """States the time in seconds."""

    def retry_after(self) -> float:
        return super().retry_after() / 1000


@defect("RES-BREAKER-OPEN-ERROR-RETRY-AFTER", kind="circuit-breaker")
class LooksLikeAnAnswer(Breaker):
    """Gives the rejection a status, although there was no HTTP answer."""

    def reject(self, hooks: Any) -> None:
        rejected = Rejected(self.cause, self.retry_after())
        rejected.status = 503
        raise rejected


@defect("RES-BREAKER-ABORT-NOT-COUNTED", kind="circuit-breaker")
class CountsAborts(Breaker):
    """Counts every exception, so that impatient users trip it."""

    def counts(self, error: BaseException) -> bool:
        return self.should_count is None or self.should_count(error)


@defect("RES-BREAKER-ABORT-NOT-COUNTED", kind="circuit-breaker")
class CountsCancellations(Breaker):
    """Counts in a bare except."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except (Exception, Rejected):
            raise
        except BaseException as error:
            self.failed(error, hooks)
            raise


@defect("RES-BREAKER-ABORT-NOT-COUNTED", kind="circuit-breaker")
class TakesAbortsForSuccesses(Breaker):
    """What is no failure is a success: an aborted call resets the count."""

    def call_failed(self, error: BaseException, hooks: Any) -> None:
        if self.should_count is None and not self.counts(error):
            self.succeeded(hooks)
        super().call_failed(error, hooks)


@defect("RES-BREAKER-UNCOUNTED-CHANGES-NOTHING", kind="circuit-breaker")
class ResetsOnRefusedFailure(Breaker):
    """A failure that should_count refuses resets the count."""

    def refused(self, hooks: Any) -> None:
        if self.should_count is not None and self.state == "closed":
            self.failures = 0


@defect("RES-BREAKER-UNCOUNTED-CHANGES-NOTHING", kind="circuit-breaker")
class TakesRefusedRequestsForAnswers(Breaker):
    """By its own policy a bad request is no failure of the vendor, hence a success."""

    def call_failed(self, error: BaseException, hooks: Any) -> None:
        if self.should_count is None and getattr(error, "status", None) in (400, 404):
            self.succeeded(hooks)
        else:
            super().call_failed(error, hooks)


@defect("RES-BREAKER-UNCOUNTED-CHANGES-NOTHING", kind="circuit-breaker")
class RefusedProbesHeal(Breaker):
    """A probe whose failure should_count refuses counts as a probe success."""

    def refused(self, hooks: Any) -> None:
        if self.should_count is not None and self.state == "half-open":
            self.probe_succeeded(hooks)
