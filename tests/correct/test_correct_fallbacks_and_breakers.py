"""No rule fails a correct fallback or circuit breaker, however it works inside."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from agentports.resilience import fallback_provider, with_circuit_breaker, with_fallback
from portproof.catalogue import invariants_of
from portproof.checks.registry import registered_checks
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.subjects.subject import Subject
from tests.correct import breakers, fallbacks

SUBJECTS: dict[str, Any] = {
    **{target.__name__: target for target in (with_fallback, fallback_provider, with_circuit_breaker)},
    **{f"fallbacks.{name}": getattr(fallbacks, name) for name in fallbacks.__all__},
    **{f"breakers.{name}": getattr(breakers, name) for name in breakers.__all__},
}

#: A wrapper need not report; whoever does not is told so.
BY_DESIGN = {("fallbacks.SilentPair", "RES-OWN-ACTIONS-REPORTED"), ("breakers.Silent", "RES-OWN-ACTIONS-REPORTED")}

RULES = [rule for rule in invariants_of("provider-wrapper") if rule.id in registered_checks()]


@cache
def subject_named(name: str) -> Subject:
    return look_at(name, SUBJECTS[name], "provider-wrapper", None, {})


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_correct_wrapper_breaks_no_rule(name: str) -> None:
    subject = subject_named(name)
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in RULES}
    wrong = {
        rule: result
        for rule, result in results.items()
        if result.outcome in ("failed", "error") and (name, rule) not in BY_DESIGN
    }
    assert not wrong, "\n".join(f"{rule}: {result.outcome}: {result}" for rule, result in wrong.items())
    assert sum(result.outcome == "passed" for result in results.values()) > 20


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_correct_wrapper_is_recognised(name: str) -> None:
    """By its arguments and by what it does, without being told its kind."""
    assert subject_named(name).kind == ("circuit-breaker" if "reaker" in name else "fallback")
