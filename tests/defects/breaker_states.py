"""Circuit breakers that open too late, too early, or not at all."""

from __future__ import annotations

from typing import Any, ClassVar

from portproof_defects._breaker import Breaker

from portproof.selftest import defect


@defect("RES-BREAKER-PASSES-WHEN-CLOSED", kind="circuit-breaker")
class WrapsTheError(Breaker):
    """Raises an error of its own around the provider's."""

    async def complete(self, request: Any, hooks: Any = None) -> Any:
        try:
            return await super().complete(request, hooks)
        except Exception as error:
            raise RuntimeError("the provider failed") from error


@defect("RES-BREAKER-OPENS-AT-THRESHOLD", kind="circuit-breaker")
class OpensOneFailureLate(Breaker):
    """Takes the threshold for the number of failures that are allowed."""

    def trips(self) -> bool:
        return self.failures > self.failure_threshold


@defect("RES-BREAKER-OPENS-AT-THRESHOLD", kind="circuit-breaker")
class OpensOneFailureEarly(Breaker):
    """Opens a high threshold one failure early."""

    def trips(self) -> bool:
        return self.failures >= min(self.failure_threshold, 5)


@defect("RES-BREAKER-CONSECUTIVE", kind="circuit-breaker")
class CountsFailuresForEver(Breaker):
    """Counts all failures since the start, not those in a row."""

    def succeeded(self, hooks: Any) -> None:
        if self.state != "closed":
            super().succeeded(hooks)


@defect("RES-BREAKER-OPEN-DOES-NOT-CALL", kind="circuit-breaker")
class LetsEveryTenthThrough(Breaker):
    """Tries the provider now and then although the circuit is open."""

    rejections = 0

    def reject(self, hooks: Any) -> None:
        self.rejections += 1
        if self.rejections % 10:
            super().reject(hooks)


@defect("RES-BREAKER-STATE-PER-INSTANCE", kind="circuit-breaker")
class KeysTheStateByName(Breaker):
    """Keeps the state in one table for all breakers, by the name of the provider."""

    table: ClassVar[dict[str, tuple[str, float]]] = {}

    def admit(self, hooks: Any) -> None:
        self.state, self.opened_at = self.table.get(self.name, ("closed", 0.0))
        super().admit(hooks)

    def enter(self, state: str, reason: str, hooks: Any) -> None:
        super().enter(state, reason, hooks)
        self.table[self.name] = (self.state, self.opened_at)


@defect("RES-BREAKER-STATE-PER-INSTANCE", kind="circuit-breaker")
class CountsOnTheClass(Breaker):
    """Counts the failures of all its instances together."""

    together = 0

    def failed(self, error: BaseException, hooks: Any) -> None:
        type(self).together += 1
        super().failed(error, hooks)

    def succeeded(self, hooks: Any) -> None:
        type(self).together = 0
        super().succeeded(hooks)

    def trips(self) -> bool:
        return self.together >= self.failure_threshold


@defect("RES-BREAKER-STATE-SHARED-BY-METHODS", kind="circuit-breaker")
class CountsEachMethodByItself(Breaker):
    """Has one circuit for complete and another one for streams."""

    def __init__(self, inner: Any, failure_threshold: int = 5, cooldown_ms: float = 30_000, clock: Any = None) -> None:
        super().__init__(inner, failure_threshold, cooldown_ms, clock=clock)
        if hasattr(self, "stream"):
            self.stream = Breaker(inner, failure_threshold, cooldown_ms, clock=clock).stream


@defect("RES-BREAKER-DEFAULTS", kind="circuit-breaker")
class OpensAfterThree(Breaker):
    """Opens after three failures when nothing is configured."""

    def __init__(self, inner: Any, failure_threshold: int = 3, clock: Any = None) -> None:
        super().__init__(inner, failure_threshold, clock=clock)


@defect("RES-BREAKER-DEFAULTS", kind="circuit-breaker")
class CoolsForAMinute(Breaker):
    """Stays open for a minute when nothing is configured."""

    def __init__(self, inner: Any, cooldown_ms: float = 60_000, clock: Any = None) -> None:
        super().__init__(inner, cooldown_ms=cooldown_ms, clock=clock)


@defect("RES-BREAKER-STATE-MACHINE", kind="circuit-breaker")
class RemembersOldFailures(Breaker):
    """Does not zero the failure count when it closes, so that the first failure afterwards opens it again."""

    def enter(self, state: str, reason: str, hooks: Any) -> None:
        before = self.failures
        super().enter(state, reason, hooks)
        self.failures = before
