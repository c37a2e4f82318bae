"""Whether a checker is asked, and what a halt says."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from agentports.permissions import checker_governs
from agentports.ports import (
    PERMISSION_CAPABILITIES,
    PermissionDecision,
    PermissionRequest,
    PolicyHaltError,
    ProposedCall,
    SequenceEntry,
)


@pytest.mark.parametrize("governs", [None, (), ("external_net",)])
def test_a_checker_is_always_asked_about_tool_calls(governs: Any) -> None:
    """Whatever governs says."""
    assert checker_governs(SimpleNamespace(name="c", governs=governs, check=None), "tool_call")


def test_a_checker_is_asked_about_the_rest_only_where_it_says_so() -> None:
    """An absent governs means no, and so does an absent checker."""
    listing: Any = SimpleNamespace(name="c", governs=["external_net"], check=None)
    silent: Any = SimpleNamespace(name="c", check=None)
    rest = [capability for capability in PERMISSION_CAPABILITIES if capability != "tool_call"]
    assert [capability for capability in rest if checker_governs(listing, capability)] == ["external_net"]
    assert not any(checker_governs(silent, capability) for capability in rest)
    assert not any(checker_governs(None, capability) for capability in PERMISSION_CAPABILITIES)


def test_a_request_needs_no_more_than_its_capability() -> None:
    """Everything else may be absent; an iteration counts from 1."""
    request = PermissionRequest(capability="skill_read", target="skill:style")
    assert (request.actor, request.sequence, request.history, request.signal) == ("agent", None, None, None)
    with pytest.raises(ValidationError):
        PermissionRequest(capability="tool_call", target="search", iteration=0)


@pytest.mark.parametrize(
    ("decided", "reason"),
    [
        ({"reason": "tag", "rationale": "because"}, "tag"),
        ({"rationale": "because"}, "because"),
        ({}, "policy-halt"),
    ],
)
def test_a_halt_says_why_and_after_what(decided: dict[str, str], reason: str) -> None:
    """The reason falls back on the rationale; the sequence ends with the call that was judged."""
    ran = SequenceEntry(name="search", args={}, iteration=1)
    proposed = ProposedCall(name="delete", args={"all": True})
    error = PolicyHaltError(
        PermissionDecision(result="halt", tell_llm="Stop.", **decided),
        proposed=proposed,
        sequence=[ran],
        history=[],
        iteration=2,
        checker_id="policy",
    )
    assert (error.code, error.reason, error.tell_llm) == ("ERR_POLICY_HALT", reason, "Stop.")
    assert error.sequence == [ran, proposed]
    assert "policy halted the run at delete" in str(error)
