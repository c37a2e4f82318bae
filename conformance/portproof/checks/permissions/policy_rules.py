"""Role policies: what their rules on capabilities and skills mean, and what decisions say of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import PERMISSION_CAPABILITIES, TOOL_CAPABILITIES, PermissionCapability
from portproof.benches.checker import CheckerBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies.permissions import PolicyCase, policy_cases
from portproof.strategies.text import names


@check("PERM-POLICY-RULE-IDS", case=policy_cases())
async def decisions_name_their_rule_and_refusals_say_why(bench: CheckerBench, case: PolicyCase) -> None:
    policy = await bench.policy(case.roles, case.active, case.both_rules(case.active))
    await _expect_rule(bench, policy, case, "tool_call", case.tool, "allowlist")
    await _expect_rule(bench, policy, case, "tool_call", case.stray, "allowlist.miss")
    for capability in TOOL_CAPABILITIES:
        rule = "capabilities.miss" if capability in case.unlisted else "allowlist"
        await _expect_rule(bench, policy, case, capability, case.tool, rule)
    await _expect_rule(bench, policy, case, "skill_read", f"skill:{case.skill}", "skills")
    await _expect_rule(bench, policy, case, "skill_read", f"skill:{case.stray_skill}", "skills.miss")
    unruled = await bench.policy(case.roles, case.active, case.both_rules(case.other))
    await _expect_rule(bench, unruled, case, "skill_read", f"skill:{case.stray_skill}", "skills.unruled")


@check("PERM-POLICY-GOVERNS-DERIVED", case=policy_cases())
async def governs_follows_from_the_kinds_of_rules(bench: CheckerBench, case: PolicyCase) -> None:
    without = getattr(await bench.policy(case.roles, case.active), "governs", None)
    expect(without is None, "governs is there although there are no rules", governs=without)
    for role in (case.active, case.other):
        for rules, governed in (
            (case.capability_rules(role), {*TOOL_CAPABILITIES}),
            (case.skill_rules(role), {"skill_read"}),
            (case.both_rules(role), {*TOOL_CAPABILITIES, "skill_read"}),
        ):
            policy = await bench.policy(case.roles, case.active, rules)
            # Tool calls are asked about whether they are listed or not.
            listed = set(getattr(policy, "governs", None) or ()) - {"tool_call"}
            expect_equal(listed, governed, f"what governs lists with rules for {role}", rules=rules)


@check("PERM-POLICY-CAP-UNLISTED", case=policy_cases())
async def a_listed_capability_needs_the_tool_as_well(bench: CheckerBench, case: PolicyCase) -> None:
    policy = await bench.policy(case.roles, case.active, case.capability_rules(case.active))
    for capability in TOOL_CAPABILITIES:
        for tool in (case.tool, case.stray):
            may = capability in case.capabilities and tool == case.tool
            await _expect_answer(bench, policy, capability, tool, may, capabilities=case.capabilities)


@check("PERM-POLICY-CAP-NO-RULE", case=policy_cases())
async def a_role_without_a_capability_rule_is_judged_by_its_tools(bench: CheckerBench, case: PolicyCase) -> None:
    policy = await bench.policy(case.roles, case.active, case.capability_rules(case.other))
    for capability in TOOL_CAPABILITIES:
        for tool in (case.tool, case.stray):
            await _expect_answer(bench, policy, capability, tool, tool == case.tool)


@check("PERM-POLICY-SKILL-RULE", case=policy_cases())
async def a_role_reads_the_skills_of_its_rule_or_every_one(bench: CheckerBench, case: PolicyCase) -> None:
    ruled = await bench.policy(case.roles, case.active, case.skill_rules(case.active))
    unruled = await bench.policy(case.roles, case.active, case.skill_rules(case.other))
    without = await bench.policy(case.roles, case.active)
    for skill in (case.skill, case.stray_skill):
        for target in (skill, f"skill:{skill}"):
            await _expect_answer(bench, ruled, "skill_read", target, skill == case.skill)
            await _expect_answer(bench, unruled, "skill_read", target, True)
            await _expect_answer(bench, without, "skill_read", target, True)


@check("PERM-POLICY-NO-TARGET", role=names(), listed=st.lists(st.sampled_from(PERMISSION_CAPABILITIES), unique=True))
async def without_a_target_the_capability_is_looked_up(
    bench: CheckerBench, role: str, listed: list[PermissionCapability]
) -> None:
    policy = await bench.policy({role: [*listed]}, role)
    for capability in PERMISSION_CAPABILITIES:
        if capability == "skill_read":
            # A role without a skill rule reads every skill, so that either answer can be meant.
            await bench.decide(policy, capability, None)
        else:
            await _expect_answer(bench, policy, capability, None, capability in listed, tools=listed)


async def _expect_answer(
    bench: CheckerBench, policy: Any, capability: PermissionCapability, target: str | None, may: bool, **evidence: Any
) -> None:
    decision = await bench.decide(policy, capability, target)
    what = f"whether {capability} of {'no target' if target is None else repr(target)} is allowed"
    expect_equal(decision.allows, may, what, decision=plain(decision.raw), **evidence)


async def _expect_rule(
    bench: CheckerBench, policy: Any, case: PolicyCase, capability: PermissionCapability, target: str, rule: str
) -> None:
    decision = await bench.decide(policy, capability, target)
    asked = f"{capability} of {target!r}"
    expect_equal(decision.text("policy_rule_id"), f"{case.active}.{rule}", f"policy_rule_id of {asked}")
    if rule.endswith(".miss"):
        subjects = [target.removeprefix("skill:"), *([capability] if capability in TOOL_CAPABILITIES else [])]
        rationale = decision.text("rationale")
        expect(isinstance(rationale, str) and rationale, f"the refusal of {asked} has no rationale", got=rationale)
        named = case.active in rationale and any(subject in rationale for subject in subjects)
        expect(named, f"the rationale of the refusal of {asked} does not name it and the role", rationale=rationale)
