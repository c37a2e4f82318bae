"""No rule fails a provider over HTTP that keeps the contract, however it is made."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from agentports.relay import AgentProvider, RelayProvider
from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.outcome import CheckResult
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .http_providers import CORRECT, CORRECT_RELAYS

SUBJECTS: dict[str, Any] = {"the reference": AgentProvider, **CORRECT}
RELAYS: dict[str, Any] = {"the reference": RelayProvider, **CORRECT_RELAYS}


@cache
def results(port: str, name: str, target: Any) -> dict[str, CheckResult]:
    """What every rule says of a subject whose port was not stated."""
    subject = look_at(name, target, None, None, {})
    assert subject.port == port
    return {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in invariants_of(subject.port)}


def broken(found: dict[str, CheckResult]) -> dict[str, CheckResult]:
    """The rules that do not hold, or could not be examined."""
    return {rule: result for rule, result in found.items() if result.outcome in ("failed", "error")}


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_correct_provider_breaks_no_rule(name: str) -> None:
    """No must and no should, and most was shown; of a concrete provider what needs no look at its seams."""
    found = results("http-provider", name, SUBJECTS[name])
    assert not broken(found)
    shown = sum(result.outcome == "passed" for result in found.values())
    assert shown >= (100 if name != "concrete" else 60)


@pytest.mark.parametrize("name", RELAYS)
def test_a_correct_relay_provider_breaks_no_rule(name: str) -> None:
    """No must and no should, whatever it makes of lines that are no JSON."""
    found = results("relay-provider", name, RELAYS[name])
    assert not broken(found)
    assert sum(result.outcome == "passed" for result in found.values()) >= 35


def test_what_a_concrete_provider_does_not_show_is_not_tested() -> None:
    """Its seams, its deadline and the parameters that it does not name are neither passed nor failed."""
    found = results("http-provider", "concrete", CORRECT["concrete"])
    for rule in ("HTTP-PARSER-CLEARED", "HTTP-DEADLINE-TOTAL", "HTTP-SPLIT-OFF-VERBATIM", "HTTP-HEADERS-FAILURE"):
        assert found[rule].outcome == "not_tested"
