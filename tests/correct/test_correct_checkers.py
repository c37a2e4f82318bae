"""No rule fails a permission checker that keeps the contract, however it is made."""

from __future__ import annotations

from typing import Any

import pytest

from agentports.permissions import PermissionPolicy
from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.outcome import CheckResult
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .checkers import CORRECT

SUBJECTS: dict[str, Any] = {"the reference": PermissionPolicy, **CORRECT}


def results(name: str) -> dict[str, CheckResult]:
    """What every rule says of a subject whose port was not stated."""
    subject = look_at(name, SUBJECTS[name], None, None, {})
    assert subject.port == "permission-checker"
    return {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in invariants_of(subject.port)}


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_correct_checker_breaks_no_rule(name: str) -> None:
    """No must and no should, and what applies to any checker was shown."""
    found = results(name)
    assert not {rule: result for rule, result in found.items() if result.outcome in ("failed", "error")}
    shown = {rule for rule, result in found.items() if result.outcome == "passed"}
    assert shown >= {"PERM-NAME", "PERM-DECISION-SHAPE", "PERM-MINIMAL-REQUEST", "PERM-REQUEST-NOT-MUTATED"}


@pytest.mark.parametrize("name", ["the reference", "policy of functions"])
def test_a_role_policy_is_shown_to_be_one(name: str) -> None:
    """Whether it is a class with from_roles or a function of roles and active_role."""
    found = results(name)
    assert {result.outcome for rule, result in found.items() if rule.startswith("PERM-POLICY")} == {"passed"}


def test_policies_that_cannot_be_made_are_not_tested() -> None:
    """A from_roles that takes no roles is neither passed over in silence nor failed."""
    found = results("own roles")
    assert {result.outcome for rule, result in found.items() if rule.startswith("PERM-POLICY")} == {"not_tested"}
    assert "no policy can be made" in found["PERM-POLICY-ALLOWLIST"].message


@pytest.mark.parametrize("name", ["remote", "polling", "in a thread"])
def test_slow_checkers_are_asked_on_their_own_time(name: str) -> None:
    """Their waits cost nothing, and aborting and interleaving them is shown."""
    found = results(name)
    assert found["PERM-SIGNAL-HONOURED"].outcome == found["PERM-CONCURRENT"].outcome == "passed"


def test_answers_that_depend_on_earlier_ones_are_not_compared() -> None:
    """A checker that counts is no violation of independence."""
    assert results("rate-limited")["PERM-CONCURRENT"].outcome == "not_tested"
