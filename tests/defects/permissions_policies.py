"""Role policies that judge tools wrongly, or that others can change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from agentports.permissions import PermissionPolicy
from agentports.ports import PermissionDecision, PermissionRequest
from portproof.selftest import defect


@defect("PERM-POLICY-UNKNOWN-ROLE")
class UnknownRolesHaveNoTools(PermissionPolicy):
    """A role that nobody defined is one with an empty list."""

    def __init__(self, roles: Mapping[str, Sequence[str]], active_role: str, rules: Any = None) -> None:
        super().__init__({active_role: (), **roles}, active_role, rules)


@defect("PERM-POLICY-UNKNOWN-ROLE")
class ListsNoRoles(PermissionPolicy):
    """The refusal does not say which roles there are."""

    def __init__(self, roles: Mapping[str, Sequence[str]], active_role: str, rules: Any = None) -> None:
        if active_role not in roles:
            raise ValueError(f"unknown role: {active_role}")
        super().__init__(roles, active_role, rules)


@defect("PERM-POLICY-UNKNOWN-ROLE")
class SwapsToAnyRole(PermissionPolicy):
    """with_active_role takes whatever it is given, and finds out at the first check."""

    def with_active_role(self, role: str) -> Self:
        swapped = super().with_active_role(self.active_role)
        swapped.active_role = role
        return swapped


@defect("PERM-POLICY-ALLOWLIST")
class MatchesPrefixes(PermissionPolicy):
    """A tool is allowed when it begins like a listed one."""

    def is_allowed(self, tool: str) -> bool:
        return any(tool.startswith(listed) for listed in self.allowed_tool_ids())


@defect("PERM-POLICY-ALLOWLIST")
class TwoGates(PermissionPolicy):
    """check allows in any case, is_allowed only as listed."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        same = next((t for t in self.allowed_tool_ids() if t.lower() == str(request.target).lower()), request.target)
        return super().check(request.model_copy(update={"target": same}))


@defect("PERM-POLICY-EMPTY-DENIES")
class EmptyIsUndefined(PermissionPolicy):
    """A role with an empty list is taken for one that is not defined."""

    def __init__(self, roles: Mapping[str, Sequence[str]], active_role: str, rules: Any = None) -> None:
        if not roles.get(active_role):
            raise ValueError(f"no role is named {active_role}; the roles are: {', '.join(roles)}")
        super().__init__(roles, active_role, rules)


@defect("PERM-POLICY-EMPTY-DENIES")
class EmptyIsUnrestricted(PermissionPolicy):
    """A role with an empty list may everything."""

    def is_allowed(self, tool: str) -> bool:
        return not self.allowed_tool_ids() or super().is_allowed(tool)


@defect("PERM-POLICY-ROLE-SWAP")
class DropsTheRules(PermissionPolicy):
    """The policy of another role has the map and no rules."""

    def with_active_role(self, role: str) -> Self:
        return type(self)(self._roles, role)


@defect("PERM-POLICY-ROLE-SWAP")
class SwapsItself(PermissionPolicy):
    """with_active_role changes the policy and returns it."""

    def with_active_role(self, role: str) -> Self:
        self.active_role = super().with_active_role(role).active_role
        return self


@defect("PERM-POLICY-COPIES")
class HandsOutItsList(PermissionPolicy):
    """allowed_tool_ids is the policy's own list."""

    def __init__(self, roles: Mapping[str, Sequence[str]], active_role: str, rules: Any = None) -> None:
        super().__init__(roles, active_role, rules)
        self._roles: Any = {role: list(tools) for role, tools in roles.items()}

    def allowed_tool_ids(self) -> list[str]:
        tools: list[str] = self._roles[self.active_role]
        return tools


@defect("PERM-POLICY-COPIES")
class HandsOutItsMap(PermissionPolicy):
    """roles is the policy's own map."""

    @property
    def roles(self) -> Any:
        return self._roles


@defect("PERM-POLICY-NO-TARGET")
class NeedsATarget(PermissionPolicy):
    """A request without a target raises."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        assert request.target is not None
        return super().check(request)


@defect("PERM-POLICY-NO-TARGET")
class NothingIsAllowed(PermissionPolicy):
    """A request without a target is allowed, as it touches nothing."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        return super().check(request) if request.target is not None else PermissionDecision(result="allow")
