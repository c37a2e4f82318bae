"""Role policies of a subject: made by its `from_roles`, or by its factory when that takes roles and active_role."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agentports.ports import PERMISSION_CAPABILITIES, PermissionRequest, PolicyRules
from portproof.running.plain import told
from portproof.strategies.permissions import EXAMPLE_SKILL, EXAMPLE_TOOLS
from portproof.subjects.subject import Subject
from portproof.subjects.supply import build, parameters_of

__all__ = ["EXAMPLE_POLICY", "PolicyMaker", "policy_maker"]

#: The policy that a subject is looked at with.
EXAMPLE_POLICY: Mapping[str, Any] = {
    "roles": {"reader": [*EXAMPLE_TOOLS], "editor": [*EXAMPLE_TOOLS, "write_file"]},
    "active_role": "reader",
    "rules": PolicyRules(capabilities={"editor": ["user_data"]}, skills={"reader": [EXAMPLE_SKILL]}),
}

Roles = Mapping[str, Sequence[str]]


class PolicyMaker:
    """Makes policies of a subject. Rules are given as `PolicyRules`, or as a mapping where the subject reads that."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._as_mapping = False
        #: Why policies cannot be made at all, if they cannot.
        self.problem: str | None = None

    async def __call__(self, roles: Roles, active_role: str, rules: PolicyRules | None = None) -> Any:
        """A policy; raises what the subject raises."""
        given: dict[str, Any] = {
            "roles": {role: list(tools) for role, tools in roles.items()},
            "active_role": active_role,
        }
        if rules is not None:
            given["rules"] = rules.model_dump(exclude_none=True) if self._as_mapping else rules
        return (await build(self._make, parameters_of(self._make), given)).value

    async def settle(self) -> None:
        """Find out in which form the subject reads rules, and whether it makes policies at all."""
        understood = {as_mapping: await self._understands(as_mapping) for as_mapping in (False, True)}
        self._as_mapping = max(understood, key=lambda form: understood[form])
        self.problem = None if understood[self._as_mapping] else self.problem

    async def _understands(self, as_mapping: bool) -> int:
        """2 when rules of this form are applied, 1 when a policy is made at least, else 0."""
        self._as_mapping = as_mapping
        try:
            policy = await self(**EXAMPLE_POLICY)
        except Exception as error:
            self.problem = self.problem or told(error)
            return 0
        return 2 if _applies_rules(policy) else 1


def policy_maker(subject: Subject, value: Any) -> PolicyMaker | None:
    """What makes policies of this subject, where it is a role policy."""
    for place in (subject.target, value):
        if callable(getattr(place, "from_roles", None)):
            return PolicyMaker(place.from_roles)
    return PolicyMaker(subject.target) if subject.takes("roles", "active_role") else None


def _applies_rules(policy: Any) -> bool:
    try:
        for capability in PERMISSION_CAPABILITIES:
            answer = policy.check(PermissionRequest(capability=capability, target="search"))
            if inspect.iscoroutine(answer):
                answer.close()
        return bool(getattr(policy, "governs", None))
    except Exception:
        return False
