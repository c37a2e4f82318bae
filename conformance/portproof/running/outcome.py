"""What a check says: it returns when the rule held, and raises one of these when it did not, or could not tell."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = [
    "OUTCOMES",
    "CheckFunction",
    "CheckResult",
    "NotApplicable",
    "NotTested",
    "Outcome",
    "Violation",
    "expect",
    "expect_equal",
]

Outcome = Literal["passed", "failed", "not_applicable", "not_tested", "known_failure", "unexpected_pass", "error"]
OUTCOMES: Final[tuple[Outcome, ...]] = (
    "passed",
    "failed",
    "not_applicable",
    "not_tested",
    "known_failure",
    "unexpected_pass",
    "error",
)


#: Values up to this length together are shown in the message itself.
_SHORT = 100

#: A check: it is given a bench, and one value drawn from each of its strategies.
CheckFunction = Callable[..., Coroutine[Any, Any, None]]


class Violation(Exception):
    """The subject broke the rule. `evidence` is what shows it, beside the example that was drawn."""

    def __init__(self, message: str, **evidence: Any) -> None:
        super().__init__(message)
        self.evidence = evidence


class NotApplicable(Exception):
    """The contract exempts this subject; the message says why."""


class NotTested(Exception):
    """The rule applies, but the harness cannot show it here; the message says why."""


@dataclass(frozen=True)
class CheckResult:
    """How one rule fared with one subject. `examples` is how many were run, `duration_s` how long it took."""

    outcome: Outcome
    message: str = ""
    counterexample: Any = None
    examples: int = 0
    duration_s: float = 0.0


def expect(holds: object, message: str, **evidence: Any) -> None:
    """Raise a `Violation` unless the condition holds."""
    if not holds:
        raise Violation(message, **evidence)


def expect_equal(actual: Any, expected: Any, what: str, **evidence: Any) -> None:
    """Raise a `Violation` that shows both unless they are equal."""
    if actual != expected:
        short = len(repr(expected)) + len(repr(actual)) <= _SHORT
        seen = f": expected {expected!r}, got {actual!r}" if short else " is not what it should be"
        raise Violation(f"{what}{seen}", expected=expected, got=actual, **evidence)
