"""The words of the port browser-runner."""

from __future__ import annotations

from portproof.conditions.words import Condition, Words, when
from portproof.subjects.browsers import is_simulated

__all__ = ["BROWSER_WORDS"]

_SIMULATED = when(
    is_simulated, "the factory is given no simulated `backend`: what reaches the browser is not seen from here"
)


def _has(member: str) -> Condition:
    return when(lambda s: s.members.get(member), f"the sessions have no {member}")


BROWSER_WORDS = Words(
    [
        ("the subject is built on the simulated browser", lambda: _SIMULATED),
        (r"(automation_endpoint|hand_control_to) is present", _has),
    ]
)
