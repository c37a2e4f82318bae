"""Role policies that apply their rules on capabilities and skills wrongly, or do not say which rule decided."""

from __future__ import annotations

from typing import Any

from agentports.permissions import PermissionPolicy
from agentports.ports import PermissionDecision, PermissionRequest
from portproof.selftest import defect


@defect("PERM-POLICY-RULE-IDS")
class NoIdOnRefusals(PermissionPolicy):
    """A refusal does not name its rule."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        decision = super().check(request)
        return decision.model_copy(update={"policy_rule_id": None} if decision.result == "deny" else {})


@defect("PERM-POLICY-RULE-IDS")
class NoIdWithoutASkillRule(PermissionPolicy):
    """A skill that no rule speaks of is allowed under the id of a rule."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        decision = super().check(request)
        rule = str(decision.policy_rule_id).removesuffix(".unruled")
        return decision.model_copy(update={"policy_rule_id": rule})


@defect("PERM-POLICY-RULE-IDS")
class RefusesWithoutTheRole(PermissionPolicy):
    """The rationale of a refusal says what, and not who."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        decision = super().check(request)
        named = f"{request.capability} of {request.target} is not allowed"
        return decision.model_copy(update={"rationale": named} if decision.result == "deny" else {})


@defect("PERM-POLICY-GOVERNS-DERIVED")
class GovernsWhatIsListed(PermissionPolicy):
    """governs names the capabilities that a role lists, and not those that no role has."""

    @property
    def governs(self) -> Any:
        listed = {name for names in (self._rules.capabilities or {}).values() for name in names}
        return tuple(sorted(listed | ({"skill_read"} if self._rules.skills else set()))) or None


@defect("PERM-POLICY-GOVERNS-DERIVED")
class GovernsForTheActiveRole(PermissionPolicy):
    """governs looks at the rules of the active role only."""

    @property
    def governs(self) -> Any:
        ruled = [rules for rules in (self._rules.capabilities, self._rules.skills) if self.active_role in (rules or {})]
        return super().governs if ruled else None


@defect("PERM-POLICY-GOVERNS-DERIVED")
class GovernsNothing(PermissionPolicy):
    """Without rules governs is an empty list."""

    @property
    def governs(self) -> Any:
        return super().governs or ()


@defect("PERM-POLICY-CAP-UNLISTED")
class CapabilityAlone(PermissionPolicy):
    """A listed capability is allowed for any tool."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        if request.capability in (self._rules.capabilities or {}).get(self.active_role, ()):
            return PermissionDecision(result="allow", policy_rule_id=f"{self.active_role}.allowlist")
        return super().check(request)


@defect("PERM-POLICY-CAP-UNLISTED")
class UnlistedFallsThrough(PermissionPolicy):
    """A capability that the rule does not list is judged by the tools."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        capability = request.capability if request.capability == "skill_read" else "tool_call"
        return super().check(request.model_copy(update={"capability": capability}))


@defect("PERM-POLICY-CAP-NO-RULE")
class NoRuleNoCapability(PermissionPolicy):
    """A role without a capability rule has no capability, as soon as another role has a rule."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        rules = self._rules.capabilities
        if rules and self.active_role not in rules and request.capability not in ("tool_call", "skill_read"):
            return self._deny("capabilities", f"use {request.capability}")
        return super().check(request)


@defect("PERM-POLICY-SKILL-RULE")
class SkillsAreTools(PermissionPolicy):
    """Without a skill rule a skill is looked up among the tools."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        if request.capability == "skill_read" and self.active_role not in (self._rules.skills or {}):
            return super().check(request.model_copy(update={"capability": "tool_call"}))
        return super().check(request)


@defect("PERM-POLICY-SKILL-RULE")
class SkillsByWholeTarget(PermissionPolicy):
    """The prefix of a skill's target is not taken off."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        target = f"skill:{request.target}" if request.capability == "skill_read" else request.target
        return super().check(request.model_copy(update={"target": target}))
