"""No rule fails an adapter for OpenAI's responses that keeps the contract, however it is made."""

from __future__ import annotations

import pytest

from portproof.catalogue import invariants_of, matching
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.wires import dialect_named

from .responses import CORRECT

PATTERNS = ("WIRE-RSP-*", "PRV-TOOL*", "PRV-*ROLES*", "PRV-USAGE-REPORTED", "STR-PARITY-*", "STR-THINKING-*")
RULES = matching(PATTERNS, invariants_of("provider"))


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_adapter_breaks_no_rule(name: str) -> None:
    """Nothing fails of what is particular to this wire."""
    subject = look_at(name, CORRECT[name], "provider", dialect_named("openai-responses"), {})
    assert subject.problem is None
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in RULES}
    assert not {rule: result for rule, result in results.items() if result.outcome in ("failed", "error")}
    assert sum(result.outcome == "passed" for rule, result in results.items() if rule.startswith("WIRE-RSP")) >= 8
