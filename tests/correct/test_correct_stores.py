"""No rule fails a plan store that keeps the contract, however it is made."""

from __future__ import annotations

import pytest

from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .stores import CORRECT

#: Only these keep plans beyond the process.
_DURABLE = {"in a context", "built later", "files", "reopened"}
#: Of which a rule cannot make what it needs: a fresh store, or the same one in another process.
_NOT_TESTED = {"an instance": None, "reopened": {"STO-CRASH-CONSISTENT"}}


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_store_passes_every_rule(name: str) -> None:
    """Every rule holds, and those on durability where there is any."""
    subject = look_at(name, CORRECT[name], None, None, {})
    assert subject.port == "plan-store"
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in invariants_of("plan-store")}
    exempt = set() if name in _DURABLE else {"STO-DURABLE-REOPEN", "STO-CRASH-CONSISTENT"}
    assert {rule for rule, result in results.items() if result.outcome == "not_applicable"} == exempt
    untested = {rule for rule, result in results.items() if result.outcome == "not_tested"}
    assert name in _NOT_TESTED or not untested
    assert untested == (_NOT_TESTED.get(name) or untested)
    unsound = {r for r, result in results.items() if result.outcome not in ("passed", "not_applicable", "not_tested")}
    assert not unsound, {rule: results[rule] for rule in unsound}
