"""No rule fails a fold that keeps the contract, however it is made."""

from __future__ import annotations

import pytest

from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .folds import CORRECT

#: These are made for their difference, not for speed.
_SLOW = {"one at a time": {"OPS-LARGE-LOG"}, "persistent": {"OPS-LARGE-LOG"}}


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_fold_passes_every_rule(name: str) -> None:
    """Every rule holds."""
    subject = look_at(name, CORRECT[name], "op-fold", None, {})
    rules = [rule for rule in invariants_of("op-fold") if rule.id not in _SLOW.get(name, ())]
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in rules}
    assert not {rule: result for rule, result in results.items() if result.outcome != "passed"}
