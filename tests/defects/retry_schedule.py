"""Retry wrappers that wait too long, too short, or otherwise than they say."""

from __future__ import annotations

from typing import Any

from portproof.selftest import defect

from ._retry import Call, Retry


@defect("RES-RETRY-SCHEDULE", kind="retry")
class MultipliesTheFirstWait(Retry):
    """The schedule is off by one."""

    def scheduled_ms(self, call: Call) -> float:
        return self.initial_delay_ms * self.backoff_factor**call.attempt


@defect("RES-RETRY-SCHEDULE", kind="retry")
class GrowsByAddition(Retry):
    """The waits grow by a fixed amount: right for the first two waits by the default factor."""

    def scheduled_ms(self, call: Call) -> float:
        return self.initial_delay_ms * (1 + (self.backoff_factor - 1) * (call.attempt - 1))


@defect("RES-RETRY-SCHEDULE", kind="retry")
class TakesNoDelayForUnsaid(Retry):
    """An initial delay of 0 becomes the default."""

    def scheduled_ms(self, call: Call) -> float:
        return (self.initial_delay_ms or self.FIRST_WAIT_MS) * self.backoff_factor ** (call.attempt - 1)


@defect("RES-RETRY-DEFAULTS", kind="retry")
class StartsAtOneSecond(Retry):
    """The first wait is 1000 ms when nothing is said."""

    FIRST_WAIT_MS = 1000


@defect("RES-RETRY-DEFAULTS", kind="retry")
class CapsAtOneMinute(Retry):
    """The longest wait is a minute when nothing is said."""

    LONGEST_WAIT_MS = 60_000


@defect("RES-RETRY-BACKOFF-IS-THE-SLEEP", kind="retry")
class AddsJitterAfterReporting(Retry):
    """The wait is spread by a quarter after it was reported."""

    async def pause(self, call: Call, delay_ms: float) -> None:
        await super().pause(call, delay_ms * 1.25)


@defect("RES-RETRY-STATED-WAIT-FLOOR", kind="retry")
class TrustsEveryStatedWait(Retry):
    """A stated wait replaces the schedule, also when it is shorter."""

    def delay_ms(self, call: Call, error: Exception) -> float:
        stated = self.stated_ms(error)
        return min(self.max_delay_ms, self.scheduled_ms(call) if stated is None else stated)


@defect("RES-RETRY-STATED-WAIT-FLOOR", kind="retry")
class IgnoresStatedWaits(Retry):
    """A stated wait is reported and not kept."""

    def delay_ms(self, call: Call, error: Exception) -> float:
        return min(self.max_delay_ms, self.scheduled_ms(call))


@defect("RES-RETRY-STATED-WAIT-FLOOR", kind="retry")
class KnowsWholeMillisecondsOnly(Retry):
    """A stated wait that is a float is not kept."""

    def delay_ms(self, call: Call, error: Exception) -> float:
        stated = self.stated_ms(error)
        return min(self.max_delay_ms, max(self.scheduled_ms(call), stated if isinstance(stated, int) else 0))


@defect("RES-RETRY-STATED-WAIT-CAPPED", kind="retry")
class CapsOnlyTheSchedule(Retry):
    """The schedule is capped first, and the stated wait applied after that."""

    def delay_ms(self, call: Call, error: Exception) -> float:
        return max(min(self.max_delay_ms, self.scheduled_ms(call)), self.stated_ms(error) or 0)


@defect("RES-RETRY-STATED-WAIT-REPORTED", kind="retry")
class ReportsTheCappedWait(Retry):
    """stated_wait_ms is what is left of the stated wait after the cap."""

    def retried(self, call: Call, error: Exception, delay_ms: float) -> dict[str, Any]:
        fact = super().retried(call, error, delay_ms)
        return fact | {name: min(fact[name], self.max_delay_ms) for name in ("stated_wait_ms",) if name in fact}


@defect("RES-RETRY-STATED-WAIT-REPORTED", kind="retry")
class TakesZeroForAbsent(Retry):
    """A stated wait of 0 is left out."""

    def stated_ms(self, error: Exception) -> float | None:
        return super().stated_ms(error) or None


@defect("RES-RETRY-STATED-WAIT-INVALID", kind="retry")
class BelievesAnyStatedWait(Retry):
    """retry_after_ms is calculated with, whatever it is."""

    def stated_ms(self, error: Exception) -> float | None:
        return getattr(error, "retry_after_ms", None)


@defect("RES-RETRY-STATED-WAIT-INVALID", kind="retry")
class TakesTrueForAMillisecond(Retry):
    """A bool counts as a number."""

    def stated_ms(self, error: Exception) -> float | None:
        value = getattr(error, "retry_after_ms", None)
        return value if isinstance(value, bool) else super().stated_ms(error)


@defect("RES-RETRY-TIMESTAMP-IS-NOT-A-WAIT", kind="retry")
class ReadsRetryAfter(Retry):
    """The timestamp of an open circuit is taken for a wait."""

    def stated_ms(self, error: Exception) -> float | None:
        stated = super().stated_ms(error)
        return getattr(error, "retry_after", None) if stated is None else stated
