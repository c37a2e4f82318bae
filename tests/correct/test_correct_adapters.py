"""No rule fails an adapter that keeps the contract, however it is made."""

from __future__ import annotations

import pytest

from portproof.catalogue import invariants_of
from portproof.checks.registry import registered_checks
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.wires import dialect_named

from .adapters import CORRECT

#: Those that answer or fail on paths of their own. The others share the reference's way with errors.
_OWN_FAILURES = {"the reference", "synchronous", "complete by stream", "plain dicts"}


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_adapter_breaks_no_rule(name: str) -> None:
    subject = look_at(name, CORRECT[name], "provider", dialect_named("openai-chat"), {})
    assert subject.problem is None
    assert subject.synchronous is (name == "synchronous")
    rules = [rule for rule in invariants_of("provider") if rule.id in registered_checks()]
    rules = [rule for rule in rules if name in _OWN_FAILURES or not rule.id.startswith("ERR-")]
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in rules}
    broken = {rule: result for rule, result in results.items() if result.outcome in ("failed", "error")}
    assert not broken
    assert sum(result.outcome == "passed" for result in results.values()) > 40
