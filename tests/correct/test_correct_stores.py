"""No rule fails a plan store that keeps the contract, however it is made."""

from __future__ import annotations

import pytest

from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .stores import CORRECT

#: Only these keep plans beyond the process.
_DURABLE = {"in a context", "built later", "files"}


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_store_passes_every_rule(name: str) -> None:
    """Every rule holds, and those on durability where there is any."""
    subject = look_at(name, CORRECT[name], None, None, {})
    assert subject.port == "plan-store"
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in invariants_of("plan-store")}
    exempt = set() if name in _DURABLE else {"STO-DURABLE-REOPEN", "STO-CRASH-CONSISTENT"}
    assert {rule for rule, result in results.items() if result.outcome == "not_applicable"} == exempt
    unsound = {rule: r for rule, r in results.items() if r.outcome not in ("passed", "not_applicable")}
    assert all(name == "an instance" and result.outcome == "not_tested" for result in unsound.values()), unsound
