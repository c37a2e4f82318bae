"""No rule fails a pricing table that keeps the contract, however it is made."""

from __future__ import annotations

import pytest

from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .tables import CORRECT, OPTIONS


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_table_passes_every_rule(name: str) -> None:
    """With models and prices stated every rule is shown, and holds."""
    subject = look_at(name, CORRECT[name], None, None, OPTIONS)
    assert subject.port == "pricing-table"
    results = {rule.id: run_rule(subject, rule, PROFILES["default"], 0) for rule in invariants_of(subject.port)}
    assert not {rule: result for rule, result in results.items() if result.outcome != "passed"}


@pytest.mark.parametrize("name", CORRECT)
def test_without_models_what_cannot_be_asked_is_not_tested(name: str) -> None:
    """Nothing fails, and the rules on prices do not count as shown."""
    subject = look_at(name, CORRECT[name], None, None, {})
    outcomes = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0).outcome for rule in invariants_of(subject.port)}
    unasked = {"PRC-NUMBER", "PRC-KINDS", "PRC-PER-ONE-TOKEN", "PRC-MAGNITUDE", "PRC-KIND-UNKNOWN"}
    assert {rule for rule, outcome in outcomes.items() if outcome == "not_tested"} == unasked
    assert set(outcomes.values()) == {"passed", "not_tested"}
