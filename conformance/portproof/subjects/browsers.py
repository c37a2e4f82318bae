"""Browser runners: what their factories are given, and what is seen of them before any check."""

from __future__ import annotations

import contextlib
from typing import Any

from agentports.sim import SimulatedBrowsers
from portproof.errors import UsageProblem
from portproof.running.loops import Time
from portproof.subjects.looking import common_supply, public_members
from portproof.subjects.subject import Subject
from portproof.subjects.supply import OnDemand

__all__ = ["browser_supply", "is_simulated", "read_browser_runner"]

_METHODS = ("click", "type", "press", "screenshot", "stop")
_OPTIONAL = ("hand_control_to", "automation_endpoint", "live_view_endpoint")


def browser_supply(subject: Subject, time: Time) -> dict[str, Any]:
    """What a browser runner's factory may name."""
    return {"backend": OnDemand(lambda exits: SimulatedBrowsers())} | common_supply(subject, time)


def is_simulated(subject: Subject) -> bool:
    """Whether the browsers are the simulated ones: the factory names `backend`, and the user gives it no other."""
    return subject.takes("backend") and "backend" not in subject.options


async def read_browser_runner(subject: Subject, runner: Any) -> None:
    """Open a session, to see which optional members it has.

    Raises `UsageProblem` when it lacks one of the others.
    """
    subject.name = str(getattr(runner, "id", "") or subject.name)
    session = await runner.start(key="portproof")
    try:
        lacking = [method for method in _METHODS if not callable(getattr(session, method, None))]
        if lacking:
            raise UsageProblem(
                f"--adapter {subject.spec}: what start gives is no session of a {subject.port}: it has no method "
                f"{', '.join(lacking)}. It has {public_members(session)}."
            )
        # Whether there is an address is enough: the address itself may hold a secret, and this is reported.
        subject.members = {member: bool(getattr(session, member, None)) or None for member in _OPTIONAL}
    finally:
        with contextlib.suppress(Exception):
            await session.stop()
