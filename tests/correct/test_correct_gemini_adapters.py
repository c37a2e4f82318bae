"""No rule fails an adapter for Gemini that keeps the contract, however it is made."""

from __future__ import annotations

import pytest

from portproof.catalogue import invariants_of
from portproof.checks.registry import registered_checks
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.wires import dialect_named

from .gemini import CORRECT

#: The rules that say something about how bodies are written and answers are read.
FAMILIES = (
    "gemini_",
    "every_wire",
    "request",
    "guarantees",
    "manifests",
    "answers",
    "thinking",
    "stream_ends",
    "usage",
)


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_adapter_breaks_no_rule(name: str) -> None:
    """Nothing fails, and most of what is particular to this wire was shown."""
    subject = look_at(name, CORRECT[name], "provider", dialect_named("gemini"), {})
    assert subject.problem is None
    checks = {rule: check.function.__module__.rpartition(".")[2] for rule, check in registered_checks().items()}
    rules = [rule for rule in invariants_of("provider") if checks.get(rule.id, "").startswith(FAMILIES)]
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in rules}
    assert not {rule: result for rule, result in results.items() if result.outcome in ("failed", "error")}
    assert sum(results[rule].outcome == "passed" for rule in results if "GEM" in rule) >= 15
