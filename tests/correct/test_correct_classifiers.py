"""No rule fails an error classifier that keeps the contract, however it is made."""

from __future__ import annotations

from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .classifiers import Documented


def test_a_classifier_by_another_hand_breaks_no_must() -> None:
    """It knows the documented wordings; the decided ones are advice, and all that it may miss."""
    subject = look_at("Documented", Documented, "provider", None, {})
    rules = [rule for rule in invariants_of("provider") if rule.id.startswith("ERR-")]
    results = {rule: run_rule(subject, rule, PROFILES["default"], 0) for rule in rules}
    broken = {rule.id: result for rule, result in results.items() if result.outcome in ("failed", "error")}
    advice = {rule.id for rule in results if rule.level == "should" and rule.id in broken}
    assert set(broken) == advice, broken
    assert all(rule.startswith("ERR-CTX-") for rule in advice), broken
    assert sum(result.outcome == "passed" for result in results.values()) > 40
