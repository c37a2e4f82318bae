"""The words of the port permission-checker."""

from __future__ import annotations

from portproof.conditions.words import Words, when
from portproof.running.outcome import NotApplicable, NotTested
from portproof.subjects.subject import Subject

__all__ = ["PERMISSION_WORDS"]


def _is_role_policy(subject: Subject) -> None:
    policies = subject.members.get("from_roles")
    if policies is None:
        raise NotApplicable("the subject is no role policy: it has no from_roles")
    if policies.problem is not None:
        raise NotTested(f"no policy can be made with roles, active_role and rules: {policies.problem}")


PERMISSION_WORDS = Words(
    [
        (
            "governs is present",
            lambda: when(lambda s: s.members.get("governs") is not None, "the checker declares no governs"),
        ),
        ("check is asynchronous", lambda: when(lambda s: not s.synchronous, "check answers at once")),
        ("the subject is a role policy", lambda: _is_role_policy),
    ]
)
