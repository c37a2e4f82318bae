"""No rule fails an encoding that keeps the contract, however it is made."""

from __future__ import annotations

import pytest

from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .encodings import CORRECT

_GUARDS, _CLASSES = {"ENC-REF-GUARDS"}, {"ENC-REF-IMMUTABLE"}
#: What does not apply to those that offer nothing besides the three functions, or only guards.
_EXEMPT = {
    "the second encoder": _GUARDS | _CLASSES,
    "static methods": _CLASSES,
    "functions in a class": _GUARDS | _CLASSES,
    "a memory of bytes": _GUARDS | _CLASSES,
}


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_encoding_passes_every_rule(name: str) -> None:
    """Every rule that applies holds."""
    subject = look_at(name, CORRECT[name], "encoding", None, {})
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in invariants_of("encoding")}
    exempt = {rule for rule, result in results.items() if result.outcome == "not_applicable"}
    assert exempt == _EXEMPT.get(name, set())
    assert not {rule: result for rule, result in results.items() if result.outcome != "passed" and rule not in exempt}
