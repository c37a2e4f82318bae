"""Permission checkers: a policy of roles, and the question whether a checker is asked at all (document 22)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from agentports.ports import (
    TOOL_CAPABILITIES,
    PermissionCapability,
    PermissionChecker,
    PermissionDecision,
    PermissionRequest,
    PolicyRules,
)

__all__ = ["PermissionPolicy", "checker_governs"]

_SKILL = "skill:"


def checker_governs(checker: PermissionChecker | None, capability: PermissionCapability) -> bool:
    """Whether a checker is asked about a capability: tool calls always, the rest where `governs` lists it."""
    if checker is None:
        return False
    return capability == "tool_call" or capability in (getattr(checker, "governs", None) or ())


class PermissionPolicy:
    """What each role may do: its tools, and by rules its capabilities and its skills (document 22, section 4).

    A role with an empty list may nothing. Decisions name the rule that decided, and a refusal says why.
    """

    name = "role-policy"

    def __init__(
        self,
        roles: Mapping[str, Sequence[str]],
        active_role: str,
        rules: PolicyRules | Mapping[str, Any] | None = None,
    ) -> None:
        """Raises `ValueError` when the active role is not one of the roles, and for rules that are none."""
        if active_role not in roles:
            raise ValueError(f"no role is named {active_role!r}; the roles are: {', '.join(roles) or 'none'}")
        self.active_role = active_role
        self._roles = {role: tuple(tools) for role, tools in roles.items()}
        self._rules = PolicyRules.model_validate(rules or {})

    @classmethod
    def from_roles(
        cls,
        roles: Mapping[str, Sequence[str]],
        active_role: str,
        rules: PolicyRules | Mapping[str, Any] | None = None,
    ) -> Self:
        """A policy over this map of roles to tools. Raises `ValueError` as the constructor does."""
        return cls(roles, active_role, rules)

    @property
    def governs(self) -> tuple[PermissionCapability, ...] | None:
        """What is asked besides tool calls. A rule for one role governs all, so that no other is left unasked."""
        capabilities = TOOL_CAPABILITIES if self._rules.capabilities else ()
        skills: tuple[PermissionCapability, ...] = ("skill_read",) if self._rules.skills else ()
        return (*capabilities, *skills) or None

    @property
    def roles(self) -> dict[str, list[str]]:
        """A copy of the map."""
        return {role: list(tools) for role, tools in self._roles.items()}

    def allowed_tool_ids(self) -> list[str]:
        """A copy of the active role's tools."""
        return list(self._roles[self.active_role])

    def with_active_role(self, role: str) -> Self:
        """The same map and rules for another role. Raises `ValueError` when it is not one of the roles."""
        return type(self).from_roles(self._roles, role, self._rules)

    def is_allowed(self, tool: str) -> bool:
        """Whether the active role lists the tool."""
        return tool in self._roles[self.active_role]

    def check(self, request: PermissionRequest) -> PermissionDecision:
        """Decide at once. Without a target the capability's name is looked up."""
        target = request.capability if request.target is None else request.target
        if request.capability == "skill_read":
            return self._skill(target.removeprefix(_SKILL))
        listed = (self._rules.capabilities or {}).get(self.active_role)
        if request.capability != "tool_call" and listed is not None and request.capability not in listed:
            return self._deny("capabilities", f"use {request.capability}, as {target} would")
        return self._tool(target)

    def _tool(self, tool: str) -> PermissionDecision:
        return self._allow("allowlist") if self.is_allowed(tool) else self._deny("allowlist", f"call the tool {tool}")

    def _skill(self, skill: str) -> PermissionDecision:
        listed = (self._rules.skills or {}).get(self.active_role)
        if listed is None:
            return self._allow("skills.unruled")
        return self._allow("skills") if skill in listed else self._deny("skills", f"read the skill {skill}")

    def _allow(self, rule: str) -> PermissionDecision:
        return PermissionDecision(result="allow", policy_rule_id=f"{self.active_role}.{rule}")

    def _deny(self, rule: str, what: str) -> PermissionDecision:
        rationale = f"the role {self.active_role} may not {what}"
        return PermissionDecision(result="deny", policy_rule_id=f"{self.active_role}.{rule}.miss", rationale=rationale)
