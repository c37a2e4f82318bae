"""No rule fails a wrapper that keeps the contract, however it is made."""

from __future__ import annotations

from typing import Any

import pytest

from agentports.resilience import fallback_provider, with_circuit_breaker, with_fallback, with_retry
from portproof.catalogue import invariants_of
from portproof.checks.registry import registered_checks
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.subjects.subject import Subject

from .wrappers import CORRECT, CORRECT_PAIRS, KINDS

REFERENCES: dict[str, Any] = {
    target.__name__: target for target in (with_retry, with_circuit_breaker, with_fallback, fallback_provider)
}
SUBJECTS = {**REFERENCES, **CORRECT, **CORRECT_PAIRS}


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_correct_wrapper_breaks_no_rule(name: str) -> None:
    """No must and no should, and most of what it owes was shown."""
    broken, passed = outcomes(look_at(name, SUBJECTS[name], "provider-wrapper", None, options_of(name)))
    assert not broken
    assert passed > 25


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_wrapper_of_unstated_kind_breaks_no_rule(name: str) -> None:
    """A wrapper of one provider whose kind was not said is taken for one with a purpose of its own."""
    subject = look_at(name, CORRECT[name], "provider-wrapper", None, {})
    assert subject.kind == "other", subject.problem
    broken, passed = outcomes(subject)
    assert not broken
    assert passed > 20


def options_of(name: str) -> dict[str, str]:
    return {"kind": KINDS[name]} if name in KINDS else {}


def outcomes(subject: Subject) -> tuple[dict[str, Any], int]:
    """What failed or erred, by rule, and how many rules passed."""
    rules = [rule for rule in invariants_of("provider-wrapper") if rule.id in registered_checks()]
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in rules}
    broken = {rule: result for rule, result in results.items() if result.outcome in ("failed", "error")}
    return broken, sum(result.outcome == "passed" for result in results.values())
