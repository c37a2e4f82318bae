"""Retry wrappers that try the wrong failures again, or not the right ones."""

from __future__ import annotations

from agentports.ports import AbortError, ProviderError
from portproof.selftest import defect

from ._retry import Call, Retry


@defect("RES-RETRY-4XX-NOT-RETRIED", kind="retry")
class RetriesWhateverFailed(Retry):
    """No status is final."""

    def is_final(self, error: Exception) -> bool:
        return False


@defect("RES-RETRY-4XX-NOT-RETRIED", kind="retry")
class RetriesRefusedCredentials(Retry):
    """A 401 is taken for a token that is about to be renewed."""

    def is_final(self, error: Exception) -> bool:
        return super().is_final(error) and self.status_of(error) != 401


@defect("RES-RETRY-OTHER-4XX", kind="retry")
class RetriesTimeoutsAndConflicts(Retry):
    """408 and 409 are retried, as several SDKs do."""

    def is_final(self, error: Exception) -> bool:
        return super().is_final(error) and self.status_of(error) not in (408, 409)


@defect("RES-RETRY-429-5XX-RETRIED", kind="retry")
class TreatsThrottlingAsABadRequest(Retry):
    """429 is one of the 4xx."""

    def is_final(self, error: Exception) -> bool:
        return super().is_final(error) or self.status_of(error) == 429


@defect("RES-RETRY-429-5XX-RETRIED", kind="retry")
class DoesNotKnowOverload(Retry):
    """Only the registered server errors are retried, so a 529 is final."""

    def is_final(self, error: Exception) -> bool:
        return super().is_final(error) or (self.status_of(error) or 0) > 511


@defect("RES-RETRY-429-5XX-RETRIED", kind="retry")
class TakesSomeServerErrorsForFinal(Retry):
    """What a server will never be able to do is not tried again."""

    def is_final(self, error: Exception) -> bool:
        return super().is_final(error) or self.status_of(error) in (501, 505, 507, 520)


@defect("RES-RETRY-NO-STATUS-RETRIED", kind="retry")
class RetriesOnlyAnswers(Retry):
    """A transport that failed gave no answer to retry."""

    def is_final(self, error: Exception) -> bool:
        return super().is_final(error) or isinstance(error, OSError)


@defect("RES-RETRY-UNKNOWN-RETRIED", kind="retry")
class KnowsAFewClasses(Retry):
    """Without a status, only failures of providers and of transports are retried."""

    def is_final(self, error: Exception) -> bool:
        unknown = self.status_of(error) is None and not isinstance(error, ProviderError | OSError)
        return unknown or super().is_final(error)


@defect("RES-RETRY-UNKNOWN-RETRIED", kind="retry")
class TakesSomeClassesForMistakes(Retry):
    """ValueError and TypeError are taken for mistakes of the program."""

    def is_final(self, error: Exception) -> bool:
        return super().is_final(error) or isinstance(error, ValueError | TypeError)


@defect("RES-RETRY-STATUS-CODE-READ", kind="retry")
class ReadsStatusOnly(Retry):
    """The attribute of common HTTP libraries is not read."""

    def status_of(self, error: Exception) -> int | None:
        status = getattr(error, "status", None)
        return status if isinstance(status, int) else None


@defect("RES-RETRY-ABORT-NOT-RETRIED", kind="retry")
class RetriesAborts(Retry):
    """Only CancelledError is taken for the caller's stop."""

    def is_abort(self, error: Exception) -> bool:
        return False


@defect("RES-RETRY-ABORT-NOT-RETRIED", kind="retry")
class KnowsItsOwnAbortError(Retry):
    """Aborts of other libraries are not recognised by name."""

    def is_abort(self, error: Exception) -> bool:
        return isinstance(error, AbortError) or getattr(error, "code", None) == "ABORT_ERR"


@defect("RES-RETRY-HOPELESS-NOT-RETRIED", kind="retry")
class RetriesTheHopeless(Retry):
    """Refusals without a status fall into the branch for unknown errors."""

    def is_hopeless(self, error: Exception) -> bool:
        return False


@defect("RES-RETRY-PREDICATE-DECIDES", kind="retry")
class AsksBothPolicies(Retry):
    """should_retry can forbid and not allow."""

    def accepts(self, call: Call, error: Exception) -> bool:
        return super().accepts(call, error) and not self.is_final(error)


@defect("RES-RETRY-PREDICATE-ARGUMENTS", kind="retry")
class NumbersTheNextAttempt(Retry):
    """should_retry gets the attempt to come."""

    def accepts(self, call: Call, error: Exception) -> bool:
        return super().accepts(Call(call.request, call.hooks, call.began, call.attempt + 1), error)


@defect("RES-RETRY-PREDICATE-ARGUMENTS", kind="retry")
class AsksAfterTheLastAttempt(Retry):
    """should_retry is asked although its answer changes nothing."""

    def goes_on(self, call: Call, error: Exception) -> bool:
        return self.accepts(call, error) and call.attempt < self.max_attempts
