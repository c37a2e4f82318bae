"""No rule fails a code runner that keeps the contract, however it is made."""

from __future__ import annotations

from typing import Any

import pytest

from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.outcome import CheckResult
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .code_runners import Beside, Frugal, Hashing, Living, Threaded, opened


def broken(target: Any, prefix: str = "CODE-") -> tuple[dict[str, CheckResult], int]:
    """What the rules of that prefix say against a runner, and how many passed."""
    subject = look_at(target.__name__, target, "code-runner", None, {})
    assert subject.problem is None, subject.problem
    rules = [rule for rule in invariants_of("code-runner") if rule.id.startswith(prefix)]
    results = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in rules}
    wrong = {rule: result for rule, result in results.items() if result.outcome in ("failed", "error")}
    return wrong, sum(result.outcome == "passed" for result in results.values())


@pytest.mark.parametrize(("runner", "least"), [(Threaded, 30), (Hashing, 50), (Beside, 48), (Living, 30), (Frugal, 30)])
def test_a_correct_runner_breaks_no_rule(runner: Any, least: int) -> None:
    """Whether it uses threads, one live interpreter, hashed folders, relative paths or a service."""
    wrong, passed = broken(runner)
    assert not wrong
    assert passed >= least


def test_a_runner_may_be_entered() -> None:
    """A factory that gives a context manager is entered, and left in the end."""
    wrong, passed = broken(opened, "CODE-STOP-")
    assert not wrong
    assert passed >= 4
