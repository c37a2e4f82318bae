"""Every rule of the catalogue has a check, and a known-bad implementation that this check catches."""

from __future__ import annotations

import pytest

from portproof.catalogue import catalogue
from portproof.checks.registry import registered_checks
from portproof.selftest import Defect, known_defects, try_defect

DEFECTS = [known for rule in catalogue() for known in known_defects().get(rule, [])]


@pytest.mark.parametrize("rule", list(catalogue()))
def test_every_rule_has_a_check_and_a_defect(rule: str) -> None:
    """A rule that no check covers, or that nothing breaks, is a gap."""
    assert rule in registered_checks(), f"{rule} has no check"
    assert known_defects().get(rule), f"{rule} has no defect in tests/defects/"


def test_no_check_stands_for_a_rule_that_is_not_in_the_catalogue() -> None:
    """A check's id is the id of a rule."""
    assert set(registered_checks()) <= set(catalogue())


@pytest.mark.parametrize("known", DEFECTS, ids=lambda known: f"{known.rule}-{known.name}")
def test_the_check_catches_the_defect(known: Defect) -> None:
    """The check of the rule fails the known-bad implementation."""
    trial = try_defect(known)
    assert trial.caught, f"{known.name} was not caught: {trial.result}"
