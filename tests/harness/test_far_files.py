"""Of a runner whose code sees other files than those of this machine, what shows without them is tested."""

from __future__ import annotations

from typing import Any

import pytest

from agentports.runners import LocalCodeRunner
from portproof.catalogue import invariant_named
from portproof.ports.loading import look_at
from portproof.running.outcome import Outcome
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.selftest import known_defects

RULES = ("CODE-LANGUAGE-UNKNOWN", "CODE-STOP-REFUSES-EXECUTE", "CODE-ABORT-BEFORE", "CODE-STAGE-NO-TRAVERSAL")


def outcome(target: Any, rule: str) -> Outcome:
    """What the rule says of a runner that is taken for one on another machine."""
    subject = look_at(target.__name__, target, "code-runner", None, {})
    subject.members = {**subject.members, "host_files": False}
    return run_rule(subject, invariant_named(rule), PROFILES["quick"], 0).outcome


@pytest.mark.parametrize("rule", RULES)
def test_a_correct_runner_with_far_files_passes(rule: str) -> None:
    """It is tested, and nothing is held against it that is not seen."""
    assert outcome(LocalCodeRunner, rule) == "passed"


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "CODE-ABORT-BEFORE"])
def test_a_broken_runner_with_far_files_is_caught(rule: str) -> None:
    """A result where an exception is due and a path that leads outside show without a look at files."""
    assert "failed" in [outcome(known.target, rule) for known in known_defects()[rule]]
