"""No rule fails a factory of locks that keeps the contract, however it is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentports.plans import MemoryPlanLocks, SQLitePlanLocks
from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .locks import CORRECT


def _in_a_file(tmp_path: Path, clock: Any, sleep: Any) -> SQLitePlanLocks:
    return SQLitePlanLocks(tmp_path / "plans.db", clock, sleep)


SUBJECTS: dict[str, Any] = {"the reference": MemoryPlanLocks, "the reference in a file": _in_a_file, **CORRECT}
#: These take no clock, or no sleep, so not every rule applies.
_OWN_TIME = {"own time", "an instance", "within a context"}


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_correct_lock_breaks_no_rule(name: str) -> None:
    """Every rule that applies holds, and where time is handed over every rule applies."""
    subject = look_at(name, SUBJECTS[name], None, None, {})
    assert subject.port == "plan-lock"
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in invariants_of("plan-lock")}
    allowed = {"passed", "not_applicable"} if name in _OWN_TIME else {"passed"}
    assert not {rule: result for rule, result in results.items() if result.outcome not in allowed}
