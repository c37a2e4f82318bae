"""How relays are named to the harness."""

from __future__ import annotations

from typing import Any

from agentports.relay.server import create_relay
from portproof import RelayServerConformance
from portproof.catalogue import invariant_named
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.subjects.subject import Subject


class _Mine(RelayServerConformance):
    """A class as a project writes it, whose factory wants a limit."""

    def make_subject(self, provider: Any, authorize: Any, limit: int) -> Any:
        return create_relay(provider=provider, authorize=authorize, limit=limit)


def outcome(subject: Subject, rule: str) -> str:
    return run_rule(subject, invariant_named(rule), PROFILES["quick"], 0).outcome


def test_a_conformance_class_is_a_relay() -> None:
    """Its module offers no stream alone, and a factory that wants a limit has no default to be checked."""
    subject = look_at("_Mine", _Mine().make_subject, _Mine.port, None, {})
    assert outcome(subject, "RLY-LIMIT-CONFIGURED") == "passed"
    assert outcome(subject, "RLY-LIMIT-DEFAULT") == "not_tested"
    assert outcome(subject, "RLY-PREABORTED") == "not_applicable"


def test_a_factory_is_told_by_the_hook_that_it_names() -> None:
    """And may be given a limit by an option, which then is its default."""
    subject = look_at("create_relay", create_relay, None, None, {"limit": 2000})
    assert (subject.port, subject.name) == ("relay-server", "create_relay")
    assert outcome(subject, "RLY-LIMIT-BEFORE-PARSE") == "passed"
    assert outcome(subject, "RLY-LIMIT-DEFAULT") == "not_tested"
    assert outcome(subject, "RLY-LISTENERS-RELEASED") == "passed"
