"""What a factory of relays may name, and what a relay offers beside the application."""

from __future__ import annotations

import sys
from typing import Any

from portproof.running.loops import Time
from portproof.subjects.looking import common_supply
from portproof.subjects.subject import Subject

__all__ = ["DEFAULT_LIMIT", "is_url", "read_relay", "relay_supply"]

#: Bytes: the limit of a relay that is given none.
DEFAULT_LIMIT = 1_048_576


def is_url(subject: Subject) -> bool:
    """Whether the subject is an address, with the program behind it out of sight."""
    return isinstance(subject.target, str)


def relay_supply(subject: Subject, time: Time, provider: Any, authorize: Any, limit: int | None) -> dict[str, Any]:
    """What the factory may name; without a limit, only a factory that insists on one is given the default."""
    supply = common_supply(subject, time) | {"provider": provider, "authorize": authorize}
    insists = subject.parameters is not None and "limit" in subject.parameters.required - set(subject.options)
    stated = DEFAULT_LIMIT if limit is None and insists else limit
    return supply if stated is None else supply | {"limit": stated}


def read_relay(subject: Subject) -> None:
    """Note the stream that is offered alone, by the subject or by its module."""
    home = sys.modules.get(getattr(subject.target, "__module__", ""))
    offered = getattr(subject.target, "RelayStream", None) or getattr(home, "RelayStream", None)
    subject.members = {"RelayStream": offered}
