"""No rule fails a retry wrapper that keeps the contract, however it is made."""

from __future__ import annotations

from typing import Any

import pytest

from agentports.resilience import with_retry
from portproof.catalogue import Invariant, invariants_of
from portproof.checks.registry import registered_checks
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .retries import CORRECT, SHOULDS

SUBJECTS: dict[str, Any] = {"the reference": with_retry, **CORRECT}


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_correct_retry_breaks_no_rule(name: str) -> None:
    subject = look_at(name, SUBJECTS[name], "provider-wrapper", None, {})
    assert subject.kind == "retry", subject.problem
    rules = [rule for rule in invariants_of("provider-wrapper") if rule.id in registered_checks()]
    results = {rule: run_rule(subject, rule, PROFILES["quick"], 0) for rule in rules}
    broken = {rule.id: result for rule, result in results.items() if result.outcome in ("failed", "error")}
    advice = {rule.id for rule in results if _is_advice(rule)} & set(broken)
    assert advice == SHOULDS.get(name, set()), broken
    assert set(broken) == advice, broken
    assert sum(result.outcome == "passed" for result in results.values()) > 50


def _is_advice(rule: Invariant) -> bool:
    return rule.level == "should"
