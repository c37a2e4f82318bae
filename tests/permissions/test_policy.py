"""The role policy (document 22, section 4)."""

from __future__ import annotations

from typing import Any

import pytest

from agentports.permissions import PermissionPolicy
from agentports.ports import (
    PERMISSION_CAPABILITIES,
    TOOL_CAPABILITIES,
    PermissionCapability,
    PermissionDecision,
    PermissionRequest,
    PolicyRules,
)

ROLES = {"reader": ["search", "read_file"], "editor": ["write_file"], "guest": []}
RULES = PolicyRules(capabilities={"reader": ["memory_read"]}, skills={"reader": ["style"]})


def decision(policy: PermissionPolicy, capability: PermissionCapability, target: str | None) -> PermissionDecision:
    """What the policy says."""
    return policy.check(PermissionRequest(capability=capability, target=target))


def policy(role: str = "reader", rules: Any = RULES) -> PermissionPolicy:
    """A policy over the roles of this module."""
    return PermissionPolicy.from_roles(ROLES, role, rules)


def test_an_unknown_role_is_refused_with_the_roles_that_there_are() -> None:
    """At construction, and when the role is swapped."""
    with pytest.raises(ValueError, match="'reder'; the roles are: reader, editor, guest"):
        policy("reder")
    with pytest.raises(ValueError, match="reader, editor, guest"):
        policy().with_active_role("reder")


def test_rules_that_are_none_are_refused() -> None:
    """A misspelt capability or kind of rule would otherwise never be asked about."""
    with pytest.raises(ValueError, match="memory_raed"):
        policy(rules={"capabilities": {"reader": ["memory_raed"]}})
    with pytest.raises(ValueError, match="capability"):
        policy(rules={"capability": {}})


@pytest.mark.parametrize(
    ("capability", "target", "result", "rule"),
    [
        ("tool_call", "search", "allow", "reader.allowlist"),
        ("tool_call", "searching", "deny", "reader.allowlist.miss"),
        ("memory_read", "search", "allow", "reader.allowlist"),
        ("memory_read", "write_file", "deny", "reader.allowlist.miss"),
        ("external_net", "search", "deny", "reader.capabilities.miss"),
        ("skill_read", "skill:style", "allow", "reader.skills"),
        ("skill_read", "style", "allow", "reader.skills"),
        ("skill_read", "skill:search", "deny", "reader.skills.miss"),
    ],
)
def test_a_ruled_role_is_judged_by_its_rules_and_its_tools(
    capability: PermissionCapability, target: str, result: str, rule: str
) -> None:
    """The decision names the rule; a refusal says who may not do what."""
    made = decision(policy(), capability, target)
    assert (made.result, made.policy_rule_id) == (result, rule)
    if result == "deny":
        assert made.rationale is not None
        assert "reader" in made.rationale
        assert target.removeprefix("skill:") in made.rationale


def test_a_role_without_rules_is_judged_by_its_tools_and_reads_every_skill() -> None:
    """Rules for another role change nothing for it."""
    editor = policy("editor")
    assert [decision(editor, c, "write_file").policy_rule_id for c in TOOL_CAPABILITIES] == ["editor.allowlist"] * 4
    assert decision(editor, "external_net", "search").policy_rule_id == "editor.allowlist.miss"
    assert decision(editor, "skill_read", "skill:any").policy_rule_id == "editor.skills.unruled"


def test_an_empty_role_may_nothing() -> None:
    """It is a role all the same."""
    assert not policy("guest").is_allowed("search")
    assert decision(policy("guest"), "tool_call", "search").result == "deny"


def test_governs_follows_from_the_kinds_of_rules() -> None:
    """Absent without rules; a rule for any role governs all four capabilities."""
    assert policy(rules=None).governs is None
    assert policy("guest", PolicyRules(capabilities={"reader": []})).governs == TOOL_CAPABILITIES
    assert policy("guest", PolicyRules(skills={"reader": []})).governs == ("skill_read",)
    assert policy().governs == (*TOOL_CAPABILITIES, "skill_read")


@pytest.mark.parametrize("capability", PERMISSION_CAPABILITIES)
def test_without_a_target_the_name_of_the_capability_is_looked_up(capability: PermissionCapability) -> None:
    """So that the question has an answer."""
    listed = PermissionPolicy.from_roles({"odd": [capability]}, "odd")
    assert decision(listed, capability, None).result == "allow"
    if capability != "skill_read":
        assert decision(policy("guest", None), capability, None).result == "deny"


def test_another_role_is_another_policy_over_the_same_map_and_rules() -> None:
    """The original stays as it is."""
    reader = policy()
    editor = reader.with_active_role("editor")
    assert (reader.active_role, editor.active_role) == ("reader", "editor")
    assert editor.governs == reader.governs
    assert decision(editor.with_active_role("reader"), "external_net", "search").result == "deny"


def test_nobody_can_change_a_policy() -> None:
    """Neither through what was given nor through what is handed out."""
    roles = {"reader": ["search"]}
    reader = PermissionPolicy.from_roles(roles, "reader")
    roles["reader"].append("write_file")
    reader.roles["reader"].append("write_file")
    reader.allowed_tool_ids().append("write_file")
    assert reader.roles == {"reader": ["search"]}
    assert not reader.is_allowed("write_file")
