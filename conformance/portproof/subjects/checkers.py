"""Looking at a permission checker: its optional members, whether it answers at once, whether it is a role policy."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from agentports.ports import PermissionRequest
from portproof.running.loops import Time
from portproof.subjects.looking import common_supply
from portproof.subjects.policies import EXAMPLE_POLICY, policy_maker
from portproof.subjects.subject import Subject
from portproof.subjects.supply import parameters_of

__all__ = ["built_from_roles", "checker_supply", "example_policy", "read_checker"]


def built_from_roles(subject: Subject) -> None:
    """Build a class that needs arguments through its `from_roles`, where it has one: that is its documented door."""
    maker = getattr(subject.target, "from_roles", None)
    if inspect.isclass(subject.target) and callable(maker) and subject.parameters and subject.parameters.required:
        subject.target, subject.parameters = maker, parameters_of(maker, subject.options)


def checker_supply(subject: Subject, time: Time) -> dict[str, Any]:
    """What a checker's factory may name: also roles and active_role, where it makes role policies."""
    roles = {name: EXAMPLE_POLICY[name] for name in ("roles", "active_role")}
    return roles | common_supply(subject, time)


async def example_policy(subject: Subject) -> Any:
    """The subject as a policy with rules, in the form in which it reads them; None where it is not made of roles."""
    policies = subject.members.get("from_roles")
    if policies is None or policies.problem is not None or not subject.takes("roles", "active_role"):
        return None
    return await policies(**EXAMPLE_POLICY)


#: For how many seconds an answer is waited for whose content nobody reads.
_PATIENCE_S = 0.5


async def read_checker(subject: Subject, checker: Any) -> None:
    """Note `governs`, what makes policies, and whether `check` is synchronous."""
    policies = policy_maker(subject, checker)
    if policies is not None:
        await policies.settle()
    subject.members = {"from_roles": policies}
    checker = await example_policy(subject) or checker
    subject.members = {"governs": getattr(checker, "governs", None), "from_roles": policies}
    subject.synchronous = not await _is_asynchronous(checker)


async def _is_asynchronous(checker: Any) -> bool:
    """Whether `check` gives something to await. A plain function may, so it is asked once."""
    if inspect.iscoroutinefunction(checker.check):
        return True
    try:
        answer = checker.check(PermissionRequest(capability="tool_call", target="search"))
    except Exception:
        return False  # what is wrong with it is for the checks to tell
    if inspect.iscoroutine(answer):
        answer.close()
    elif inspect.isawaitable(answer):
        await asyncio.wait({asyncio.ensure_future(answer)}, timeout=_PATIENCE_S)
    return inspect.isawaitable(answer)
