"""Looking at a permission checker: its optional members, whether it answers at once, whether it is a role policy."""

from __future__ import annotations

import inspect
from typing import Any

from agentports.ports import PermissionRequest
from portproof.running.loops import Time
from portproof.subjects.looking import common_supply
from portproof.subjects.policies import EXAMPLE_POLICY, policy_maker
from portproof.subjects.subject import Subject
from portproof.subjects.supply import parameters_of

__all__ = ["built_from_roles", "checker_supply", "read_checker"]


def built_from_roles(subject: Subject) -> None:
    """Build a class that needs arguments through its `from_roles`, where it has one: that is its documented door."""
    maker = getattr(subject.target, "from_roles", None)
    if inspect.isclass(subject.target) and callable(maker) and subject.parameters and subject.parameters.required:
        subject.target, subject.parameters = maker, parameters_of(maker)


def checker_supply(subject: Subject, time: Time) -> dict[str, Any]:
    """What a checker's factory may name: also roles, active_role and rules, where it makes role policies."""
    return {**EXAMPLE_POLICY, **common_supply(subject, time)}


async def read_checker(subject: Subject, checker: Any) -> None:
    """Note `governs`, what makes policies, and whether `check` is synchronous."""
    policies = policy_maker(subject, checker)
    if policies is not None:
        await policies.settle()
    subject.members = {"governs": getattr(checker, "governs", None), "from_roles": policies}
    subject.synchronous = not _is_asynchronous(checker)


def _is_asynchronous(checker: Any) -> bool:
    """Whether `check` gives something to await. A plain function may, so it is asked once."""
    if inspect.iscoroutinefunction(checker.check):
        return True
    try:
        answer = checker.check(PermissionRequest(capability="tool_call", target="search"))
    except Exception:
        return False  # what is wrong with it is for the checks to tell
    if inspect.iscoroutine(answer):
        answer.close()
    return inspect.isawaitable(answer)
