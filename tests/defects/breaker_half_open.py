"""Circuit breakers that recover wrongly."""

from __future__ import annotations

from typing import Any

from portproof_defects._breaker import Breaker

from portproof.selftest import defect


@defect("RES-BREAKER-COOLDOWN", kind="circuit-breaker")
class MeasuresFromTheLastRejection(Breaker):
    """Starts the cooldown anew at every rejection, so that traffic keeps it open."""

    def reject(self, hooks: Any) -> None:
        self.opened_at = self.clock()
        super().reject(hooks)


@defect("RES-BREAKER-COOLDOWN", kind="circuit-breaker")
class WaitsLongerThanTheCooldown(Breaker):
    """Still rejects at the very end of the cooldown."""

    def cooled(self) -> bool:
        return self.clock() - self.opened_at > self.cooldown_ms / 1000


@defect("RES-BREAKER-PROBES-CLOSE", kind="circuit-breaker")
class ClosesOnTheFirstSuccess(Breaker):
    """One success is enough."""

    def probe_succeeded(self, hooks: Any) -> None:
        self.enter("closed", "1 probe successes", hooks)


@defect("RES-BREAKER-PROBES-CLOSE", kind="circuit-breaker")
class NeedsOneProbeTooMany(Breaker):
    """Closes one success late."""

    def probe_succeeded(self, hooks: Any) -> None:
        self.probes += 1
        if self.probes > self.half_open_success_threshold:
            self.enter("closed", f"{self.probes} probe successes", hooks)


@defect("RES-BREAKER-PROBE-FAILURE-REOPENS", kind="circuit-breaker")
class NeedsManyFailuresToReopen(Breaker):
    """Takes failure_threshold failures to open again."""

    def enter(self, state: str, reason: str, hooks: Any) -> None:
        super().enter(state, reason, hooks)
        self.failures = 0

    def probe_failed(self, hooks: Any) -> None:
        self.failures += 1
        if self.trips():
            super().probe_failed(hooks)


@defect("RES-BREAKER-PROBE-FAILURE-REOPENS", kind="circuit-breaker")
class KeepsTheOldCooldown(Breaker):
    """Opens again without starting the cooldown anew."""

    def probe_failed(self, hooks: Any) -> None:
        before = self.opened_at
        super().probe_failed(hooks)
        self.opened_at = before


@defect("RES-BREAKER-PROBE-COUNT-RESETS", kind="circuit-breaker")
class KeepsTheProbeCount(Breaker):
    """Adds up probe successes over several half-open phases."""

    def enter(self, state: str, reason: str, hooks: Any) -> None:
        before = 0 if state == "closed" else self.probes
        super().enter(state, reason, hooks)
        self.probes = before


@defect("RES-BREAKER-HALF-OPEN-ADMITS", kind="circuit-breaker")
class AdmitsOneProbeAtATime(Breaker):
    """Rejects while a probe is under way."""

    probing = False

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        self.admit(hooks)
        if self.probing:
            self.reject(hooks)
        self.probing = self.state == "half-open"
        try:
            return await super().complete(request, hooks)
        finally:
            self.probing = False


@defect("RES-BREAKER-LATE-OUTCOME", kind="circuit-breaker")
class ClosesOnAnySuccess(Breaker):
    """A straggler's success closes a circuit that others opened."""

    def succeeded(self, hooks: Any) -> None:
        if self.state == "open":
            self.enter("closed", "a success", hooks)
        else:
            super().succeeded(hooks)


@defect("RES-BREAKER-LATE-OUTCOME", kind="circuit-breaker")
class ProlongsOnLateFailure(Breaker):
    """A straggler's failure starts the cooldown anew."""

    def failed(self, error: BaseException, hooks: Any) -> None:
        if self.state == "open":
            self.opened_at = self.clock()
        super().failed(error, hooks)
