"""No rule fails an adapter for Anthropic's messages that keeps the contract, however it is made."""

from __future__ import annotations

import pytest

from portproof.catalogue import invariants_of
from portproof.checks.registry import registered_checks
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.wires import dialect_named

from . import anthropic, anthropic_bodies

CORRECT = anthropic.CORRECT | anthropic_bodies.CORRECT
FAMILIES = ("thinking", "replay", "caching", "answers", "streams")


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_adapter_breaks_no_rule(name: str) -> None:
    """Nothing fails of what is particular to this wire, and most of it was shown."""
    subject = look_at(name, CORRECT[name], "provider", dialect_named("anthropic-messages"), {})
    assert subject.problem is None
    checks = {rule: check.function.__module__.rpartition(".")[2] for rule, check in registered_checks().items()}
    rules = [r for r in invariants_of("provider") if r.id.startswith("WIRE-ANT-") or checks.get(r.id) in FAMILIES]
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in rules}
    assert not {rule: result for rule, result in results.items() if result.outcome in ("failed", "error")}
    assert sum(result.outcome == "passed" for result in results.values()) > len(rules) / 2
