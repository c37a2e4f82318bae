"""The rules cover all that the contract's own kit tests, and more."""

from __future__ import annotations

from portproof.catalogue import catalogue, invariants_of
from portproof.catalogue.upstream import UPSTREAM_CASES


def test_every_case_of_the_kit_has_its_rules() -> None:
    """The kit numbers eighteen cases, and each is covered by rules of the plan store that exist."""
    assert [case.split()[0] for case in UPSTREAM_CASES] == [str(n) for n in range(1, 19)]
    for case, rules in UPSTREAM_CASES.items():
        assert rules, case
        assert all(catalogue()[rule].port == "plan-store" for rule in rules), case


def test_the_rules_go_beyond_the_kit() -> None:
    """Most rules of the plan store have no case there."""
    covered = {rule for rules in UPSTREAM_CASES.values() for rule in rules}
    assert len(invariants_of("plan-store")) > 2 * len(covered)
