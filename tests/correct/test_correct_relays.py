"""No rule fails a relay that keeps the contract, however it is made."""

from __future__ import annotations

from typing import Any

import pytest

from agentports.relay.server import create_relay
from portproof.catalogue import invariants_of
from portproof.ports.loading import look_at
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule

from .relays import CORRECT

SUBJECTS: dict[str, Any] = {"the reference": create_relay, **CORRECT}


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_correct_relay_breaks_no_rule(name: str) -> None:
    """No must and no should, and every rule is shown but those of a stream that is not offered."""
    subject = look_at(name, SUBJECTS[name], None, None, {})
    assert subject.port == "relay-server"
    found = {rule.id: run_rule(subject, rule, PROFILES["quick"], 0) for rule in invariants_of(subject.port)}
    assert not {rule: result for rule, result in found.items() if result.outcome in ("failed", "error")}
    unseen = {rule for rule, result in found.items() if result.outcome != "passed"}
    inbound = {"RLY-DISCONNECT-REASON", "RLY-PREABORTED", "RLY-LISTENERS-RELEASED", "RLY-INBOUND-ABORT-BODY"}
    assert unseen <= (inbound if name == "streaming responses" else set())
